import assert from 'node:assert/strict';
import { alertIn, buttonIn, cellIn, tablePageTest } from '../../support/browsedTablePage.ts';
import { cellAt, editorOf, pasteText, select, type, waitUntilEditable } from '../../support/editedCells.ts';
import { waitUntil } from '../../support/workbench/waitUntil.ts';
import { setTheme, themeNames } from '../../support/webviewThemes.ts';
import { editedCells } from '../../support/pageParts.ts';

/** A table that is edited in its page, with the extension's own code and a real service behind it. */

tablePageTest('a typed value is pending until it is saved, and the next cell is active', async opened => {
  const { page, save, query } = opened;
  await type(opened, 0, 1, 'first');
  await cellIn(page, 'first').waitFor();
  await page.getByText('1 row to update').waitFor();
  await page.getByText('Row 2 · name').waitFor();
  assert.deepEqual(await query('SELECT name FROM parts WHERE id = 1'), [['part 1']]);
  await save();
  await page.getByText('1 row to update').waitFor({ state: 'hidden' });
  await cellIn(page, 'first').waitFor();
  assert.deepEqual(await query("SELECT id FROM parts WHERE name = 'first'"), [[1]]);
});

tablePageTest(
  'Tab, Escape and a click elsewhere never change a value that nobody typed',
  async opened => {
    const { page, document } = opened;
    for (const leave of ['Tab', 'Escape', 'Enter']) {
      await select(opened, 0, 1);
      await page.keyboard.press('F2');
      await editorOf(opened).waitFor();
      await page.keyboard.press(leave);
      await editorOf(opened).waitFor({ state: 'detached' });
    }
    await select(opened, 0, 1);
    await page.keyboard.press('F2');
    await editorOf(opened).waitFor();
    await cellAt(opened, 3, 0).click();
    await editorOf(opened).waitFor({ state: 'detached' });
    assert.ok(document.editing.edits.isEmpty);
  },
  { setup: ['UPDATE parts SET name = NULL WHERE id = 1'] },
);

tablePageTest(
  'Tab goes through the cells of a table, and leaves the grid at its ends and after Ctrl+M',
  async opened => {
    const { page } = opened;
    const { keyboard } = page;
    const grid = page.getByRole('grid');
    const hasFocus = (): Promise<boolean> => grid.evaluate(root => root === document.activeElement);
    await select(opened, 0, 0);
    assert.match((await grid.getAttribute('aria-description')) ?? '', /Control\+M|Ctrl\+M/);
    await keyboard.press('Tab');
    await page.getByText('Row 1 · name').waitFor();
    await keyboard.press('Tab');
    await page.getByText('Row 2 · id').waitFor();
    await keyboard.press('Shift+Tab');
    await page.getByText('Row 1 · name').waitFor();
    // In the field of the last column, too.
    await keyboard.type('x');
    await keyboard.press('Tab');
    await page.getByText('Row 2 · id').waitFor();
    await keyboard.press('Control+m');
    await page.getByRole('status').filter({ hasText: 'Tab leaves the grid' }).waitFor({ state: 'attached' });
    await keyboard.press('Shift+Tab');
    assert.equal(await hasFocus(), false);
    await keyboard.press('Tab');
    await grid.and(page.locator(':focus')).waitFor();
    await keyboard.press('Control+m');
    await page.getByRole('status').filter({ hasText: 'Tab goes to the next cell' }).waitFor({ state: 'attached' });
    await keyboard.press('Tab');
    await page.getByText('Row 2 · name').waitFor();
    await keyboard.press('Tab');
    assert.equal(await hasFocus(), false, 'after the last cell, Tab leaves the grid');
  },
  { setup: ['DELETE FROM parts WHERE id > 2'] },
);

tablePageTest('keys that a field does not use are for VS Code', async opened => {
  const { page } = opened;
  await select(opened, 0, 1);
  await page.keyboard.press('F2');
  await editorOf(opened).waitFor();
  await page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(window, { seenKeys: seen });
    // VS Code listens here.
    window.addEventListener('keydown', ({ key }) => seen.push(key));
  });
  for (const key of ['F1', 'Control+Shift+P', 'F6', 'Control+z', 'Control+Space']) await page.keyboard.press(key);
  await page.keyboard.press('Escape');
  await editorOf(opened).waitFor({ state: 'detached' });
  const seen = await page.evaluate(() => (window as unknown as { seenKeys: string[] }).seenKeys);
  assert.deepEqual(
    seen.filter(key => !['Control', 'Shift'].includes(key)),
    ['F1', 'P', 'F6'],
  );
});

