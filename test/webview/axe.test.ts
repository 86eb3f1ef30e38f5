import assert from 'node:assert/strict';
import type { TabView } from '../../src/protocol/results.ts';
import { settingsBridge } from '../../src/protocol/settings.ts';
import { assertAccessible, checkedThemes } from '../support/axe.ts';
import { tablePageTest } from '../support/browsedTablePage.ts';
import { button, designPageTest } from '../support/designPage.ts';
import { editorOf, select, type } from '../support/editedCells.ts';
import { faintBorders } from '../support/faintBorders.ts';
import { type GridContent, gridTest } from '../support/gridPage.ts';
import { deletedRows, editBar } from '../support/pageParts.ts';
import { redPng } from '../support/redPng.ts';
import { resultView } from '../support/resultView.ts';
import { projectEntry, settingsStateOf } from '../support/settingsEntry.ts';
import { webviewTest } from '../support/webviewPage.ts';
import { setTheme } from '../support/webviewThemes.ts';

/** axe-core in every page and in each of its states, in the four kinds of themes. */

const text = (value: string) => ({ kind: 'text', text: value }) as const;
const content: GridContent = {
  columns: [
    { name: 'id', type: 'INTEGER', isKey: true },
    { name: 'name', type: 'TEXT' },
    { name: 'picture', type: 'BLOB' },
    { name: 'note', type: 'TEXT' },
  ],
  rowCount: 60,
  valueAt: (row, column) =>
    column === 0
      ? { kind: 'integer', text: String(row + 1) }
      : ([text(row % 3 === 0 ? '' : 'Ada'), text(redPng()), { kind: 'null' }] as const)[column - 1]!,
  answers: {
    values: () => ({
      values: [
        { text: null, count: 12 },
        { text: 'Ada', count: 3 },
      ],
    }),
    find: () => ({ count: 2, place: { index: 0, row: 1, column: 1 } }),
  },
};

const planView = resultView({ runId: 'plan', actions: ['copyPlan', 'rerun'] });

const tabOf = (runId: string, title: string): TabView => ({
  runId,
  title,
  statement: `SELECT * FROM ${title}`,
  project: 'Shop',
  color: 'blue',
  protection: 'open',
  state: 'done',
  rowCount: 60,
  values: [],
  isPinned: runId === 'a',
  isPlan: false,
  isRenamed: false,
  startedAt: 1_700_000_000_000,
});

