import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { fieldHolds } from '../../support/fieldHolds.ts';
import { settingsBridge, type TestOutcome } from '../../../src/protocol/settings.ts';
import { projectEntry, settingsStateOf, texts } from '../../support/settingsEntry.ts';
import { faintTexts } from '../../support/textContrast.ts';
import { webviewTest } from '../../support/webviewPage.ts';
import { setTheme } from '../../support/webviewThemes.ts';

const labels = {
  title: 'Projects',
  add: 'Add Project…',
  import: 'Import…',
  export: 'Export…',
  editSettings: 'Edit Projects',
  openSettings: 'Open Settings',
  noKey: 'No key set',
  keySince: 'Key set on {0}',
  setKey: 'Set Key…',
  replaceKey: 'Replace Key…',
  forgetKey: 'Forget Key',
  test: 'Test',
  copyToWorkspace: 'Copy',
  remove: 'Remove…',
  edit: 'Edit',
  save: 'Save',
  discard: 'Discard',
  unsaved: 'Not saved yet.',
  saved: 'Saved.',
  keyStays: 'The key stays.',
  duplicate: 'It is there already.',
  failed: 'It did not work.',
  'remedy.setKey': 'Set API Key',
  'remedy.issueKey': 'Issue a New Key',
  'remedy.editProject': 'Edit Project',
  'remedy.tryAgain': 'Try Again',
  'field.name': 'Name',
  'field.baseUrl': 'Base URL',
  'field.projectId': 'Project ID',
  'field.protection': 'Protection',
  'field.retries': 'Retries',
  'field.maxRows': 'Most rows here',
  'fault.badUrl': 'No address.',
  'fault.missing': 'It is needed.',
  'fault.badRetries': 'From 0 to 10.',
  'fault.badBudget': 'No number.',
  'budget.maxRows': 'Most rows',
  'protection.open': 'Open',
  'protection.readOnly': 'Read-only',
  'protectionHelp.open': 'All statements run.',
  'protectionHelp.readOnly': 'Writes are refused.',
  'help.retries': 'Default: 3',
};
const bank = (keySince?: string) => projectEntry('Bank', { keySince });
const options = { bridge: settingsBridge, labels } as const;

webviewTest('the focus stays when a key is set, replaced or forgotten', options, async opened => {
  const { page, host } = opened;
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const focused = page.locator(':focus');
  host.notify('state', settingsStateOf(projectEntry('Shop'), bank()));
  await button('Set Key… Bank').focus();
  host.notify('state', settingsStateOf(projectEntry('Shop'), bank('Monday')));
  await button('Replace Key… Bank').waitFor();
  await button('Replace Key… Bank').and(focused).waitFor();

  await button('Forget Key Bank').focus();
  host.notify('state', settingsStateOf(projectEntry('Shop'), bank()));
  await button('Set Key… Bank').and(focused).waitFor();

  host.notify('state', settingsStateOf(bank(), projectEntry('Shop')));
  await page.getByRole('listitem').first().filter({ hasText: 'Bank' }).waitFor();
  await button('Set Key… Bank').and(focused).waitFor();

  host.notify('state', settingsStateOf(projectEntry('Shop')));
  await button('Add Project…').and(focused).waitFor();
});

webviewTest('each button names its project once', options, async ({ page, host }) => {
  const local = projectEntry('Local', { scope: undefined, keySince: 'Monday' });
  host.notify('state', settingsStateOf(projectEntry('Shop'), local));
  await page.getByRole('listitem').filter({ hasText: 'Key set on Monday' }).waitFor();
  const names = (await page.locator('body').ariaSnapshot()).match(/(?<=button ").*(?=")/g);
  assert.deepEqual(names, [
    'Add Project…',
    'Import…',
    'Export…',
    'Edit Projects',
    'Set Key… Shop',
    'Test Shop',
    'Copy Shop',
    'Remove… Shop',
    'Replace Key… Local',
    'Forget Key Local',
    'Test Local',
  ]);
});

