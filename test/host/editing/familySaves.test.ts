import assert from 'node:assert/strict';
import { test } from 'node:test';
import { int, SavedTable, text } from '../../support/savedTable.ts';
import { startTestService } from '../../support/testService.ts';

/** Rows of one save that refer to each other. */

const service = await startTestService();
const tree = 'CREATE TABLE tree (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES tree, name TEXT, note TEXT)';
/** Two rows of such a size take statements of their own. */
const long = (letter: string) => text(letter.repeat(2_500_000));

test('new rows are stored whichever comes first, also when parents and children have values in other columns', async () => {
  await using table = await SavedTable.open(service, 'tree', [tree]);
  await table.add({ id: int(1), parent: int(2), name: text('grandchild') });
  await table.add({ id: int(2), parent: int(3) });
  await table.add({ id: int(3), name: text('root') });
  await table.add({ id: int(4), parent: int(4) });
  await table.save();
  assert.deepEqual(await table.values('SELECT id, parent FROM tree ORDER BY id'), [
    [1, 2],
    [2, 3],
    [3, null],
    [4, 4],
  ]);
});

test('rows that are divided among statements because of their size are stored and deleted all the same', async () => {
  await using table = await SavedTable.open(service, 'tree', [tree]);
  await table.add({ id: int(1), parent: int(2), name: long('a') });
  await table.add({ id: int(2), parent: int(3), name: long('b') });
  await table.add({ id: int(3), parent: int(3), name: long('c') });
  await table.save();
  assert.deepEqual(await table.values('SELECT id, parent FROM tree ORDER BY id'), [
    [1, 2],
    [2, 3],
    [3, 3],
  ]);
});

test('rows that refer to each other in a circle are stored together', async () => {
  await using table = await SavedTable.open(service, 'tree', [tree]);
  await table.add({ id: int(1), parent: int(2), name: text('a') });
  await table.add({ id: int(2), parent: int(1), name: text('b') });
  await table.save();
  assert.deepEqual(await table.values('SELECT id, parent FROM tree ORDER BY id'), [
    [1, 2],
    [2, 1],
  ]);
  await table.delete(0, 1);
  await table.save();
  assert.deepEqual(await table.values(), []);
});

test('a save that no order of the statements fits is stopped and reported, and its edits can be saved in parts', async () => {
  await using table = await SavedTable.open(service, 'tree', [
    'CREATE TABLE tree (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES tree, name TEXT NOT NULL UNIQUE)',
    `INSERT INTO tree VALUES (1, NULL, 'root'), (2, 1, 'branch')`,
  ]);
  // The branch can have the name only when the root is gone, which can go only when the branch no longer refers to it.
  await table.delete(0);
  await table.set([1, 'name', text('root')], [1, 'parent', { kind: 'null' }]);
  assert.match(
    await table.failingSave(),
    /^1 row was not deleted: FOREIGN KEY constraint failed\. Nothing was saved\.$/,
  );
  assert.deepEqual(table.document.editing.edits.counts, { updated: 1, deleted: 1, inserted: 0 });
  await table.document.revert();
  await table.set([1, 'parent', { kind: 'null' }]);
  await table.save();
  await table.delete(0);
  await table.set([1, 'name', text('root')]);
  await table.save();
  assert.deepEqual(await table.values(), [[2, null, 'root']]);
});
