import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { fieldHolds } from '../../support/fieldHolds.ts';
import { settingsBridge, type TestOutcome } from '../../../src/protocol/settings.ts';
import { projectEntry, settingsStateOf, texts } from '../../support/settingsEntry.ts';
import { faintTexts } from '../../support/textContrast.ts';
import { webviewTest } from '../../support/webviewPage.ts';
import { setTheme } from '../../support/webviewThemes.ts';
import { waitUntil } from '../../support/workbench/waitUntil.ts';

const bank = (keySince?: string) => projectEntry('Bank', { keySince });
const options = { bridge: settingsBridge } as const;

webviewTest('the focus stays when a key is set, replaced or forgotten', options, async opened => {
  const { page, host } = opened;
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const focused = page.locator(':focus');
  host.notify('state', settingsStateOf(projectEntry('Shop'), bank()));
  await button('Set API Key… Bank').focus();
  host.notify('state', settingsStateOf(projectEntry('Shop'), bank('Monday')));
  await button('Replace API Key… Bank').waitFor();
  await button('Replace API Key… Bank').and(focused).waitFor();

  await button('Forget API Key Bank').focus();
  host.notify('state', settingsStateOf(projectEntry('Shop'), bank()));
  await button('Set API Key… Bank').and(focused).waitFor();

  host.notify('state', settingsStateOf(bank(), projectEntry('Shop')));
  await page.getByRole('listitem').first().filter({ hasText: 'Bank' }).waitFor();
  await button('Set API Key… Bank').and(focused).waitFor();

  host.notify('state', settingsStateOf(projectEntry('Shop')));
  await button('Add Project…').and(focused).waitFor();
});

webviewTest('each button names its project once', options, async ({ page, host }) => {
  const local = projectEntry('Local', { scope: undefined, keySince: 'Monday' });
  host.notify('state', settingsStateOf(projectEntry('Shop'), local));
  await page.getByRole('listitem').filter({ hasText: 'API key set on Monday' }).waitFor();
  const names = (await page.locator('body').ariaSnapshot()).match(/(?<=button ").*(?=")/g);
  assert.deepEqual(names, [
    'Add Project…',
    'Import…',
    'Export…',
    'Edit Projects in Settings',
    'Set API Key… Shop',
    'Test Connection Shop',
    'Copy to Workspace Settings Shop',
    'Remove Project… Shop',
    'Replace API Key… Local',
    'Forget API Key Local',
    'Test Connection Local',
  ]);
});

webviewTest(
  'the failure of a call shows until the next call',
  { ...options, methods: { setKey: () => Promise.reject(new Error('The storage is locked.')), add: () => undefined } },
  async ({ page, host }) => {
    host.notify('state', settingsStateOf(projectEntry('Shop')));
    await page.getByRole('button', { name: 'Set API Key… Shop' }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'The storage is locked.' });
    await alert.waitFor();
    await page.getByRole('button', { name: 'Add Project…' }).click();
    await alert.waitFor({ state: 'detached' });
  },
);

webviewTest('a state that cannot be decoded changes nothing', options, async ({ page, host }) => {
  host.notify('state', settingsStateOf(projectEntry('Shop')));
  await page.getByRole('heading', { name: 'Shop' }).waitFor();
  for (const wrong of [null, { ...settingsStateOf(), projects: [{ id: 1 }] }, { projects: [] }]) {
    host.notify('state', wrong as never);
  }
  host.notify('state', settingsStateOf(projectEntry('Shop'), projectEntry('Bank')));
  await page.getByRole('heading', { name: 'Bank' }).waitFor();
  assert.equal(await page.getByRole('listitem').count(), 2);
});