webviewTest(
  'the failure of a call shows until the next call',
  { ...options, methods: { setKey: () => Promise.reject(new Error('The storage is locked.')), add: () => undefined } },
  async ({ page, host }) => {
    host.notify('state', settingsStateOf(projectEntry('Shop')));
    await page.getByRole('button', { name: 'Set Key… Shop' }).click();
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

webviewTest('a missing label shows as its name', { bridge: settingsBridge, labels: {} }, async ({ page }) => {
  await page.getByRole('heading', { name: 'title', exact: true }).waitFor();
  await page.getByRole('button', { name: 'editSettings', exact: true }).waitFor();
});

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
    const alert = (hasText: string) => item.getByRole('alert').filter({ hasText });
    await fieldHolds(field('Name'), 'Shop');
    await item.getByRole('combobox', { name: 'Protection' }).filter({ hasText: 'Read-only' }).waitFor();

    await field('Base URL').fill('nowhere');
    await alert('No address.').waitFor();
    await item.getByRole('button', { name: 'Save Shop' }).click();
    await field('Base URL').and(page.locator(':focus')).waitFor();
    await field('Base URL').fill('http://127.0.0.1:9');
    await alert('No address.').waitFor({ state: 'detached' });

    await field('Project ID').fill('bank');
    await alert('It is there already.').waitFor();
    await field('Project ID').fill('shop');
    await field('Retries').fill('many');
    await alert('From 0 to 10.').waitFor();
    await field('Retries').fill('5');
    await field('Most rows here').fill('0');
    await alert('No number.').waitFor();
    await field('Most rows here').fill('');
    await item.getByRole('combobox', { name: 'Protection' }).click();
    await item.getByRole('option', { name: 'Open' }).click();
    assert.deepEqual(saved, []);
    await field('Retries').press('Enter');
    await item.getByRole('status').filter({ hasText: 'Saved.' }).waitFor();
    assert.deepEqual(saved, [{ id: shop.id, fields: { protection: 'open', retries: '5' } }]);
  },
);

webviewTest('unsaved texts stay when the settings change, and Discard drops them', options, async opened => {
  const { page, host } = opened;
  host.notify('state', settingsStateOf(projectEntry('Shop')));
  host.notify('edit', { id: projectEntry('Shop').id });
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  await field('Name').and(page.locator(':focus')).waitFor();
  await fieldHolds(field('Name'), 'Shop');
  await field('Name').fill('Store');
  await page.getByRole('status').filter({ hasText: 'Not saved yet.' }).waitFor();
  const changed = texts({ name: 'Market', projectId: 'shop', retries: '7' });
  host.notify('state', settingsStateOf(projectEntry('Shop', { name: 'Market', fields: changed })));
  await page.getByRole('heading', { name: 'Market' }).waitFor();
  await fieldHolds(field('Retries'), '7');
  await fieldHolds(field('Name'), 'Store');
  await field('Name').and(page.locator(':focus')).waitFor();
  await page.getByRole('button', { name: 'Discard Market' }).click();
  await fieldHolds(field('Name'), 'Market');
});

const settled: unknown[] = [];

webviewTest(
  'a project of the local service has no fields for its address',
  { ...options, methods: { save: params => void settled.push(params) } },
  async ({ page, host }) => {
    const local = projectEntry('Local', { id: 'local p1', scope: undefined, keySince: 'Monday' });
    host.notify('state', settingsStateOf(local));
    host.notify('edit', { id: local.id });
    await fieldHolds(page.getByRole('textbox', { name: 'Name', exact: true }), 'Local');
    assert.equal(await page.getByRole('textbox', { name: 'Base URL' }).count(), 0);
    assert.equal(await page.getByRole('textbox', { name: 'Project ID' }).count(), 0);
    await page.getByRole('combobox', { name: 'Protection' }).click();
    await page.getByRole('option', { name: 'Read-only' }).click();
    await page.getByRole('textbox', { name: 'Retries' }).fill('2');
    await page.getByRole('textbox', { name: 'Retries' }).press('Enter');
    await page.getByRole('status').filter({ hasText: 'Saved.' }).waitFor();
    assert.deepEqual(settled, [{ id: 'local p1', fields: { protection: 'readOnly', retries: '2' } }]);
    assert.equal(await page.getByText('The key stays.').count(), 0);
  },
);

