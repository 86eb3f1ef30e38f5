import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SavedTable, text } from '../../support/savedTable.ts';
import { startTestService } from '../../support/testService.ts';

/** Deleted rows with values that are too long to be kept with the edit. */

const service = await startTestService();
const long = 'ä'.repeat(12_000);

const notes = (second: string): string[] => [
  'CREATE TABLE notes(id INTEGER PRIMARY KEY, title TEXT, body)',
  `INSERT INTO notes VALUES (1, 'short', 'text'), (2, 'long', ${second})`,
];

test('a long value that has another size now is a conflict of its row', async () => {
  await using table = await SavedTable.open(service, 'notes', notes(`'${long}'`));
  await table.delete(1);
  await table.run(`UPDATE notes SET body = body || '!' WHERE id = 2`);
  table.host.deletesForGood = true;
  assert.match(await table.failingSave(), /1 row has changed in the table/);
  assert.deepEqual(table.marks, [['[2]', 'body', 'conflict']]);
  // The user deletes it anyway, and may change their mind afterwards.
  table.host.resolve = conflicts => new Set(conflicts);
  await table.save();
  assert.deepEqual(await table.values('SELECT id FROM notes'), [[1]]);
});

test('a long value that begins otherwise now is a conflict of its row', async () => {
  await using table = await SavedTable.open(service, 'notes', notes(`'${long}'`));
  await table.delete(1);
  await table.run(`UPDATE notes SET body = 'ö' || substr(body, 2) WHERE id = 2`);
  table.host.deletesForGood = true;
  assert.match(await table.failingSave(), /1 row has changed in the table/);
  assert.deepEqual(table.marks, [['[2]', 'body', 'conflict']]);
});

test('a row with a long text that is not UTF-8 is deleted', async () => {
  await using table = await SavedTable.open(service, 'notes', notes(`'a' || CAST(x'ff' AS TEXT) || '${long}'`));
  table.host.deletesForGood = true;
  await table.delete(1);
  await table.save();
  assert.deepEqual(await table.values('SELECT id FROM notes'), [[1]]);
});

test('the deletion of a row with a long value is confirmed, and undoing inserts no row without it', async () => {
  await using table = await SavedTable.open(service, 'notes', notes('zeroblob(10001)'));
  await table.delete(0, 1);
  await assert.rejects(table.save());
  assert.deepEqual(table.host.unrestorable, [1]);
  assert.equal((await table.run('SELECT id FROM notes')).length, 2);
  table.host.deletesForGood = true;
  await table.save();
  assert.deepEqual(await table.values('SELECT id FROM notes'), []);
  await table.opened.edits.at(-1)!.undo();
  assert.equal(table.document.problem, '1 deleted row does not come back: its values were too long to be kept.');
  await table.save();
  assert.deepEqual(await table.values('SELECT id, title FROM notes'), [[1, 'short']]);
});

test('an undone new row is deleted together with another row', async () => {
  await using table = await SavedTable.open(service, 'notes', notes(`'x'`));
  await table.add({ title: text('new') });
  await table.save();
  await table.opened.edits[0]!.undo();
  await table.delete(0);
  await table.save();
  assert.deepEqual(await table.values('SELECT id FROM notes'), [[2]]);
});
