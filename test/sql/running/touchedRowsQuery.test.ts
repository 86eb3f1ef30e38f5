import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { queryPlanStatement } from '../../../src/sql/running/queryPlanStatement.ts';
import { touchedRowsQuery } from '../../../src/sql/running/touchedRowsQuery.ts';

const database = new DatabaseSync(':memory:');
database.exec(`CREATE TABLE "a b" (id INTEGER PRIMARY KEY, c, d);
  INSERT INTO "a b" (c, d)
  SELECT value % 3, iif(value % 2, value, NULL) FROM json_each('[1,2,3,4,5,6,7,8,9,10,11,12]');
  CREATE TABLE twin (id, c, name); INSERT INTO twin SELECT id % 4, c, 'x' FROM "a b";
  CREATE TABLE few (name TEXT PRIMARY KEY, c) WITHOUT ROWID; INSERT INTO few VALUES ('x', 1), ('y', 2);`);

const changingStatements: readonly (readonly [sql: string, values: readonly number[]])[] = [
  ['DELETE FROM "a b"', []],
  ['UPDATE "a b" SET c = ?', [5]],
  ['UPDATE main.[a b] AS x SET c = ?, d = ? WHERE x.c = ? AND x.id > ?;', [5, 6, 1, 3]],
  ['DELETE FROM "a b" WHERE c = (SELECT max(c) FROM "a b") -- the rest', []],
  [
    'WITH few(id) AS (VALUES (?), (?)) DELETE FROM "a b" WHERE id IN (SELECT id FROM few) AND c < ? RETURNING id',
    [1, 2, 2],
  ],
  ['UPDATE "a b" SET c = (SELECT ?) WHERE d IS NULL', [5]],
  // Each row joins with three others.
  ['UPDATE "a b" SET c = twin.c + ? FROM twin WHERE twin.id = "a b".id', [5]],
  ['UPDATE "a b" AS x SET c = y.c FROM "a b" AS y WHERE y.c = x.c AND x.id < ?', [6]],
  ['UPDATE "a b" SET d = ? FROM twin', [1]],
  ['UPDATE "a b" AS x SET d = q.n FROM twin JOIN (SELECT ? AS n) AS q ON q.n > twin.id WHERE x.id = twin.id', [3]],
  ['UPDATE "a b" SET d = 1 FROM twin LEFT JOIN few USING (name) WHERE twin.id = "a b".id AND few.c = ?', [1]],
  ['WITH n(i) AS (SELECT ?) UPDATE "a b" SET d = ? FROM n, twin WHERE n.i = twin.c AND "a b".id = twin.id', [1, 7]],
  // The statement changes the table, although a SELECT would read the common table.
  ['WITH "A B" AS (SELECT 1 AS id) DELETE FROM "a b" WHERE id > 2', []],
  ['WITH "a b" AS (SELECT 1 AS id) DELETE FROM "a b" WHERE "a b".id IN (SELECT id FROM "a b")', []],
  ['WITH twin AS (SELECT id FROM "a b" WHERE id < 4) UPDATE twin SET c = 0', []],
  ['WITH "a b"(id) AS (VALUES (?)) UPDATE "a b" SET d = twin.c FROM twin WHERE twin.id = "a b".id', [9]],
  ['UPDATE few SET c = few.c + ? FROM twin WHERE twin.name = few.name', [1]],
];

for (const [sql, values] of changingStatements) {
  test(`the query counts the rows that ${sql} changes`, () => {
    const query = touchedRowsQuery(sql);
    assert.ok(query && query !== 'unknown');
    const parameters = query.parameters.map(index => values[index]!);
    const countBy = (countQuery: string): unknown[] =>
      Object.values(database.prepare(countQuery).get(...parameters) ?? {});
    const hasRowids = !sql.startsWith('UPDATE few');
    const counts = [query.withoutRowids ?? query.sql, ...(hasRowids ? [query.sql] : [])].map(countBy);
    database.exec('SAVEPOINT before');
    const before = database.prepare('SELECT total_changes() AS n').get() as { n: number };
    database.prepare(sql).all(...values);
    const after = database.prepare('SELECT total_changes() AS n').get() as { n: number };
    database.exec('ROLLBACK TO before');
    for (const count of counts) assert.deepEqual(count, [after.n - before.n]);
    assert.ok(after.n > before.n);
  });
}

const countsOf = (sql: string): unknown[] => {
  const query = touchedRowsQuery(sql);
  assert.ok(query && query !== 'unknown');
  return Object.values(database.prepare(query.sql).get() ?? {});
};

test('the query counts the rows of a dropped table and the values of a dropped column', () => {
  assert.deepEqual(countsOf('DROP TABLE IF EXISTS "a b"'), [12]);
  assert.deepEqual(countsOf('ALTER TABLE "a b" DROP COLUMN d'), [6]);
});

test('the query for a table without rowids fails with an error that names _rowid_', () => {
  const query = touchedRowsQuery('UPDATE few SET c = 1 FROM twin');
  assert.ok(query && query !== 'unknown');
  assert.throws(() => database.prepare(query.sql), /no such column: few\._rowid_/);
});

for (const sql of ['DELETE FROM a LIMIT 3', 'DELETE FROM']) {
  test(`the rows of ${sql} cannot be counted`, () => assert.equal(touchedRowsQuery(sql), 'unknown'));
}

for (const sql of ['DROP VIEW a', 'INSERT INTO a VALUES (1)']) {
  test(`${sql} touches no existing rows`, () => assert.equal(touchedRowsQuery(sql), undefined));
}

const cases: readonly (readonly [text: string, sql: string])[] = [
  ['SELECT 1', 'EXPLAIN QUERY PLAN SELECT 1'],
  ['explain /* all */ SELECT 1', 'EXPLAIN QUERY PLAN SELECT 1'],
  [
    'EXPLAIN QUERY PLAN WITH a AS (SELECT 1) SELECT * FROM a',
    'EXPLAIN QUERY PLAN WITH a AS (SELECT 1) SELECT * FROM a',
  ],
  ['SELEC 1', 'EXPLAIN QUERY PLAN SELEC 1'],
];
for (const [text, sql] of cases) {
  test(`the query plan statement of ${text} has one EXPLAIN`, () => {
    const statement = queryPlanStatement(text);
    assert.equal(statement.sql, sql);
    assert.equal(text.indexOf('1') + statement.shift, sql.indexOf('1'));
  });
}
