import assert from 'node:assert/strict';
import { alertIn, cellIn, type TablePage, tablePageTest } from '../../../support/browsedTablePage.ts';
import { cellAt, editorOf, pasteText, select, type, waitUntilTaken } from '../../../support/editedCells.ts';
import { editBar, messagesIn, problemCells } from '../../../support/pageParts.ts';
import { setTheme } from '../../../support/webviewThemes.ts';

/** Texts that a column refuses. They stay in their cells as problems. */

const notInteger = "'id' takes an integer of 64 bits.";

const markedAt = (opened: TablePage, row: number, column: number) =>
  cellAt(opened, row, column).and(problemCells(opened.page));

tablePageTest('a refused text is a problem of its cell, and blocks the save until Escape', async opened => {
  const { page, save, query, document } = opened;
  await type(opened, 0, 1, 'first');
  await type(opened, 1, 0, 'x7', 'id');
  await alertIn(page, notInteger).waitFor();
  await page.getByText('Row 3 · id').waitFor();
  await markedAt(opened, 1, 0).getByText('x7').waitFor();
  await editBar(page).getByText('1 problem', { exact: true }).waitFor();
  await assert.rejects(save(), /Nothing was saved, because of the text 'x7'\. 'id' takes an integer/);
  assert.deepEqual(await query('SELECT name FROM parts WHERE id = 1'), [['part 1']]);
  await page.keyboard.press('F8');
  await page.getByText('Row 2 · id').waitFor();
  await page.keyboard.press('Escape');
  await problemCells(page).waitFor({ state: 'detached' });
  assert.equal(await cellAt(opened, 1, 0).textContent(), '2');
  assert.ok(document.isDirty, 'the other edit stays');
  await save();
  assert.deepEqual(await query('SELECT name FROM parts WHERE id = 1'), [['first']]);
});

tablePageTest('a refused text is edited where it was left off, and undone like an edit', async opened => {
  const { page, save, query } = opened;
  await type(opened, 1, 0, '6001', 'id');
  await type(opened, 1, 0, '60o2', 'id');
  await markedAt(opened, 1, 0).waitFor();
  await page.keyboard.press('Control+z');
  await problemCells(page).waitFor({ state: 'detached' });
  await cellIn(page, '6001').waitFor();
  await page.keyboard.press('Control+y');
  await markedAt(opened, 1, 0).getByText('60o2').waitFor();
  await select(opened, 1, 0);
  await page.keyboard.press('F2');
  const field = editorOf(opened, 'id');
  await field.waitFor();
  assert.equal(await field.inputValue(), '60o2');
  await field.fill('6002');
  await page.keyboard.press('Enter');
  await problemCells(page).waitFor({ state: 'detached' });
  await save();
  assert.deepEqual(await query("SELECT id FROM parts WHERE name = 'part 2'"), [[6002]]);
});

tablePageTest('a new row keeps a refused text, which goes with the row and comes back with it', async opened => {
  const { page } = opened;
  await select(opened, 0, 0);
  await page.keyboard.press('Insert');
  await page.getByText('1 row to add').waitFor();
  await type(opened, 0, 0, 'x', 'id');
  await markedAt(opened, 0, 0).getByText('x').waitFor();
  await select(opened, 0, 0);
  await page.keyboard.press('Control+Delete');
  await editBar(page).waitFor({ state: 'hidden' });
  await page.keyboard.press('Control+z');
  await markedAt(opened, 0, 0).getByText('x').waitFor();
});

tablePageTest('a typed text that all selected cells get stays where a column refuses it', async opened => {
  const { page, save, edits } = opened;
  await select(opened, 0, 1);
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.type('x');
  await page.keyboard.press('Control+Enter');
  await alertIn(page, notInteger).waitFor();
  await markedAt(opened, 0, 0).getByText('x').waitFor();
  await cellAt(opened, 0, 1).getByText('x').waitFor();
  await assert.rejects(save(), /because of the text 'x'/);
  await edits[0]!.undo();
  await cellIn(page, 'part 1').waitFor();
  assert.equal(edits.length, 1, 'one undo takes both back');
});