webviewTest('unsaved texts stay when the settings change, and Discard drops them', options, async opened => {
  const { page, host } = opened;
  host.notify('state', settingsStateOf(projectEntry('Shop')));
  host.notify('edit', { id: projectEntry('Shop').id });
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  await field('Display name (optional)').and(page.locator(':focus')).waitFor();
  await fieldHolds(field('Display name (optional)'), 'Shop');
  await field('Display name (optional)').fill('Store');
  await page.getByRole('status').filter({ hasText: 'Unsaved changes.' }).waitFor();
  const changed = texts({ name: 'Market', projectId: 'shop', retries: '7' });
  host.notify('state', settingsStateOf(projectEntry('Shop', { name: 'Market', fields: changed })));
  await page.getByRole('heading', { name: 'Market' }).waitFor();
  await fieldHolds(field('Retries'), '7');
  await fieldHolds(field('Display name (optional)'), 'Store');
  await field('Display name (optional)').and(page.locator(':focus')).waitFor();
  await page.getByRole('button', { name: 'Discard Market' }).click();
  await fieldHolds(field('Display name (optional)'), 'Market');
});

const settled: unknown[] = [];

webviewTest(
  'a project of the local service has no fields for its address',
  { ...options, methods: { save: params => void settled.push(params) } },
  async ({ page, host }) => {
    const local = projectEntry('Local', { id: 'local p1', scope: undefined, keySince: 'Monday' });
    host.notify('state', settingsStateOf(local));
    host.notify('edit', { id: local.id });
    await fieldHolds(page.getByRole('textbox', { name: 'Display name (optional)', exact: true }), 'Local');
    assert.equal(await page.getByRole('textbox', { name: 'Address' }).count(), 0);
    assert.equal(await page.getByRole('textbox', { name: 'Project ID' }).count(), 0);
    await page.getByRole('combobox', { name: 'Protection' }).click();
    await page.getByRole('option', { name: 'Read-only' }).click();
    await page.getByRole('textbox', { name: 'Retries' }).fill('2');
    await page.getByRole('textbox', { name: 'Retries' }).press('Enter');
    await page.getByRole('status').filter({ hasText: 'Saved.' }).waitFor();
    assert.deepEqual(settled, [{ id: 'local p1', fields: { protection: 'readOnly', retries: '2' } }]);
    assert.equal(await page.getByText(/The API key stays/).count(), 0);
  },
);

const answers: TestOutcome[] = [
  { remedy: 'setKey', message: 'The key is wrong.' },
  { remedy: 'editProject', message: 'Nothing is there.' },
  { remedy: 'tryAgain', message: 'Nobody answers.' },
  { remedy: undefined, message: 'All is well.' },
];
const keysAsked: unknown[] = [];

webviewTest(
  'a connection test shows its outcome and a remedy, and the focus is never lost',
  { ...options, methods: { test: () => answers.shift() ?? null, setKey: params => void keysAsked.push(params) } },
  async ({ page, host }) => {
    const focused = page.locator(':focus');
    const status = page.getByRole('status');
    const button = (name: string) => page.getByRole('button', { name: `${name} Shop`, exact: true });
    host.notify('state', settingsStateOf(projectEntry('Shop')));
    await button('Test Connection').click();
    await status.filter({ hasText: 'The key is wrong.' }).waitFor();
    await button('Set API Key').click();
    host.notify('state', settingsStateOf(projectEntry('Shop', { keySince: 'Monday' })));
    await button('Set API Key').waitFor({ state: 'detached' });
    await button('Test Connection').and(focused).waitFor();
    assert.deepEqual(keysAsked, [{ id: projectEntry('Shop').id }]);

    await page.keyboard.press('Enter');
    await status.filter({ hasText: 'Nothing is there.' }).waitFor();
    await button('Edit Project').press('Enter');
    await page.getByRole('textbox', { name: 'Display name (optional)', exact: true }).and(focused).waitFor();

    await button('Test Connection').press('Enter');
    await status.filter({ hasText: 'Nobody answers.' }).waitFor();
    await button('Retry').press('Enter');
    await status.filter({ hasText: 'All is well.' }).waitFor();
    await button('Test Connection').and(focused).waitFor();
  },
);

const late = Promise.withResolvers<TestOutcome>();
const tests: (TestOutcome | Promise<TestOutcome>)[] = [
  { remedy: 'editProject', message: 'Nothing is there.' },
  late.promise,
];

