import assert from 'node:assert/strict';
import { cellIn, tablePageTest } from '../../../support/browsedTablePage.ts';
import { cellAt, select, type } from '../../../support/editedCells.ts';
import { deletedRows, editBar, editedCells } from '../../../support/pageParts.ts';

/** The grid between a save and the reading of the rows after it. */

tablePageTest('saved values, a saved key and a deleted row stay until the rows are read again', async opened => {
  const { page, editor, execute, saveOnly, query } = opened;
  await type(opened, 0, 1, 'first');
  await type(opened, 1, 0, '6001', 'id');
  await type(opened, 1, 1, 'moved');
  await select(opened, 2, 1);
  await page.keyboard.press('Control+Delete');
  await editBar(page).getByText('2 rows to update · 1 row to delete').waitFor();
  await saveOnly();
  await editBar(page).waitFor({ state: 'hidden' });
  await editedCells(page).first().waitFor({ state: 'detached' });
  assert.equal(await cellAt(opened, 0, 1).textContent(), 'first');
  assert.equal(await cellAt(opened, 1, 0).textContent(), '6001');
  assert.equal(await cellAt(opened, 1, 1).textContent(), 'moved');
  assert.equal(await deletedRows(page).count(), 1);
  assert.deepEqual(await query(`SELECT name FROM parts WHERE id IN (1, 2, 3, 6001) ORDER BY id`), [
    ['first'],
    ['moved'],
  ]);
  await execute(`UPDATE parts SET name = 'theirs' WHERE id = 1`);
  await editor.refreshRows();
  await cellIn(page, 'theirs').waitFor();
  await deletedRows(page).waitFor({ state: 'detached' });
  assert.equal(await cellAt(opened, 1, 0).textContent(), '4');
});

tablePageTest(
  'only the saved one of equal rows without a key shows its value before it is read again',
  async opened => {
    const { page, saveOnly } = opened;
    await type(opened, 1, 1, 'one');
    await cellIn(page, 'one').waitFor();
    await saveOnly();
    await editedCells(page).waitFor({ state: 'detached' });
    assert.equal(await cellAt(opened, 1, 1).textContent(), 'one');
    assert.equal(await cellIn(page, 'same').count(), 2);
  },
  {
    setup: [
      'DROP TABLE parts',
      'CREATE TABLE parts(id, name)',
      `INSERT INTO parts VALUES (1, 'same'), (1, 'same'), (1, 'same')`,
    ],
  },
);

tablePageTest('a save that the user cancels is no error', async ({ editor, host }) => {
  // VS Code's window passes on only the name of the error.
  host.onSave = () => Promise.reject(Object.assign(new Error('Canceled'), { name: 'Canceled' }));
  await editor.save();
  host.onSave = () => Promise.reject(new Error('The disk is full.'));
  await assert.rejects(editor.save(), { message: 'The disk is full.' });
});