tablePageTest(
  'an empty table offers to add a row and to import rows, and a new row starts at the column that must be filled',
  async opened => {
    const { page, host } = opened;
    await waitUntilEditable(opened);
    await page.getByText('No rows. Press Insert to add one, or choose Import Rows.').waitFor();
    await buttonIn(page, 'Import Rows…').click();
    await waitUntil(() => host.importTargets.length > 0, { what: 'nothing is imported' });
    assert.deepEqual(host.importTargets, ['parts']);
    await page.getByRole('grid').focus();
    await page.keyboard.press('Insert');
    await page.getByText('Row 1 · code').waitFor();
    await buttonIn(page, 'Import Rows…').waitFor({ state: 'detached' });
    await page.keyboard.type('a');
    await page.keyboard.press('Enter');
    await page.getByText('1 row to add').waitFor();
  },
  {
    setup: [
      'DROP TABLE parts',
      `CREATE TABLE parts(id INTEGER PRIMARY KEY, note TEXT, kind TEXT NOT NULL DEFAULT 'k', code TEXT NOT NULL)`,
    ],
  },
);

tablePageTest(
  'Delete sets NULL, Backspace an empty text and Shift+Delete the default',
  async opened => {
    const { page, save, query } = opened;
    await waitUntilEditable(opened);
    for (const [row, key] of ['Delete', 'Backspace', 'Shift+Delete'].entries()) {
      await cellAt(opened, row, 1).click();
      await page.keyboard.press(key);
      await page.getByText(row === 0 ? '1 row to update' : `${row + 1} rows to update`).waitFor();
    }
    await save();
    assert.deepEqual(await query('SELECT typeof(name), name FROM parts WHERE id <= 3 ORDER BY id'), [
      ['null', null],
      ['text', ''],
      ['text', '007'],
    ]);
  },
  {
    setup: [
      'DROP TABLE parts',
      `CREATE TABLE parts(id INTEGER PRIMARY KEY, name TEXT DEFAULT '007')`,
      `INSERT INTO parts VALUES (1, 'a'), (2, 'b'), (3, 'c')`,
    ],
  },
);

tablePageTest('Ctrl+S in the field of a cell takes the value and saves', async opened => {
  const { page, query } = opened;
  await select(opened, 0, 1);
  await page.keyboard.type('first');
  await page.keyboard.press('Control+s');
  await editorOf(opened).waitFor({ state: 'detached' });
  await page.getByText('1 row to update').waitFor({ state: 'hidden' });
  const isSaved = async (): Promise<boolean> =>
    (await query("SELECT count(*) FROM parts WHERE name = 'first'"))[0]?.[0] === 1;
  await waitUntil(isSaved, { what: 'the value is not saved' });
});

tablePageTest(
  'an edit changes only one of equal rows in a table without a key',
  async opened => {
    const { page, save, query } = opened;
    await select(opened, 0, 1);
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Delete');
    await alertIn(page, 'Some of these rows are equal, and the table has no key.').waitFor();
    await type(opened, 0, 1, 'one');
    await save();
    assert.deepEqual(await query('SELECT name FROM parts ORDER BY name'), [['one'], ['same']]);
  },
  { setup: ['DROP TABLE parts', 'CREATE TABLE parts(id, name)', `INSERT INTO parts VALUES (1, 'same'), (1, 'same')`] },
);

