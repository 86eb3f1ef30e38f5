import assert from 'node:assert/strict';
import { test } from 'node:test';
import { int, SavedTable, text } from '../../support/savedTable.ts';
import { startTestService } from '../../support/testService.ts';

/** Rows that pass their keys on to each other, while rows of other tables refer to the keys and do not follow them. */

const service = await startTestService();

for (const action of ['', 'ON UPDATE RESTRICT']) {
  test(`parents swap their keys, and each child keeps a parent ${action}`, async () => {
    await using table = await SavedTable.open(service, 'parents', [
      `CREATE TABLE parents (id INTEGER PRIMARY KEY, name TEXT, photo, twice AS (name || name))`,
      `CREATE TABLE children (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parents ${action})`,
      `INSERT INTO parents (id, name, photo) VALUES (1, 'Ann', x'00ff'), (2, 'Bob', 1e400), (3, 'Cy', NULL), (4, 'Di', 2.5)`,
      'INSERT INTO children VALUES (10, 1), (20, 2), (30, 3)',
    ]);
    await table.set([0, 'id', int(2)], [1, 'id', int(3)], [2, 'id', int(1)]);
    await table.set([0, 'name', text('Anna')], [3, 'name', text('Dia')]);
    await table.save();
    assert.deepEqual(await table.values('SELECT id, name, quote(photo), twice FROM parents ORDER BY id'), [
      [1, 'Cy', 'NULL', 'CyCy'],
      [2, 'Anna', `X'00FF'`, 'AnnaAnna'],
      [3, 'Bob', '9.0e+999', 'BobBob'],
      [4, 'Dia', '2.5', 'DiaDia'],
    ]);
    assert.deepEqual(await table.values('SELECT * FROM children ORDER BY id'), [
      [10, 1],
      [20, 2],
      [30, 3],
    ]);
    assert.equal([...table.document.editing.edits.rows].length, 0);
  });
}

test('a row that somebody else has changed keeps all parents as they are', async () => {
  await using table = await SavedTable.open(service, 'parents', [
    'CREATE TABLE parents (code TEXT, part INTEGER, name TEXT, PRIMARY KEY (code, part)) WITHOUT ROWID',
    'CREATE TABLE children (code TEXT, part INTEGER, FOREIGN KEY (code, part) REFERENCES parents)',
    `INSERT INTO parents VALUES ('a', 1, 'Ann'), ('a', 2, 'Bob')`,
    `INSERT INTO children VALUES ('a', 1), ('a', 2)`,
  ]);
  await table.set([0, 'part', int(2)], [1, 'part', int(1)], [0, 'name', text('Anna')]);
  await table.run(`UPDATE parents SET name = 'Andy' WHERE part = 1`);
  await table.failingSave();
  assert.deepEqual(await table.values('SELECT part, name FROM parents ORDER BY part'), [
    [1, 'Andy'],
    [2, 'Bob'],
  ]);
});

test('children that follow their parents still do', async () => {
  await using table = await SavedTable.open(service, 'parents', [
    'CREATE TABLE parents (id INTEGER PRIMARY KEY, name TEXT)',
    'CREATE TABLE children (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parents ON UPDATE CASCADE)',
    `INSERT INTO parents VALUES (1, 'Ann'), (2, 'Bob')`,
    'INSERT INTO children VALUES (10, 1), (20, 2)',
  ]);
  await table.set([0, 'id', int(2)], [1, 'id', int(1)]);
  await table.save();
  assert.deepEqual(await table.values('SELECT id, parent FROM children ORDER BY id'), [
    [10, 2],
    [20, 1],
  ]);
});

test('a key that no row takes over is still refused, with the row that children refer to', async () => {
  await using table = await SavedTable.open(service, 'parents', [
    'CREATE TABLE parents (id INTEGER PRIMARY KEY, name TEXT)',
    'CREATE TABLE children (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parents)',
    `INSERT INTO parents VALUES (1, 'Ann'), (2, 'Bob')`,
    'INSERT INTO children VALUES (10, 1), (20, 2)',
  ]);
  await table.set([0, 'id', int(2)], [1, 'id', int(3)]);
  assert.match(await table.failingSave(), /FOREIGN KEY constraint failed/);
  assert.deepEqual(await table.values('SELECT id, name FROM parents ORDER BY id'), [
    [1, 'Ann'],
    [2, 'Bob'],
  ]);
});
