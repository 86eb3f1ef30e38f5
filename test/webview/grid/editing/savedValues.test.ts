import assert from 'node:assert/strict';
import { cellIn, type TablePage, tablePageTest } from '../../../support/browsedTablePage.ts';
import { cellAt, select, type } from '../../../support/editedCells.ts';
import { HeldMessages } from '../../../support/heldMessages.ts';
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

/** Saves a new key of the first row, and gives its old key to the second row. */
async function saveMovedKeys(opened: TablePage): Promise<void> {
  await type(opened, 0, 0, '7001', 'id');
  await type(opened, 1, 0, '1', 'id');
  await editBar(opened.page).getByText('2 rows to update').waitFor();
  await opened.saveOnly();
  await editBar(opened.page).waitFor({ state: 'hidden' });
}

/** Edits the names of both rows, saves them, and checks that each row got its own. */
async function assertNamed(opened: TablePage): Promise<void> {
  await editBar(opened.page).getByText('2 rows to update').waitFor();
  await opened.saveOnly();
  assert.deepEqual(await opened.query('SELECT id, name FROM parts WHERE id IN (1, 2, 7001) ORDER BY id'), [
    [1, 'second'],
    [7001, 'first'],
  ]);
}

tablePageTest('an edit is for its row while the rows have not been read since a save of their keys', async opened => {
  await saveMovedKeys(opened);
  await type(opened, 0, 1, 'first');
  await type(opened, 1, 1, 'second');
  await assertNamed(opened);
});

const held = new HeldMessages();
tablePageTest(
  'an edit is for its row while the page waits for the rows after a save of their keys',
  async opened => {
    await saveMovedKeys(opened);
    held.isHolding = true;
    const refreshed = opened.editor.refreshRows();
    await select(opened, 0, 1);
    for (const name of ['first', 'second']) {
      await opened.page.keyboard.type(name);
      await opened.page.keyboard.press('Enter');
    }
    held.release();
    await refreshed;
    await assertNamed(opened);
  },
  { delivery: held },
);

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