tablePageTest(
  'only the edited one of equal rows without a key shows the edit, before and after a refresh',
  async opened => {
    const { page, document, editor } = opened;
    await type(opened, 1, 1, 'one');
    await cellIn(page, 'one').waitFor();
    assert.equal(await cellIn(page, 'same').count(), 2);
    assert.equal(await cellAt(opened, 1, 1).textContent(), 'one', 'it is the row that was edited');
    assert.equal(await editedCells(page).count(), 1);
    await select(opened, 0, 1);
    await page.keyboard.press('Delete');
    await alertIn(page, 'Edit and save one of them at a time.').waitFor();
    assert.equal(document.editing.edits.counts.updated, 1);
    await editor.refreshRows();
    await cellIn(page, 'one').waitFor();
    assert.equal(await cellIn(page, 'same').count(), 2);
    await opened.save();
    await editedCells(page).waitFor({ state: 'detached' });
    // The saved value comes with the rows that are read again.
    await cellIn(page, 'one').waitFor();
    const isRead = async (): Promise<boolean> => (await cellIn(page, 'same').count()) === 2;
    await waitUntil(isRead, { what: 'the other rows have another value' });
  },
  {
    setup: [
      'DROP TABLE parts',
      'CREATE TABLE parts(id, name)',
      `INSERT INTO parts VALUES (1, 'same'), (1, 'same'), (1, 'same')`,
    ],
  },
);

tablePageTest('rows are added, duplicated and deleted, and saved together', async opened => {
  const { page, save, query } = opened;
  await select(opened, 2, 1);
  await page.keyboard.press('Control+Delete');
  await page.getByText('1 row to delete').waitFor();
  await select(opened, 0, 1);
  await page.keyboard.press('Control+Shift+D');
  await page.getByText('1 row to delete · 1 row to add').waitFor();
  await page.keyboard.press('Insert');
  await page.getByText('1 row to delete · 2 rows to add').waitFor();
  await type(opened, 0, 1, '007');
  await cellIn(page, '007').waitFor();
  await save();
  assert.deepEqual(await query('SELECT id, name FROM parts WHERE id > 5000 OR id = 3 ORDER BY id'), [
    [5001, 'part 1'],
    [5002, '007'],
  ]);
});

tablePageTest('edits are undone and made again, before and after they are saved', async opened => {
  const { edits, save, query, page } = opened;
  const nameOfFirst = () => query('SELECT name FROM parts WHERE id = 1');
  await type(opened, 0, 1, 'first');
  await edits[0]!.undo();
  await cellIn(page, 'part 1').waitFor();
  await edits[0]!.redo();
  await cellIn(page, 'first').waitFor();
  await save();
  assert.deepEqual(await nameOfFirst(), [['first']]);
  await edits[0]!.undo();
  await cellIn(page, 'part 1').waitFor();
  await save();
  assert.deepEqual(await nameOfFirst(), [['part 1']]);
});

tablePageTest('somebody else’s change of an edited row stops the save, and the user decides', async opened => {
  const { host, save, query, execute, document } = opened;
  await type(opened, 0, 1, 'mine');
  await type(opened, 1, 1, 'also mine');
  await execute(`UPDATE parts SET name = 'theirs' WHERE id = 1`);
  await assert.rejects(save(), /1 row has changed in the table since you edited it/);
  assert.deepEqual(await query('SELECT name FROM parts WHERE id <= 2 ORDER BY id'), [['theirs'], ['part 2']]);
  assert.equal(document.editing.edits.counts.updated, 2);
  host.resolve = () => new Set();
  await save();
  assert.deepEqual(await query('SELECT name FROM parts WHERE id <= 2 ORDER BY id'), [['theirs'], ['also mine']]);
});

tablePageTest('with Keep Mine, a conflict is saved over the change of somebody else', async opened => {
  const { host, save, query, execute } = opened;
  await type(opened, 0, 1, 'mine');
  await execute(`UPDATE parts SET name = 'theirs' WHERE id = 1`);
  host.resolve = conflicts => new Set(conflicts);
  await save();
  assert.deepEqual(await query('SELECT name FROM parts WHERE id = 1'), [['mine']]);
});

tablePageTest('a block is pasted over cells and adds no rows', async opened => {
  const { page, save, query } = opened;
  await select(opened, 1, 1);
  await pasteText(page, '0012\n"two\nlines"\n');
  await page.getByText('2 rows to update').waitFor();
  await save();
  assert.deepEqual(await query('SELECT name FROM parts WHERE id BETWEEN 2 AND 3 ORDER BY id'), [
    ['0012'],
    ['two\nlines'],
  ]);
  assert.deepEqual(await query('SELECT count(*) FROM parts'), [[5000]]);
});

