import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Real } from '../../src/wire/values.ts';
import { startTestService } from '../support/testService.ts';

const { client, projectId } = await startTestService();

test('rows arrive in the order of the statement, with their columns', async () => {
  const { rows, columns } = await client.execSql(projectId, {
    sql: 'SELECT id, name FROM customers ORDER BY id LIMIT ?',
    params: [2],
  });
  assert.deepEqual(
    rows?.map(({ id }) => id),
    [1, 2],
  );
  assert.deepEqual(columns, [
    { name: 'id', type: 'INTEGER' },
    { name: 'name', type: 'TEXT' },
  ]);
});

test('values keep their kind and every digit', async () => {
  const sql = `SELECT 9007199254740993 AS big, NULL AS missing, '' AS empty, 0 AS zero, 1.5 AS real, x'00ff' AS blob, 9e999 AS inf`;
  const { rows } = await client.execSql(projectId, { sql });
  assert.deepEqual(rows, [
    { big: 9_007_199_254_740_993n, missing: null, empty: '', zero: 0, real: 1.5, blob: 'AP8=', inf: Infinity },
  ]);
});

test('parameters keep their types', async () => {
  const params = [7, 1.5, 'text', null, true, 9_007_199_254_740_993n];
  const { rows } = await client.execSql(projectId, {
    sql: 'SELECT typeof(?) a, typeof(?) b, typeof(?) c, typeof(?) d, typeof(?) e, ? f',
    params,
  });
  assert.deepEqual(rows, [{ a: 'integer', b: 'real', c: 'text', d: 'null', e: 'integer', f: 9_007_199_254_740_993n }]);
});

const run = async (sql: string): Promise<number | undefined> => (await client.execSql(projectId, { sql })).rowCount;

test('a statement without rows returns how many it changed, and DDL returns 0', async () => {
  assert.equal(await run('CREATE TABLE contract (a INTEGER PRIMARY KEY, b)'), 0);
  assert.equal(await run('INSERT INTO contract (b) VALUES (1), (2), (3)'), 3);
  assert.equal(await run('DELETE FROM contract WHERE a > 1'), 2);
  assert.equal(await run('DROP TABLE contract'), 0);
});

test('a REAL of any size stays a REAL in both directions', async () => {
  const { rows } = await client.execSql(projectId, {
    sql: 'SELECT 1152921504606846976.0 AS big, typeof(?) AS a, typeof(?) AS b, ? AS c, typeof(?) AS d, ? AS e',
    params: [1e20, 1.5e18, 1e20, 1_152_921_504_606_846_976n, -0],
  });
  const [row] = rows;
  assert.deepEqual(row, { big: 1_152_921_504_606_846_976, a: 'real', b: 'real', c: 1e20, d: 'integer', e: -0 });
});

test('a whole Real is bound as REAL, and a whole number as INTEGER', async () => {
  const { rows } = await client.execSql(projectId, {
    sql: 'SELECT ? / 2 AS a, ? / 2 AS b, typeof(?) AS c, typeof(?) AS d, ? AS e, typeof(?) AS f',
    params: [5, new Real(5), new Real(2 ** 60), new Real(0), new Real(-0), new Real(Infinity)],
  });
  assert.deepEqual(rows, [{ a: 2, b: 2.5, c: 'real', d: 'real', e: -0, f: 'real' }]);
});

test('a full-text table is created, filled, searched and checked', async () => {
  await run('CREATE VIRTUAL TABLE notes USING fts5(body)');
  await run(`INSERT INTO notes VALUES ('a brown fox'), ('a lazy dog')`);
  const { rows } = await client.execSql(projectId, {
    sql: 'SELECT body FROM notes WHERE notes MATCH ?',
    params: ['fox'],
  });
  assert.deepEqual(rows, [{ body: 'a brown fox' }]);
  const check = await client.execSql(projectId, { sql: 'PRAGMA quick_check' });
  assert.deepEqual(check.rows, [{ quick_check: 'ok' }]);
  await run('DROP TABLE notes');
});

