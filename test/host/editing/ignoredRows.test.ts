import assert from 'node:assert/strict';
import { test } from 'node:test';
import { int, SavedTable, text } from '../../support/savedTable.ts';
import { startTestService } from '../../support/testService.ts';

/** Saves that triggers or constraints of the database ignore in part. */

const service = await startTestService();
const { reviewText } = await import('../../../src/host/editing/reviewEdits.ts');

const locked = [
  'CREATE TABLE pets(id INTEGER PRIMARY KEY, name TEXT, locked INT)',
  `INSERT INTO pets VALUES (1, 'a', 0), (2, 'b', 1), (3, 'c', 0)`,
  'CREATE TRIGGER keep BEFORE DELETE ON pets WHEN old.locked BEGIN SELECT RAISE(IGNORE); END',
  'CREATE TRIGGER lock BEFORE UPDATE ON pets WHEN old.locked BEGIN SELECT RAISE(IGNORE); END',
  `CREATE TRIGGER refuse BEFORE INSERT ON pets WHEN new.name = 'x' BEGIN SELECT RAISE(IGNORE); END`,
];

test('the review says that triggers may leave rows as they are, and only of a table that has triggers', async () => {
  const said = /^-- But the table has triggers, and a trigger can leave single rows as they are\./m;
  for (const script of [locked, locked.filter(sql => !sql.startsWith('CREATE TRIGGER'))]) {
    await using table = await SavedTable.open(service, 'pets', script);
    await table.set([0, 'name', text('new')]);
    assert.equal(said.test(await reviewText(table.document)), script === locked);
  }
});

test('an update that a trigger ignores stays pending, and the message names the rows', async () => {
  await using table = await SavedTable.open(service, 'pets', locked);
  await table.set([0, 'name', text('new')], [1, 'name', text('new')], [2, 'name', text('new')]);
  assert.equal(
    await table.failingSave(),
    '2 of 3 rows were updated (1; 3). The database has left the others as they were (2). A trigger may have ignored them. Their edits are pending.',
  );
  assert.deepEqual(await table.values('SELECT id, name FROM pets ORDER BY id'), [
    [1, 'new'],
    [2, 'b'],
    [3, 'new'],
  ]);
  assert.deepEqual(table.marks, [['[2]', undefined, 'ignored']]);
  assert.deepEqual(table.document.editing.edits.counts, { updated: 1, deleted: 0, inserted: 0 });
  assert.match(await table.failingSave(), /changed no row, although all of them are as they were/);
});

test('a deletion that a trigger ignores stays pending, and undoing brings only deleted rows back', async () => {
  await using table = await SavedTable.open(service, 'pets', locked);
  await table.delete(0, 1);
  assert.match(await table.failingSave(), /^1 of 2 rows were deleted \(1\)\. The database has kept the others \(2\)\./);
  assert.deepEqual(await table.values('SELECT id FROM pets ORDER BY id'), [[2], [3]]);
  await table.opened.edits.at(-1)!.undo();
  assert.deepEqual(table.document.editing.edits.counts, { updated: 0, deleted: 0, inserted: 1 });
  await table.save();
  assert.deepEqual(await table.values(), [
    [1, 'a', 0],
    [2, 'b', 1],
    [3, 'c', 0],
  ]);
});

test('a new row that a trigger leaves out stays pending, and the others get their own keys', async () => {
  await using table = await SavedTable.open(service, 'pets', locked);
  for (const name of ['y', 'x', 'z']) await table.add({ name: text(name) });
  assert.match(
    await table.failingSave(),
    /^2 of 3 rows were added \(\d; \d\)\. The database has left the others out \(new row 1\)\./,
  );
  assert.deepEqual(
    table.document.editing.edits.inserted.map(({ values }) => values),
    [[{ column: 'name', value: text('x') }]],
  );
  // The first added row is undone last.
  await table.opened.edits[0]!.undo();
  const undone = [...table.document.editing.edits.rows].find(({ kind }) => kind === 'delete');
  const [y] = await table.run(`SELECT id FROM pets WHERE name = 'y'`);
  assert.deepEqual(undone?.kind === 'delete' && undone.key, [int(y!['id'] as number)]);
});

test('rows that a cascade deletes with others count as deleted', async () => {
  await using table = await SavedTable.open(service, 'tree', [
    'CREATE TABLE tree(id INTEGER PRIMARY KEY, parent INT REFERENCES tree ON DELETE CASCADE)',
    'INSERT INTO tree VALUES (1, NULL), (2, 1), (3, 2)',
  ]);
  await table.delete(0, 1, 2);
  await table.save();
  assert.deepEqual(await table.values(), []);
  assert.ok(!table.document.isDirty);
});

test('a constraint with ON CONFLICT IGNORE keeps the whole statement from being saved', async () => {
  await using table = await SavedTable.open(service, 'codes', [
    'CREATE TABLE codes(id INTEGER PRIMARY KEY, code TEXT UNIQUE ON CONFLICT IGNORE)',
    `INSERT INTO codes VALUES (1, 'x')`,
  ]);
  await table.add({ code: text('x') });
  await table.add({ code: text('z') });
  assert.match(await table.failingSave(), /2 rows were not added: UNIQUE constraint failed: codes\.code/);
  assert.deepEqual(await table.values(), [[1, 'x']]);
  assert.equal(table.document.editing.edits.counts.inserted, 2);
});

test('a constraint with ON CONFLICT REPLACE replaces no other row', async () => {
  await using table = await SavedTable.open(service, 'codes', [
    'CREATE TABLE codes(id INTEGER PRIMARY KEY, code TEXT UNIQUE /* as the last */ ON /* one */ CONFLICT REPLACE, note TEXT)',
    `INSERT INTO codes VALUES (1, 'x', 'precious'), (2, 'y', 'other')`,
  ]);
  await table.set([1, 'code', text('x')]);
  assert.match(await table.failingSave(), /1 row was not updated: UNIQUE constraint failed: codes\.code/);
  assert.equal((await table.values()).length, 2);
});

test('a trigger that was made after the table was read is seen by the save', async () => {
  await using table = await SavedTable.open(service, 'pets', locked.slice(0, 2));
  await table.set([0, 'name', text('new')], [1, 'name', text('new')]);
  await table.run(locked[3]!);
  assert.match(await table.failingSave(), /^1 of 2 rows were updated \(1\)\./);
});

test('values that a trigger changes after the save are reported, with their rows and columns', async () => {
  await using table = await SavedTable.open(service, 'pets', [
    ...locked.slice(0, 2),
    'CREATE TRIGGER tidy AFTER UPDATE OF name ON pets BEGIN UPDATE pets SET name = upper(name) WHERE id = new.id; END',
  ]);
  await table.set([0, 'name', text('new')], [0, 'locked', int(1)], [1, 'name', text('LOUD')]);
  await table.save();
  assert.deepEqual(table.host.outcomes, [
    'The table has other values than were saved in these cells: 1 · name. A trigger may have changed them. Refresh the table to see them.',
  ]);
  assert.ok(!table.document.isDirty);
});