gridTest('axe finds nothing in the results, their record, menus and forms', content, async grid => {
  const { page } = grid;
  const { keyboard } = page;
  const actions = ['rerun', 'export', 'pin', 'openInEditor', 'goToStatement'] as const;
  grid.opened.host.notify('tabs', { tabs: [tabOf('a', 'customers'), tabOf('b', 'orders')], active: 'a' });
  grid.show({ actions, color: 'blue', columns: content.columns, showsTypes: true, showsFilterRow: true });
  await page.getByRole('textbox', { name: 'Filter name' }).waitFor();
  grid.arrange({ sort: [{ column: 0, descending: true }], filters: [{ kind: 'range', column: 0, from: '1' }] });
  await page.getByRole('button', { name: /^Clear Filter/ }).waitFor();
  await grid.cell(1, 1).click();
  await grid.cell(4, 2).click({ modifiers: ['Shift'] });
  await page.getByText('Sum 9007199254740993').waitFor();
  await keyboard.press('Control+f');
  await keyboard.type('Ada');
  await page.getByText('1 of 2').waitFor();
  await assertAccessible(page, 'the rows');
  await keyboard.press('Escape');
  await grid.cell(1, 1).click();
  await keyboard.press('Space');
  await page.getByRole('complementary', { name: 'Record' }).getByText('NULL').waitFor();
  await assertAccessible(page, 'the record');
  await keyboard.press('Escape');
  await keyboard.press('Alt+ArrowDown');
  await page.getByRole('menuitem', { name: 'Column', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Hide Column' }).waitFor();
  await assertAccessible(page, 'the menus of a column');
  await keyboard.press('Escape');
  await page.getByRole('menuitem', { name: 'Filter by Values…' }).click();
  await page.getByRole('option', { name: 'Ada 3 rows' }).click();
  await assertAccessible(page, 'the list of values');
  await keyboard.press('Escape');
  grid.show({ state: 'failed', problem: 'no such table: nothing', code: 'sql_error', actions: ['goToError', 'retry'] });
  await page.getByRole('button', { name: 'Go to Error' }).waitFor();
  await assertAccessible(page, 'an error');
  const plan = [{ detail: 'SCAN customers', step: 'scan', depth: 0 }] as const;
  grid.opened.host.notify('view', { view: { ...planView, plan } });
  await page.getByRole('treeitem').waitFor();
  await assertAccessible(page, 'a query plan');
  const field = { name: 'id', context: 'WHERE id = ?', type: 'integer', hasColumnType: true, value: null } as const;
  grid.opened.host.notify('form', { form: { id: 'form', title: 'Shop: 1 value', fields: [field], recent: [] } });
  await page.getByRole('textbox', { name: 'id' }).press('Enter');
  await page.getByText('Enter a value.').waitFor();
  await assertAccessible(page, 'the form of the parameters');
});

tablePageTest(
  'axe finds nothing in a table with edits and problems',
  async opened => {
    const { page } = opened;
    await type(opened, 1, 1, 'much too long a name');
    await assert.rejects(opened.save());
    await type(opened, 0, 1, 'fine');
    await select(opened, 3, 1);
    await page.keyboard.press('Control+Delete');
    await deletedRows(page).waitFor();
    await page.getByText('1 problem', { exact: true }).waitFor();
    await editBar(page).waitFor();
    await assertAccessible(page, 'the edits');
    await select(opened, 2, 1);
    await page.keyboard.press('F2');
    await editorOf(opened).waitFor();
    await assertAccessible(page, 'the field of a cell');
  },
  {
    setup: [
      'DROP TABLE parts',
      'CREATE TABLE parts(id INTEGER PRIMARY KEY, name TEXT CONSTRAINT short CHECK (length(name) < 10))',
      `INSERT INTO parts VALUES (1, 'one'), (2, 'two'), (3, 'three'), (4, 'four'), (5, 'five')`,
    ],
    trail: { labels: ['makers', 'parts'], index: 1 },
  },
);

designPageTest(
  'axe finds nothing in the designer',
  {
    setup: [
      'CREATE TABLE regions(code TEXT PRIMARY KEY, title TEXT)',
      'CREATE TABLE customers(id INTEGER PRIMARY KEY, region TEXT REFERENCES regions(code), CHECK (id > 0))',
      'CREATE INDEX by_region ON customers(region)',
    ],
    table: 'customers',
  },
  async ({ page }) => {
    await page.getByRole('textbox', { name: 'Name of region', exact: true }).fill('');
    await page.getByText('Enter a name.').first().waitFor();
    await assertAccessible(page, 'a fault');
    await page.getByRole('textbox', { name: 'Name of 2', exact: true }).fill('area');
    await button(page, 'Details of area').click();
    await assertAccessible(page, 'the details of a column');
  },
);

const settings = { bridge: settingsBridge, methods: { edited: () => undefined } };
webviewTest('axe finds nothing in the page of the projects', settings, async ({ page, host }) => {
  const shop = projectEntry('Shop');
  host.notify('state', settingsStateOf(shop, projectEntry('Bank', { keySince: 'Monday' })));
  host.notify('edit', { id: shop.id });
  await page.getByRole('textbox', { name: 'Address' }).fill('nowhere');
  await assertAccessible(page, 'the form of a project');
  for (const theme of checkedThemes) {
    await setTheme(page, theme);
    assert.deepEqual(await faintBorders(page), [], theme);
  }
});
