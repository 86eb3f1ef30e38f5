import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gated, openEditedTable, text } from '../../support/editedTable.ts';

/** Edits, undos and saves during a save. */

const table = await openEditedTable();
const { rename, names } = table;

/** A save of a new name of the first row. It waits at the service until `release` is called. */
async function beginSave(name = 'first') {
  const { project, open: release, reached } = gated(table.project);
  const opened = await table.open({ project });
  await rename(opened, 1, name);
  const saved = opened.save();
  await reached;
  return { opened, saved, release };
}

test('an edit whose rows are being read when the user saves is saved too', async () => {
  const opened = await table.open();
  const { document } = opened;
  await rename(opened, 1, 'first');
  const gate = Promise.withResolvers<void>();
  const second = document.edit('Edit', async () => {
    await gate.promise;
    return document.editing.addRow([{ column: 'name', value: text('second') }]);
  });
  const saved = opened.save();
  gate.resolve();
  await second;
  await saved;
  assert.deepEqual(await names(), ['first', 'b', 'second']);
  assert.ok(!document.isDirty);
});

test('an edit that is made during a save waits for its end, and is pending then', async () => {
  const { opened, saved, release } = await beginSave();
  const late = rename(opened, 2, 'late');
  release();
  await saved;
  assert.deepEqual(await names(), ['first', 'b']);
  await late;
  assert.equal(opened.document.editing.edits.counts.updated, 1);
});

test('a second save waits for the first one, and sends nothing again', async () => {
  const { project, open, reached } = gated(table.project);
  let writes = 0;
  const counting = {
    query: project.query,
    sql: (...call: Parameters<typeof project.sql>) => {
      writes++;
      return project.sql(...call);
    },
  };
  const opened = await table.open({ project: counting });
  await rename(opened, 1, 'first');
  const saves = [opened.save(), opened.save()];
  await reached;
  open();
  await Promise.all(saves);
  assert.equal(writes, 1);
  assert.deepEqual(await names(), ['first', 'b']);
});

test('an undo during a save is done after it, and its contrary is pending', async () => {
  const { opened, saved, release } = await beginSave();
  void opened.edits[0]!.undo();
  release();
  await saved;
  assert.deepEqual(await names(), ['first', 'b']);
  assert.equal(opened.document.editing.edits.counts.updated, 1, 'the old name is pending');
  assert.ok(opened.changeCount() > 0, 'VS Code is notified, as it has counted the edit as undone and saved');
  await opened.save();
  assert.deepEqual(await names(), ['a', 'b']);
});

test('an undo during a save that is refused takes the edit back', async () => {
  await table.execute(`CREATE UNIQUE INDEX pets_name ON pets(name)`);
  const { opened, saved, release } = await beginSave('b');
  void opened.edits[0]!.undo();
  release();
  await assert.rejects(saved, /UNIQUE/);
  assert.ok(!opened.document.isDirty);
});

test('an undo while the outcome of a save is unknown leaves the tab marked, and follows when it is known', async () => {
  const opened = await table.open();
  await rename(opened, 1, 'first');
  table.faults = ['loseAnswer'];
  await assert.rejects(opened.save(), /unknown/);
  void opened.edits[0]!.undo();
  void opened.edits[0]!.redo();
  void opened.edits[0]!.undo();
  assert.equal(opened.changeCount(), 3);
  assert.ok(opened.document.isDirty);
  await opened.checkOutcome();
  assert.deepEqual(await names(), ['first', 'b']);
  assert.equal(opened.document.editing.edits.counts.updated, 1);
  await opened.save();
  assert.deepEqual(await names(), ['a', 'b']);
});

test('edits that are discarded during a save are discarded after it, and nothing else is sent', async () => {
  const { opened, saved, release } = await beginSave();
  const reverted = opened.document.revert();
  release();
  await Promise.all([saved, reverted]);
  assert.deepEqual(await names(), ['first', 'b']);
  assert.ok(!opened.document.isDirty);
});
