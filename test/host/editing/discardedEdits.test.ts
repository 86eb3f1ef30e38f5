import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openEditedTable } from '../../support/editedTable.ts';

/** Edits that the user has discarded. VS Code still knows them, and may undo them. */

const table = await openEditedTable();

test('a discarded edit is neither undone nor made again, and VS Code learns that nothing is pending', async () => {
  const opened = await table.open();
  await table.rename(opened, 1, 'mine');
  await opened.document.revert();
  await opened.edits[0]!.undo();
  await opened.edits[0]!.redo();
  assert.ok(!opened.document.isDirty);
  assert.equal(opened.emptyUndoCount(), 2);
  await table.rename(opened, 1, 'later');
  await opened.edits[0]!.undo();
  assert.equal(opened.document.editing.edits.counts.updated, 1, 'the later edit is pending');
  assert.equal(opened.emptyUndoCount(), 2);
  await opened.save();
  assert.deepEqual(await table.names(), ['later', 'b']);
});