webviewTest(
  'a new address or key clears the outcome of an earlier or pending test',
  { ...options, methods: { test: () => tests.shift() ?? null } },
  async ({ page, host }) => {
    const status = page.getByRole('status');
    const reached = (pathPrefix: string, keySince?: string): void =>
      host.notify(
        'state',
        settingsStateOf(projectEntry('Shop', { keySince, fields: texts({ name: 'Shop', pathPrefix }) })),
      );
    reached('/wrong');
    await page.getByRole('button', { name: 'Test Connection Shop' }).click();
    await status.filter({ hasText: 'Nothing is there.' }).waitFor();
    reached('/right');
    await status.filter({ hasText: 'Nothing is there.' }).waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Test Connection Shop' }).click();
    await status.filter({ hasText: 'Testing…' }).waitFor();
    reached('/right', 'Monday');
    await page.getByText('API key set on Monday').waitFor();
    late.resolve({ remedy: 'setKey', message: 'The key is wrong.' });
    await setImmediate();
    // Messages arrive in order: the next state comes after the outcome.
    reached('/right', 'Tuesday');
    await page.getByText('API key set on Tuesday').waitFor();
    assert.equal(await page.getByText('The key is wrong.').count(), 0);
  },
);

const openedScopes: unknown[] = [];

webviewTest(
  'the button of a problem opens its settings',
  { ...options, methods: { openSettings: params => void openedScopes.push(params) } },
  async ({ page, host }) => {
    const problem = { message: 'It must be a list.', scope: 'workspace' } as const;
    host.notify('state', { ...settingsStateOf(), problems: [problem] });
    await page.getByRole('button', { name: 'Open Settings It must be a list.' }).click();
    await waitUntil(() => openedScopes.length > 0, { what: 'no settings are opened' });
    assert.deepEqual(openedScopes, [{ scope: 'workspace' }]);
  },
);

webviewTest('each field has a help text, and that of the protection follows the choice', options, async opened => {
  const { page, host } = opened;
  host.notify('state', settingsStateOf(projectEntry('Shop')));
  host.notify('edit', { id: projectEntry('Shop').id });
  await page.getByText(/Default: 3$/).waitFor();
  await page.getByText('All statements run.').waitFor();
  await page.getByRole('combobox', { name: 'Protection' }).click();
  await page.getByRole('option', { name: 'Read-only' }).click();
  await page.getByText('Statements that write are refused.').waitFor();
  await page.getByRole('button', { name: 'Discard Shop' }).click();
  await page.getByText('All statements run.').waitFor();
});

webviewTest('a protected project has a sign and a name for it, and an open one has none', options, async opened => {
  const { page, host } = opened;
  const locked = texts({ name: 'Bank', protection: 'readOnly' });
  host.notify('state', settingsStateOf(projectEntry('Shop'), projectEntry('Bank', { fields: locked })));
  const heading = (name: string) => page.getByRole('heading', { name });
  await heading('Bank').getByText('Read-only').locator('svg').waitFor();
  assert.equal(await heading('Shop').locator('svg').count(), 0);
});

const quiet = { ...options, methods: { edited: () => undefined } };

webviewTest('every text has a contrast of 4.5:1 in every theme', quiet, async ({ page, host }) => {
  const locked = texts({ name: 'Bank', protection: 'readOnly', color: 'red' });
  host.notify('state', {
    ...settingsStateOf(projectEntry('Shop', { keySince: 'Monday' }), projectEntry('Bank', { fields: locked })),
    problems: [{ message: 'It must be a list.', scope: 'user' }],
  });
  host.notify('edit', { id: projectEntry('Shop').id });
  await page.getByRole('textbox', { name: 'Retries' }).first().fill('many');
  await page.getByRole('alert').filter({ hasText: 'This must be a whole number from 0 to 10.' }).waitFor();
  for (const [theme, background] of [
    ['light', '#ffffff'],
    ['dark', '#1f1f1f'],
    ['highContrast', '#000000'],
  ] as const) {
    await setTheme(page, theme);
    assert.deepEqual(await faintTexts(page, background), [], theme);
  }
});
