import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { setImmediate } from 'node:timers/promises';
import { fieldHolds } from '../../support/fieldHolds.ts';
import { settingsBridge } from '../../../src/protocol/settings.ts';
import { projectEntry, settingsStateOf, texts } from '../../support/settingsEntry.ts';
import { type WebviewPage, webviewTest } from '../../support/webviewPage.ts';
import { waitUntil } from '../../support/workbench/waitUntil.ts';

const options = { bridge: settingsBridge } as const;

/** The name field of the form of a project. */
async function openForm({ page, host }: Pick<WebviewPage, 'page' | 'host'>): Promise<Locator> {
  host.notify('state', settingsStateOf(projectEntry('Shop')));
  host.notify('edit', { id: projectEntry('Shop').id });
  const name = page.getByRole('textbox', { name: 'Display name (optional)', exact: true });
  await fieldHolds(name, 'Shop');
  return name;
}

const saved: unknown[] = [];

webviewTest(
  'typed texts are checked at once, and only changed fields are saved',
  { ...options, methods: { save: params => void saved.push(params) } },
  async ({ page, host }) => {
    const shop = projectEntry('Shop', { fields: texts({ name: 'Shop', protection: 'readOnly' }) });
    host.notify('state', settingsStateOf(shop, projectEntry('Bank')));
    const item = page.getByRole('listitem').filter({ hasText: 'Shop' });
    await item.getByText('Edit').click();
    const field = (name: string) => item.getByRole('textbox', { name, exact: true });
    const alert = (hasText: string | RegExp) => item.getByRole('alert').filter({ hasText });
    await fieldHolds(field('Display name (optional)'), 'Shop');
    await item.getByRole('combobox', { name: 'Protection' }).filter({ hasText: 'Read-only' }).waitFor();

    await field('Address').fill('nowhere');
    await alert('This must be an http or https address').waitFor();
    await item.getByRole('button', { name: 'Save Shop' }).click();
    await field('Address').and(page.locator(':focus')).waitFor();
    await field('Address').fill('http://127.0.0.1:9');
    await alert('This must be an http or https address').waitFor({ state: 'detached' });

    await field('Project ID').fill('bank');
    await alert('This project already exists.').waitFor();
    await field('Project ID').fill('shop');
    await field('Retries').fill('many');
    await alert('This must be a whole number from 0 to 10.').waitFor();
    await field('Retries').fill('5');
    await field('Maximum rows').fill('0');
    await alert('This must be a whole number, 1 or more.').waitFor();
    await field('Maximum rows').fill('');
    await item.getByRole('combobox', { name: 'Protection' }).click();
    await item.getByRole('option', { name: 'Open' }).click();
    assert.deepEqual(saved, []);
    await field('Retries').press('Enter');
    await item.getByRole('status').filter({ hasText: 'Saved.' }).waitFor();
    assert.deepEqual(saved, [{ id: shop.id, fields: { protection: 'open', retries: '5' } }]);
  },
);

const moved = projectEntry('Shop', { id: 'http://127.0.0.1:8 shop', fields: texts({ name: 'Shop' }) });

webviewTest(
  'a project that moves to another address keeps its form and the focus, and warns that its key stays behind',
  { ...options, methods: { save: () => undefined } },
  async ({ page, host }) => {
    host.notify('state', settingsStateOf(projectEntry('Shop', { keySince: 'Monday' })));
    host.notify('edit', { id: projectEntry('Shop').id });
    const address = page.getByRole('textbox', { name: 'Address' });
    await fieldHolds(address, 'http://127.0.0.1:9');
    await address.fill('http://127.0.0.1:8');
    await page.getByText(/The API key stays/).waitFor();
    await address.press('Enter');
    await page.getByRole('status').filter({ hasText: 'Saved.' }).waitFor();
    const fields = { ...moved.fields, baseUrl: 'http://127.0.0.1:8' };
    host.notify('state', settingsStateOf({ ...moved, fields }));
    await page.getByText('No API key').waitFor();
    await address.and(page.locator(':focus')).waitFor();
  },
);