const moved = projectEntry('Shop', { id: 'http://127.0.0.1:8 shop', fields: texts({ name: 'Shop' }) });

webviewTest(
  'a project that moves to another address keeps its form and the focus, and warns that its key stays behind',
  { ...options, methods: { save: () => undefined } },
  async ({ page, host }) => {
    host.notify('state', settingsStateOf(projectEntry('Shop', { keySince: 'Monday' })));
    host.notify('edit', { id: projectEntry('Shop').id });
    const address = page.getByRole('textbox', { name: 'Base URL' });
    await fieldHolds(address, 'http://127.0.0.1:9');
    await address.fill('http://127.0.0.1:8');
    await page.getByText('The key stays.').waitFor();
    await address.press('Enter');
    await page.getByRole('status').filter({ hasText: 'Saved.' }).waitFor();
    const fields = { ...moved.fields, baseUrl: 'http://127.0.0.1:8' };
    host.notify('state', settingsStateOf({ ...moved, fields }));
    await page.getByText('No key set').waitFor();
    await address.and(page.locator(':focus')).waitFor();
  },
);

webviewTest(
  'a failed save shows its reason and keeps the typed texts',
  { ...options, methods: { save: () => Promise.reject(new Error('The file is locked.')) } },
  async ({ page, host }) => {
    host.notify('state', settingsStateOf(projectEntry('Shop')));
    host.notify('edit', { id: projectEntry('Shop').id });
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await fieldHolds(name, 'Shop');
    await name.fill('Store');
    await name.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'The file is locked.' }).waitFor();
    await page.getByRole('status').filter({ hasText: 'Not saved yet.' }).waitFor();
    await fieldHolds(name, 'Store');
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
    await button('Test').click();
    await status.filter({ hasText: 'The key is wrong.' }).waitFor();
    await button('Set API Key').click();
    host.notify('state', settingsStateOf(projectEntry('Shop', { keySince: 'Monday' })));
    await button('Set API Key').waitFor({ state: 'detached' });
    await button('Test').and(focused).waitFor();
    assert.deepEqual(keysAsked, [{ id: projectEntry('Shop').id }]);

    await page.keyboard.press('Enter');
    await status.filter({ hasText: 'Nothing is there.' }).waitFor();
    await button('Edit Project').press('Enter');
    await page.getByRole('textbox', { name: 'Name', exact: true }).and(focused).waitFor();

    await button('Test').press('Enter');
    await status.filter({ hasText: 'Nobody answers.' }).waitFor();
    await button('Try Again').press('Enter');
    await status.filter({ hasText: 'All is well.' }).waitFor();
    await button('Test').and(focused).waitFor();
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
    await page.getByRole('button', { name: 'Test Shop' }).click();
    await status.filter({ hasText: 'Nothing is there.' }).waitFor();
    reached('/right');
    await status.filter({ hasText: 'Nothing is there.' }).waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Test Shop' }).click();
    await status.filter({ hasText: 'testing' }).waitFor();
    reached('/right', 'Monday');
    await page.getByText('Key set on Monday').waitFor();
    late.resolve({ remedy: 'setKey', message: 'The key is wrong.' });
    await setImmediate();
    // Messages arrive in order: the next state comes after the outcome.
    reached('/right', 'Tuesday');
    await page.getByText('Key set on Tuesday').waitFor();
    assert.equal(await page.getByText('The key is wrong.').count(), 0);
  },
);

const saving = Promise.withResolvers<void>();

