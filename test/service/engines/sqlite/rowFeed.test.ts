import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from 'node:sqlite';
import { Connection, cursorRows } from '../../../../src/service/engines/sqlite/worker/connection.ts';
import type { StatementRows } from '../../../../src/service/engines/sqlite/worker/rowBatches.ts';

const database = new DatabaseSync(':memory:');
after(() => database.close());
database.exec(`
  CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, score REAL, "two words" BLOB, any);
  INSERT INTO t VALUES (1, 'b', 1, x'00ff', 9223372036854775807), (2, 'a' || char(0) || 'b', -0.0, NULL, 9e999),
    (3, NULL, 0.1, 'text', -9e999), (4, '', 1e300, 5, 1.0), (5, '"}{' || char(30), NULL, x'', CAST(x'ff41' AS TEXT));
  CREATE TABLE many (id INTEGER PRIMARY KEY, value);
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) INSERT INTO many SELECT i, i * 7 % 31 FROM n;
  CREATE INDEX many_value ON many (value);
  CREATE VIEW ordered AS SELECT value, id FROM many ORDER BY value DESC, id;
`);
const connection = new Connection(database);

/** All rows, which are taken so many at a time. */
function rowsOf(source: StatementRows, atOnce: number): SQLOutputValue[][] {
  const rows: SQLOutputValue[][] = [];
  while (source.give(row => rows.push(row) % atOnce === 0));
  return rows;
}

const queries: readonly (readonly [sql: string, ...values: SQLInputValue[]])[] = [
  ['SELECT * FROM t'],
  ['SELECT id, id, name AS id FROM t ORDER BY score, id'],
  ['SELECT * FROM t WHERE score > ? OR name = ?2 ORDER BY id DESC LIMIT 3', 0.05, 'b'],
  ['SELECT * FROM ordered'],
  ['SELECT * FROM ordered LIMIT 40 OFFSET 7'],
  ['SELECT value, count(*), group_concat(id) FROM many GROUP BY value HAVING count(*) > 3 ORDER BY 2, 1'],
  ['SELECT DISTINCT value FROM many'],
  ['SELECT a.id, b.id FROM many a JOIN many b USING (value) WHERE a.id < 20 ORDER BY b.id, a.id'],
  ['SELECT id FROM many WHERE value = 3 UNION ALL SELECT id FROM many WHERE value = 4'],
  ['SELECT id, value FROM many UNION SELECT id, name FROM t ORDER BY 2, 1'],
  ['SELECT value, row_number() OVER (PARTITION BY value ORDER BY id DESC) FROM many'],
  ['WITH q (x) AS (SELECT id FROM many), svc_q0 (c1) AS (SELECT x FROM q) SELECT * FROM svc_q0 WHERE c1 % 2'],
  ['WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 700) SELECT i FROM n'],
  ["VALUES (1, NULL), (?, x'01')", 'text'],
  ['SELECT (SELECT max(id) FROM many WHERE value = t.id), name FROM t'],
  ['SELECT value, json_extract(value, \'$.a\') FROM json_each(\'[{"a":1}, {"a":"x"}]\')'],
  ["SELECT json('[1]'), json_object('a', json('{}')) FROM t"],
  ['SELECT 1 WHERE 0'],
  ['SELECT * FROM t -- the end; of it'],
  ['SELECT * FROM t; -- the end'],
  ['SELECT \';\' AS ";"'],
  ['SELECT id AS "c1", name AS "c1" FROM t;'],
  [`SELECT ${Array.from({ length: 1000 }, (_, i) => `id + ${i}`).join(', ')} FROM t`],
];

/** Statements that cannot be a part of another one. Their rows come from the cursor. */
const others: typeof queries = [
  ['SELECT * FROM t /* the end'],
  ['EXPLAIN QUERY PLAN SELECT * FROM many ORDER BY id + 1'],
  ['PRAGMA table_info(t)'],
  [`SELECT ${Array.from({ length: 1001 }, (_, i) => `id + ${i}`).join(', ')} FROM t`],
];

for (const [sql, ...values] of [...queries, ...others]) {
  test(`${sql.slice(0, 100)} gives the rows of SQLite’s cursor, in their order`, () => {
    const prepared = connection.prepare(sql);
    const expected = rowsOf(cursorRows(prepared.statement, values), Infinity);
    for (const atOnce of [1, 3, Infinity])
      assert.deepEqual(rowsOf(connection.rows(prepared, values), atOnce), expected);
    assert.equal(
      prepared.feeding === null,
      others.some(([other]) => other === sql),
    );
  });
}

test('each row is searched only when it is needed', () => {
  const rows = connection.rows(connection.prepare("SELECT id, iif(id > 3, json('no JSON'), 1) FROM many"), []);
  const taken: unknown[] = [];
  while (taken.length < 3) assert.ok(rows.give(([id]) => taken.push(id) > 0));
  assert.deepEqual(taken, [1n, 2n, 3n]);
  assert.throws(() => rows.give(() => true), /malformed JSON/);
});

test('a statement of a tenant cannot call the function that takes rows, also not in a view', () => {
  for (const sql of ['SELECT svc_take_row(1)', 'SELECT * FROM t WHERE SVC_TAKE_ROW(id)']) {
    assert.throws(() => connection.prepare(sql), { code: 'denied_statement' });
  }
  connection.trusted(() => database.exec('CREATE VIEW taking AS SELECT svc_take_row(id) FROM t'));
  assert.throws(() => connection.prepare('SELECT * FROM taking'), /unsafe use of svc_take_row/);
  const prepared = connection.prepare('SELECT id FROM t');
  assert.equal(rowsOf(connection.rows(prepared, []), 2).length, 5);
  assert.throws(() => connection.prepare('SELECT svc_take_row(2)'), { code: 'denied_statement' });
});