test('RETURNING returns rows', async () => {
  const sql = 'UPDATE products SET stock = stock WHERE id = 1 RETURNING id';
  assert.deepEqual((await client.execSql(projectId, { sql })).rows, [{ id: 1 }]);
});

test('100,000 rows stream to the end', async () => {
  const scanner = await client.execSqlStream(projectId, { sql: 'SELECT * FROM order_lines' });
  let count = 0;
  for await (const batch of scanner.batches()) count += batch.length;
  assert.equal(scanner.err(), undefined);
  assert.equal(count, 100_000);
});

test('a table is browsed page by page, in the same order each time', async () => {
  const pages = [0, 3].map(offset => client.browseRows(projectId, 'order_lines', { limit: 3, offset }));
  const [first, second] = await Promise.all(pages);
  const whole = await client.browseRows(projectId, 'order_lines', { limit: 6, offset: 0 });
  assert.deepEqual([...(first?.rows ?? []), ...(second?.rows ?? [])], whole.rows);
  assert.equal(whole.limit, 6);
});

const refused: readonly (readonly [name: string, sql: string, status: number, code: string])[] = [
  ['a syntax error', 'SELEC', 400, 'sql_error'],
  ['a missing parameter', 'SELECT ?', 400, 'parameter_mismatch'],
  ['a named parameter', 'SELECT :a', 400, 'parameter_mismatch'],
  ['ATTACH', `ATTACH '/tmp/x' AS x`, 422, 'denied_statement'],
  ['VACUUM INTO', `VACUUM INTO '/tmp/x'`, 422, 'denied_statement'],
  ['load_extension', `SELECT load_extension('x')`, 422, 'denied_statement'],
  ['a writing PRAGMA', 'PRAGMA journal_mode = DELETE', 422, 'denied_statement'],
  ['BEGIN', 'BEGIN', 422, 'denied_statement'],
  ['a temporary table', 'CREATE TEMP TABLE t (a)', 422, 'denied_statement'],
  ['a table in temp', 'CREATE TABLE temp.categories (id)', 422, 'denied_statement'],
  ['a table in temp from a query', 'CREATE TABLE temp.t AS SELECT 1', 422, 'denied_statement'],
  ['a view in temp', 'CREATE VIEW temp.v AS SELECT 1', 422, 'denied_statement'],
  ['a trigger in temp', 'CREATE TRIGGER temp.t AFTER INSERT ON orders BEGIN SELECT 1; END', 422, 'denied_statement'],
  ...[
    'CREATE TABLE __sql_project_backup__ (a)',
    'create table if not exists main."__SQL_project_backup__" AS SELECT 1',
    '/* CREATE */ ; CREATE VIEW [__sql_project_backup__] AS SELECT 1',
    "CREATE VIRTUAL TABLE '__sql_project_backup__' USING fts5 (a)",
    'CREATE INDEX `__sql_project_backup__` ON orders (id)',
    'CREATE TRIGGER __sql_project_backup__ AFTER INSERT ON orders BEGIN SELECT 1; END',
    'ALTER TABLE orders RENAME TO __sql_project_backup__',
  ].map(sql => [`the mark of a backup in ${sql}`, sql, 422, 'denied_statement'] as const),
];

for (const [name, sql, status, code] of refused) {
  test(`${name} is refused with ${status} ${code}`, async () => {
    await assert.rejects(client.execSql(projectId, { sql }), { status, code });
  });
}

test('the name of the mark of a backup may be read and dropped', async () => {
  const { rows } = await client.execSql(projectId, { sql: `SELECT '__sql_project_backup__' AS a` });
  assert.deepEqual(rows, [{ a: '__sql_project_backup__' }]);
  assert.equal(await run('DROP TABLE IF EXISTS __sql_project_backup__'), 0);
});

test('browsing a broken view is refused', async () => {
  await run('CREATE VIEW broken AS SELECT * FROM missing');
  const browse = client.browseRows(projectId, 'broken', { limit: 1, offset: 0 });
  await assert.rejects(browse, { status: 400, code: 'sql_error' });
  await run('DROP VIEW broken');
});