webviewTest(
  'a failed save shows its reason and keeps the typed texts',
  { ...options, methods: { save: () => Promise.reject(new Error('The file is locked.')) } },
  async ({ page, host }) => {
    const name = await openForm({ page, host });
    await name.fill('Store');
    await name.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'The file is locked.' }).waitFor();
    await page.getByRole('status').filter({ hasText: 'Unsaved changes.' }).waitFor();
    await fieldHolds(name, 'Store');
  },
);

const saving = Promise.withResolvers<void>();

webviewTest(
  'a text typed during a save stays unsaved',
  { ...options, methods: { save: () => saving.promise } },
  async ({ page, host }) => {
    const name = await openForm({ page, host });
    await name.fill('Store');
    await name.press('Enter');
    await name.fill('Stores');
    saving.resolve();
    await setImmediate();
    host.notify(
      'state',
      settingsStateOf(projectEntry('Shop', { name: 'Store', fields: texts({ name: 'Store', projectId: 'shop' }) })),
    );
    await page.getByRole('heading', { name: 'Store' }).waitFor();
    await page.getByRole('status').filter({ hasText: 'Unsaved changes.' }).waitFor();
    await fieldHolds(name, 'Stores');
  },
);

const budgets: unknown[] = [];

webviewTest(
  'a budget is saved when the user leaves its changed field',
  { ...options, methods: { saveBudget: params => void budgets.push(params) } },
  async ({ page, host }) => {
    host.notify('state', settingsStateOf());
    const rows = page.getByRole('textbox', { name: 'Maximum rows' });
    await fieldHolds(rows, '1000000');
    await rows.fill('0');
    await rows.press('Tab');
    await page.getByRole('alert').filter({ hasText: 'This must be a whole number, 1 or more.' }).waitFor();
    await rows.fill('500');
    await rows.press('Tab');
    await waitUntil(() => budgets.length > 0, { what: 'no budget is saved' });
    assert.deepEqual(budgets, [{ name: 'maxRows', value: '500' }]);
  },
);

const edits: unknown[] = [];

webviewTest(
  'the host hears of unsaved texts, and of their end',
  { ...options, methods: { edited: params => void edits.push(params), save: () => undefined } },
  async ({ page, host }) => {
    const { id } = projectEntry('Shop');
    const name = await openForm({ page, host });
    await name.fill('Store');
    await page.getByRole('button', { name: 'Discard Shop' }).click();
    await fieldHolds(name, 'Shop');
    await name.fill('Market');
    await name.press('Enter');
    await page.getByRole('status').filter({ hasText: 'Saved.' }).waitFor();
    await waitUntil(() => edits.length === 4, { what: 'the host does not hear of the end' });
    assert.deepEqual(edits, [
      { id, fields: { name: 'Store' } },
      { id, fields: {} },
      { id, fields: { name: 'Market' } },
      { id, fields: {} },
    ]);
  },
);

webviewTest(
  'unsaved texts are back when the page is loaded anew',
  { ...options, methods: { edited: () => undefined } },
  async ({ page, host }) => {
    const { id } = projectEntry('Shop');
    host.notify('state', settingsStateOf(projectEntry('Shop'), projectEntry('Bank')));
    host.notify('drafts', [{ id, fields: { name: 'Store', retries: '7' } }]);
    const item = page.getByRole('listitem').filter({ hasText: 'Shop' });
    await fieldHolds(item.getByRole('textbox', { name: 'Display name (optional)', exact: true }), 'Store');
    await fieldHolds(item.getByRole('textbox', { name: 'Retries' }), '7');
    await item.getByRole('status').filter({ hasText: 'Unsaved changes.' }).waitFor();
    await item.getByRole('button', { name: 'Discard Shop' }).click();
    await fieldHolds(item.getByRole('textbox', { name: 'Display name (optional)', exact: true }), 'Shop');
  },
);
