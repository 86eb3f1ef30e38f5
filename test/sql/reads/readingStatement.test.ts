import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readingStatementOf } from '../../../src/sql/reads/readingStatement.ts';

const kindOf = (sql: string): string => readingStatementOf(sql).kind;

test('a query is read with its names and with the place for more common tables', () => {
  const sql =
    '-- first\nEXPLAIN QUERY PLAN /* x */ WITH /* y */ RECURSIVE a AS (SELECT f(main.t.b) FROM "T") SELECT 1 IN u;';
  const statement = readingStatementOf(sql);
  assert.ok(statement.kind === 'select');
  assert.equal(sql.slice(statement.start, statement.start + 4), 'WITH');
  assert.equal(sql.slice(statement.with?.start).trimStart().slice(0, 4), 'a AS');
  assert.deepEqual(statement.with?.commonTables, ['a']);
  assert.deepEqual(statement.commonTables, ['a']);
  assert.deepEqual(statement.functions, ['f']);
  assert.deepEqual(statement.tables, [
    { database: undefined, name: 'T' },
    { database: undefined, name: 'u' },
  ]);
  assert.deepEqual(statement.qualifiedColumns, [{ database: 'main', name: 't' }]);
});

test('common tables within a query are not those of the whole statement', () => {
  const statement = readingStatementOf('SELECT * FROM (WITH a AS (SELECT 1) SELECT * FROM a)');
  assert.ok(statement.kind === 'select');
  assert.equal(statement.with, undefined);
  assert.deepEqual(statement.commonTables, ['a']);
  assert.deepEqual(statement.tables, []);
});

test('a common table is one only within its query', () => {
  const statement = readingStatementOf(
    'SELECT (WITH a AS (SELECT 1) SELECT 1 FROM A), (SELECT count(*) FROM a), 1 IN main.a',
  );
  assert.ok(statement.kind === 'select');
  assert.deepEqual(statement.tables, [
    { database: undefined, name: 'a' },
    { database: 'main', name: 'a' },
  ]);
});

test('a PRAGMA is read with its database and whether it has an argument', () => {
  const name = { database: 'main', name: 'Table_Info' };
  assert.deepEqual(readingStatementOf('PRAGMA main.Table_Info(t)'), { kind: 'pragma', name, hasArgument: true });
  assert.deepEqual(readingStatementOf('PRAGMA main.Table_Info = t;'), { kind: 'pragma', name, hasArgument: true });
  assert.deepEqual(readingStatementOf('PRAGMA main.Table_Info'), { kind: 'pragma', name, hasArgument: false });
});

test('a statement that is not a read says why', () => {
  assert.equal(kindOf(' -- nothing'), 'empty');
  assert.equal(kindOf('SELECT 1; SELECT 2'), 'several');
  assert.equal(kindOf('SELECT 1\0'), 'illFormed');
  assert.equal(kindOf('SELECT \udc00'), 'illFormed');
  assert.deepEqual(readingStatementOf('SELECT 1 FROM WHERE'), { kind: 'syntax', token: 'WHERE' });
  assert.deepEqual(readingStatementOf('SELECT 1 +'), { kind: 'syntax', token: '' });
  assert.equal(kindOf('WITH a AS (SELECT 1) DELETE FROM t'), 'writes');
  assert.equal(kindOf('EXPLAIN DELETE FROM t'), 'explainsOther');
  assert.equal(kindOf('EXPLAIN PRAGMA user_version'), 'explainsOther');
  assert.equal(kindOf('SELECT * FROM pragma_optimize'), 'writes');
});
