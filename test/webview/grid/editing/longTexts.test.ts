import assert from 'node:assert/strict';
import { cellIn, tablePageTest } from '../../../support/browsedTablePage.ts';
import { cellAt, editorOf, select } from '../../../support/editedCells.ts';
import { setTheme } from '../../../support/webviewThemes.ts';

/** Texts of several lines and JSON in the field of a cell. */

const table = (type: string, value: string): readonly string[] => [
  'DROP TABLE parts',
  `CREATE TABLE parts(id INTEGER PRIMARY KEY, name ${type})`,
  `INSERT INTO parts VALUES (1, ${value}), (2, NULL)`,
];

tablePageTest(
  'a text keeps its line ends and its NUL characters, whether a line of it is edited or not',
  async opened => {
    const { page, document, save, query } = opened;
    for (const leave of ['Tab', 'Enter']) {
      await select(opened, 0, 1);
      await page.keyboard.press('F2');
      await editorOf(opened).waitFor();
      await page.keyboard.press(leave);
      await editorOf(opened).waitFor({ state: 'detached' });
    }
    assert.ok(document.editing.edits.isEmpty, 'leaving the field changes nothing');
    await select(opened, 0, 1);
    await page.keyboard.press('F2');
    await editorOf(opened).waitFor();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('!');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('x');
    await page.keyboard.press('Alt+Enter');
    await page.keyboard.type('y');
    await page.keyboard.press('Enter');
    await page.getByText('1 row to update').waitFor();
    await save();
    assert.deepEqual(await query('SELECT hex(name) FROM parts WHERE id = 1'), [
      [Buffer.from('a\0b\r\nc!\r\nx\r\ny').toString('hex').toUpperCase()],
    ]);
  },
  { setup: table('TEXT', `'a' || char(0) || 'b' || char(13, 10) || 'c'`) },
);

tablePageTest(
  'a long text has a larger field that stays within the grid',
  async opened => {
    const { page } = opened;
    await select(opened, 0, 1);
    await page.keyboard.press('F2');
    await editorOf(opened).waitFor();
    const field = (await editorOf(opened).boundingBox())!;
    const cell = (await cellAt(opened, 0, 1).boundingBox())!;
    const grid = (await page.getByRole('grid').boundingBox())!;
    assert.ok(field.height > 5 * cell.height, `${field.height} is high enough`);
    assert.ok(field.width >= 300, `${field.width} is wide enough`);
    assert.ok(field.y >= grid.y && field.y + field.height <= grid.y + grid.height, 'it is within the grid');
  },
  { setup: table('TEXT', `replace(printf('%030d', 0), '0', 'line' || char(10))`) },
);

tablePageTest(
  'JSON is checked as it is typed, and laid out only on request',
  async opened => {
    const { page, save, query } = opened;
    await select(opened, 0, 1);
    await page.keyboard.press('F2');
    const field = editorOf(opened);
    await field.waitFor();
    await page.getByText('Valid JSON', { exact: true }).waitFor();
    assert.equal(await field.inputValue(), '{"big":9007199254740993, "a":[1,2]}');
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Backspace');
    await page.getByText('Not valid JSON, line 1, column 35: the text breaks off.').waitFor();
    assert.ok(await page.getByRole('button', { name: 'Format' }).isDisabled());
    await page.keyboard.type('}');
    await page.getByText('Valid JSON', { exact: true }).waitFor();
    await page.keyboard.press('Shift+Alt+F');
    assert.equal(await field.inputValue(), '{\n  "big": 9007199254740993,\n  "a": [\n    1,\n    2\n  ]\n}');
    await page.keyboard.press('Control+z');
    assert.equal(await field.inputValue(), '{"big":9007199254740993, "a":[1,2]}', 'it can be undone');
    await page.getByRole('button', { name: 'Minify' }).click();
    await page.keyboard.press('Enter');
    await page.getByText('1 row to update').waitFor();
    await save();
    assert.deepEqual(await query('SELECT name FROM parts WHERE id = 1'), [['{"big":9007199254740993,"a":[1,2]}']]);
  },
  { setup: table('TEXT', `'{"big":9007199254740993, "a":[1,2]}'`) },
);

tablePageTest(
  'a column that is declared as JSON checks what is typed into it, and takes it all the same',
  async opened => {
    const { page, save, query } = opened;
    await select(opened, 1, 1);
    await page.keyboard.type('[1,');
    await page.getByText('Not valid JSON, line 1, column 4: the text breaks off.').waitFor();
    await page.keyboard.press('Enter');
    await cellIn(page, '[1,').waitFor();
    await save();
    assert.deepEqual(await query('SELECT name FROM parts WHERE id = 2'), [['[1,']]);
  },
  { setup: table('JSON', `'{}'`) },
);

for (const theme of ['light', 'dark', 'highContrast'] as const) {
  tablePageTest(
    `the field of JSON in ${theme} (picture)`,
    async opened => {
      const { page } = opened;
      await setTheme(page, theme);
      await select(opened, 0, 1);
      await page.keyboard.press('F2');
      await editorOf(opened).waitFor();
      await page.keyboard.press('Shift+Alt+F');
      await page.keyboard.press('Control+End');
      await page.keyboard.press('Backspace');
      await page.getByText('Not valid JSON').waitFor();
      await opened.picture(`editing-json-${theme}`);
    },
    { setup: table('JSON', `'{"name":"Ida","tags":["a","b"],"age":7}'`) },
  );
}