tablePageTest('Fill Down gives selected cells the value of the first, and their figures follow', async opened => {
  const { page, save, query, host } = opened;
  await select(opened, 0, 1);
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  const figures = page.getByLabel('The selected cells');
  await figures.getByText('Distinct 3').waitFor();
  await page.keyboard.press('Control+d');
  await page.getByText('2 rows to update').waitFor();
  await figures.getByText('Distinct 1').waitFor();
  await host.onUndo(false);
  await figures.getByText('Distinct 3').waitFor();
  await host.onUndo(true);
  await page.getByText('2 rows to update').waitFor();
  await save();
  assert.deepEqual(await query('SELECT DISTINCT name FROM parts WHERE id <= 3'), [['part 1']]);
});

tablePageTest('edits stay through sorting and scrolling', async opened => {
  const { page } = opened;
  await type(opened, 0, 1, 'zzz first');
  await page.getByRole('columnheader', { name: 'id' }).click();
  await page.getByText('sorted by id').waitFor();
  await cellIn(page, 'zzz first').waitFor();
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Control+Home');
  await cellIn(page, 'zzz first').waitFor();
  await page.getByText('1 row to update').waitFor();
});

tablePageTest('edits stay through a filter, also of rows that it hides', async opened => {
  const { page, editor, document, save, query } = opened;
  await type(opened, 0, 1, 'first');
  await type(opened, 1, 1, 'second');
  await editor.navigation.show({
    columns: ['id'],
    arrangement: { sort: [], filters: [{ kind: 'equals', column: 0, text: '2' }] },
    place: { row: 0 },
  });
  await cellIn(page, 'second').waitFor();
  await cellIn(page, 'first').waitFor({ state: 'detached' });
  await page.getByText('2 rows to update').waitFor();
  await type(opened, 0, 1, 'filtered');
  assert.equal(document.editing.edits.counts.updated, 2);
  await save();
  assert.deepEqual(await query('SELECT name FROM parts WHERE id < 4 ORDER BY id'), [
    ['first'],
    ['filtered'],
    ['part 3'],
  ]);
});

tablePageTest(
  'a new row without a value that it needs stops the save before anything is written',
  async opened => {
    const { page, save, query } = opened;
    await type(opened, 0, 1, 'first');
    await page.keyboard.press('Insert');
    await page.getByText('1 row to update · 1 row to add').waitFor();
    await assert.rejects(save(), /A new row needs a value in 'name'/);
    await alertIn(page, "A new row needs a value in 'name'").waitFor();
    assert.deepEqual(await query('SELECT name FROM parts'), [['a']]);
  },
  {
    setup: [
      'DROP TABLE parts',
      'CREATE TABLE parts(id INTEGER PRIMARY KEY, name TEXT NOT NULL)',
      `INSERT INTO parts VALUES (1, 'a')`,
    ],
  },
);

tablePageTest(
  'the rows of a view are read-only, and editing says why',
  async opened => {
    const { page } = opened;
    await cellAt(opened, 0, 1).click();
    await page.keyboard.press('Delete');
    await alertIn(page, 'A view is read-only.').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: 'Record' }).waitFor();
    await opened.execute('DROP VIEW parts');
  },
  { setup: ['DROP TABLE parts', `CREATE VIEW parts AS SELECT 1 AS id, 'part 1' AS name`] },
);

for (const theme of themeNames) {
  tablePageTest(`pending edits in ${theme} (picture)`, async opened => {
    const { page } = opened;
    await setTheme(page, theme);
    await type(opened, 0, 1, 'first');
    await select(opened, 2, 1);
    await page.keyboard.press('Control+Delete');
    await page.keyboard.press('Insert');
    await page.getByText('1 row to update · 1 row to delete · 1 row to add').waitFor();
    await buttonIn(page, 'Review Changes').waitFor();
    await select(opened, 0, 1);
    await page.keyboard.type('x');
    await editorOf(opened).waitFor();
    await opened.picture(`editing-${theme}`);
  });
}