webviewTest(
  'a text typed during a save stays unsaved',
  { ...options, methods: { save: () => saving.promise } },
  async ({ page, host }) => {
    host.notify('state', settingsStateOf(projectEntry('Shop')));
    host.notify('edit', { id: projectEntry('Shop').id });
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await fieldHolds(name, 'Shop');
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
    await page.getByRole('status').filter({ hasText: 'Not saved yet.' }).waitFor();
    await fieldHolds(name, 'Stores');
  },
);

const budgets: unknown[] = [];

webviewTest(
  'a budget is saved when the user leaves its changed field',
  { ...options, methods: { saveBudget: params => void budgets.push(params) } },
  async ({ page, host }) => {
    host.notify('state', settingsStateOf());
    const rows = page.getByRole('textbox', { name: 'Most rows' });
    await fieldHolds(rows, '1000000');
    await rows.fill('0');
    await rows.press('Tab');
    await page.getByRole('alert').filter({ hasText: 'No number.' }).waitFor();
    await rows.fill('500');
    await rows.press('Tab');
    assert.deepEqual(budgets, [{ name: 'maxRows', value: '500' }]);
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
    assert.deepEqual(openedScopes, [{ scope: 'workspace' }]);
  },
);

webviewTest('each field has a help text, and that of the protection follows the choice', options, async opened => {
  const { page, host } = opened;
  host.notify('state', settingsStateOf(projectEntry('Shop')));
  host.notify('edit', { id: projectEntry('Shop').id });
  await page.getByText('Default: 3').waitFor();
  await page.getByText('All statements run.').waitFor();
  await page.getByRole('combobox', { name: 'Protection' }).click();
  await page.getByRole('option', { name: 'Read-only' }).click();
  await page.getByText('Writes are refused.').waitFor();
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

const edits: unknown[] = [];

webviewTest(
  'the host hears of unsaved texts, and of their end',
  { ...options, methods: { edited: params => void edits.push(params), save: () => undefined } },
  async ({ page, host }) => {
    const { id } = projectEntry('Shop');
    host.notify('state', settingsStateOf(projectEntry('Shop')));
    host.notify('edit', { id });
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await fieldHolds(name, 'Shop');
    await name.fill('Store');
    await page.getByRole('button', { name: 'Discard Shop' }).click();
    await fieldHolds(name, 'Shop');
    await name.fill('Market');
    await name.press('Enter');
    await page.getByRole('status').filter({ hasText: 'Saved.' }).waitFor();
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
    await fieldHolds(item.getByRole('textbox', { name: 'Name', exact: true }), 'Store');
    await fieldHolds(item.getByRole('textbox', { name: 'Retries' }), '7');
    await item.getByRole('status').filter({ hasText: 'Not saved yet.' }).waitFor();
    await item.getByRole('button', { name: 'Discard Shop' }).click();
    await fieldHolds(item.getByRole('textbox', { name: 'Name', exact: true }), 'Shop');
  },
);

const quiet = { ...options, methods: { edited: () => undefined } };

webviewTest('every text has a contrast of 4.5:1 in every theme', quiet, async ({ page, host }) => {
  const locked = texts({ name: 'Bank', protection: 'readOnly', color: 'red' });
  host.notify('state', {
    ...settingsStateOf(projectEntry('Shop', { keySince: 'Monday' }), projectEntry('Bank', { fields: locked })),
    problems: [{ message: 'It must be a list.', scope: 'user' }],
  });
  host.notify('edit', { id: projectEntry('Shop').id });
  await page.getByRole('textbox', { name: 'Retries' }).first().fill('many');
  await page.getByRole('alert').filter({ hasText: 'From 0 to 10.' }).waitFor();
  for (const [theme, background] of [
    ['light', '#ffffff'],
    ['dark', '#1f1f1f'],
    ['highContrast', '#000000'],
  ] as const) {
    await setTheme(page, theme);
    assert.deepEqual(await faintTexts(page, background), [], theme);
  }
});
