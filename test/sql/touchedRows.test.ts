import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { touchedRowsQuery } from '../../src/sql/touchedRows.ts';

const database = new DatabaseSync(':memory:');
database.exec(`CREATE TABLE "a b" (id INTEGER PRIMARY KEY, c, d);
  INSERT INTO "a b" (c, d)
  SELECT value % 3, iif(value % 2, value, NULL) FROM json_each('[1,2,3,4,5,6,7,8,9,10,11,12]')`);

/** What the statement would touch, and what it then does. */
const changing: readonly (readonly [sql: string, values: readonly number[]])[] = [
  ['DELETE FROM "a b"', []],
  ['UPDATE "a b" SET c = ?', [5]],
  ['UPDATE main.[a b] AS x SET c = ?, d = ? WHERE x.c = ? AND x.id > ?;', [5, 6, 1, 3]],
  ['DELETE FROM "a b" WHERE c = (SELECT max(c) FROM "a b") -- the rest', []],
  [
    'WITH few(id) AS (VALUES (?), (?)) DELETE FROM "a b" WHERE id IN (SELECT id FROM few) AND c < ? RETURNING id',
    [1, 2, 2],
  ],
  ['UPDATE "a b" SET c = (SELECT ?) WHERE d IS NULL', [5]],
];

for (const [sql, values] of changing) {
  test(`counts the rows of ${sql}`, () => {
    const query = touchedRowsQuery(sql);
    assert.ok(query);
    const counted = database.prepare(query.sql).get(...query.parameters.map(place => values[place]!));
    database.exec('SAVEPOINT before');
    const before = database.prepare('SELECT total_changes() AS n').get() as { n: number };
    database.prepare(sql).all(...values);
    const after = database.prepare('SELECT total_changes() AS n').get() as { n: number };
    database.exec('ROLLBACK TO before');
    assert.deepEqual(Object.values(counted ?? {}), [after.n - before.n]);
    assert.ok(after.n > before.n);
  });
}

const countsOf = (sql: string): unknown[] => Object.values(database.prepare(touchedRowsQuery(sql)!.sql).get() ?? {});

test('counts the rows of a table and the values of a column that are dropped', () => {
  assert.deepEqual(countsOf('DROP TABLE IF EXISTS "a b"'), [12]);
  assert.deepEqual(countsOf('ALTER TABLE "a b" DROP COLUMN d'), [6]);
});

for (const sql of [
  'UPDATE a SET b = 1 FROM c WHERE a.id = c.id',
  'DELETE FROM a LIMIT 3',
  'DROP VIEW a',
  'INSERT INTO a VALUES (1)',
  'DELETE FROM',
]) {
  test(`does not say what ${sql} would touch`, () => assert.equal(touchedRowsQuery(sql), undefined));
}