tablePageTest('a paste with a refused value pastes the others, marks its cell and is undone at once', async opened => {
  const { page, save, query, edits, document } = opened;
  await select(opened, 0, 0);
  await pasteText(page, '7001\tone\nx2\ttwo\n7003\tthree\n');
  await alertIn(page, notInteger).waitFor();
  await markedAt(opened, 1, 0).getByText('x2').waitFor();
  assert.equal(await problemCells(page).count(), 1);
  await cellIn(page, 'two').waitFor();
  await assert.rejects(save(), /because of the text 'x2'/);
  assert.deepEqual(await query('SELECT count(*) FROM parts WHERE id > 7000'), [[0]]);
  assert.equal(edits.length, 1);
  await edits[0]!.undo();
  await problemCells(page).waitFor({ state: 'detached' });
  assert.ok(!document.isDirty);
  await edits[0]!.redo();
  await type(opened, 1, 0, '7002', 'id');
  await problemCells(page).waitFor({ state: 'detached' });
  await save();
  assert.deepEqual(await query('SELECT id, name FROM parts WHERE id > 7000 ORDER BY id'), [
    [7001, 'one'],
    [7002, 'two'],
    [7003, 'three'],
  ]);
});

tablePageTest('a text whose row has changed meanwhile stays in its cell, with the reason', async opened => {
  const { page, execute, document, editor, save, query } = opened;
  await select(opened, 0, 1);
  await execute(`UPDATE parts SET name = 'theirs' WHERE id = 1`);
  await page.keyboard.type('mine');
  await page.keyboard.press('Enter');
  await alertIn(page, 'A row has changed since it was loaded.').waitFor();
  await markedAt(opened, 0, 1).getByText('mine').waitFor();
  assert.ok(document.editing.edits.isEmpty);
  await editor.refreshRows();
  await waitUntilTaken(page);
  await select(opened, 0, 1);
  await page.keyboard.press('F2');
  await editorOf(opened).waitFor();
  await page.keyboard.press('Enter');
  await problemCells(page).waitFor({ state: 'detached' });
  await save();
  assert.deepEqual(await query('SELECT name FROM parts WHERE id = 1'), [['mine']]);
});

tablePageTest('F8 finds a refused text that is not loaded, and offers to revert one without a row', async opened => {
  const { page, execute, editor, document } = opened;
  await type(opened, 1, 0, 'x7', 'id');
  await markedAt(opened, 1, 0).waitFor();
  await page.getByRole('columnheader', { name: 'id' }).click();
  await page.getByText('sorted by id').waitFor();
  await page.getByRole('columnheader', { name: 'id' }).click();
  await cellIn(page, 'part 5000').waitFor();
  await select(opened, 0, 1);
  await page.keyboard.press('F8');
  await page.getByText('Row 4,999 · id').waitFor();
  await cellIn(page, 'x7').and(problemCells(page)).waitFor();
  await execute('DELETE FROM parts WHERE id = 2');
  await editor.refreshRows();
  await cellIn(page, 'x7').waitFor({ state: 'detached' });
  await page.keyboard.press('F8');
  await editBar(page).waitFor({ state: 'hidden' });
  assert.ok(!document.isDirty);
});

for (const theme of ['light', 'dark', 'highContrast'] as const) {
  tablePageTest(`a refused text in ${theme} (picture)`, async opened => {
    const { page } = opened;
    await setTheme(page, theme);
    await type(opened, 0, 1, 'fine');
    await type(opened, 1, 0, 'x7', 'id');
    await markedAt(opened, 1, 0).waitFor();
    await page.keyboard.press('F8');
    await messagesIn(page).getByText(notInteger).waitFor();
    await opened.picture(`editing-refused-${theme}`);
  });
}
