import assert from 'node:assert/strict';
import { test } from 'node:test';
import { int, SavedTable, text } from '../../support/savedTable.ts';
import { startTestService } from '../../support/testService.ts';

/** Edits of tables that somebody else changes before the save, and of tables with names that a statement uses itself. */

const service = await startTestService();
const pets = ['CREATE TABLE pets(id INTEGER PRIMARY KEY, name TEXT, age INT)', `INSERT INTO pets VALUES (1, 'a', 1)`];

for (const [change, sql] of [
  ['renamed', 'ALTER TABLE pets RENAME COLUMN name TO title'],
  ['dropped', 'ALTER TABLE pets DROP COLUMN name'],
] as const) {
  test(`edits of a ${change} column are refused and marked, and nothing else is saved`, async () => {
    await using table = await SavedTable.open(service, 'pets', pets);
    await table.set([0, 'name', text('new')], [0, 'age', int(2)]);
    await table.add({ name: text('added'), age: int(9) });
    await table.run(sql);
    assert.match(await table.failingSave(), /The table no longer has a column 'name'\. Nothing was saved\./);
    assert.deepEqual(
      table.marks.map(([, column, kind]) => [column, kind]),
      [
        ['name', 'unknownColumn'],
        ['name', 'unknownColumn'],
      ],
    );
    assert.deepEqual(await table.values('SELECT id, age FROM pets'), [[1, 1]]);
    assert.deepEqual(table.document.editing.edits.counts, { updated: 1, deleted: 0, inserted: 1 });
  });
}

test('rows are not looked for by another key than the one they were edited by, in the next window either', async () => {
  await using table = await SavedTable.open(service, 'pets', pets);
  await table.delete(0);
  await table.run('DROP TABLE pets');
  await table.run('CREATE TABLE pets(id INT, age INTEGER PRIMARY KEY, name TEXT)');
  await table.run(`INSERT INTO pets VALUES (1, 1, 'a')`);
  assert.match(await table.failingSave(), /The table has another key than the one its rows were edited by/);
  assert.deepEqual(table.marks, [['[1]', undefined, 'otherKey']]);
  await using next = await table.openNext();
  await assert.rejects(next.save(), /another key/);
  assert.equal((await table.rows()).length, 1);
});

for (const name of ['edit', 'target', 'after_save', 'candidate', 'child', 'parent', 'row']) {
  test(`a table named '${name}' is edited like any other`, async () => {
    await using table = await SavedTable.open(service, name, [
      `CREATE TABLE "${name}"(id INTEGER PRIMARY KEY, edit TEXT, target TEXT UNIQUE, parent INT REFERENCES "${name}")`,
      `INSERT INTO "${name}" VALUES (1, 'a', 'x', NULL), (2, 'b', 'y', 1), (3, 'c', 'z', 1)`,
    ]);
    await table.set([0, 'target', text('y')], [1, 'target', text('w')]);
    await table.delete(2);
    await table.add({ edit: text('d') });
    await table.save();
    assert.deepEqual(await table.values(`SELECT edit, target FROM "${name}" ORDER BY id`), [
      ['a', 'y'],
      ['b', 'w'],
      ['d', null],
    ]);
    await table.set([1, 'parent', int(99)]);
    await table.failingSave();
    assert.deepEqual(table.marks, [['[2]', 'parent', 'noParent']]);
  });
}

test('a trigger writes the table that is named like a part of the statement', async () => {
  await using table = await SavedTable.open(service, 'owners', [
    'CREATE TABLE edit(n)',
    'CREATE TABLE owners(id INTEGER PRIMARY KEY, name TEXT)',
    `INSERT INTO owners VALUES (1, 'a')`,
    'CREATE TRIGGER log AFTER UPDATE ON owners BEGIN INSERT INTO edit SELECT count(*) FROM edit; END',
  ]);
  await table.set([0, 'name', text('b')]);
  await table.save();
  assert.deepEqual(await table.values('SELECT n FROM edit'), [[0]]);
});
