import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ddlStatementOf, schemaObjectOf } from '../../../src/sql/shadow/ddlStatement.ts';
import { keyOf } from '../../../src/sql/text/names.ts';
import { mentionedNames } from '../../../src/sql/text/mentionedNames.ts';

const creations: readonly (readonly [
  statement: string,
  kind: string,
  database: string,
  name: string,
  owner?: string,
])[] = [
  ['create table Users (a)', 'table', 'main', 'users'],
  ['CREATE TABLE IF NOT EXISTS main . "My Table" (a)', 'table', 'main', 'my table'],
  ['CREATE TABLE if (a)', 'table', 'main', 'if'],
  ['CREATE TEMPORARY TABLE t AS SELECT 1', 'table', 'temp', 't'],
  ['CREATE TABLE temp.t (a)', 'table', 'temp', 't'],
  ['-- note\nCREATE VIEW [Größe] AS SELECT 1', 'view', 'main', 'größe'],
  ['CREATE VIRTUAL TABLE IF NOT EXISTS docs USING fts5(a)', 'virtual', 'main', 'docs'],
  ['CREATE UNIQUE INDEX "on" ON `T x` (a)', 'index', 'main', 'on', 't x'],
  ['CREATE TRIGGER g AFTER UPDATE OF a, b ON main.T BEGIN SELECT 1 ON x; END', 'trigger', 'main', 'g', 't'],
  ['CREATE TEMP TRIGGER g INSTEAD OF DELETE ON v BEGIN SELECT 1; END', 'trigger', 'temp', 'g', 'v'],
];
for (const [sql, kind, database, name, owner] of creations) {
  test(`${sql} creates the ${kind} ${name}`, () =>
    assert.deepEqual(schemaObjectOf(sql), { kind, database, name, owner, sql }));
}

test('the statement of a temporary object says TEMP, although sqlite_temp_schema omits it', () => {
  assert.equal(schemaObjectOf('CREATE TABLE t (a)', 'temp')?.sql, 'CREATE TEMP TABLE t (a)');
});

const others: readonly (readonly [statement: string, change: unknown])[] = [
  ['DROP TABLE IF EXISTS temp.T', { kind: 'drop', keyword: 'TABLE', database: 'temp', name: 't' }],
  ['drop index "a""b"', { kind: 'drop', keyword: 'INDEX', database: undefined, name: 'a"b' }],
  ['ALTER TABLE main.Users RENAME TO people', { kind: 'alter', name: 'users' }],
  ['SELECT 1', undefined],
  ['EXPLAIN DROP TABLE t', undefined],
  ['CREATE', undefined],
  ['CREATE TABLE', undefined],
  ['DROP', undefined],
  ['', undefined],
];
for (const [sql, change] of others) {
  test(`${JSON.stringify(sql)} ${change ? 'changes the schema' : 'changes no schema'}`, () =>
    assert.deepEqual(ddlStatementOf(sql), change));
}

test('names ignore the case of ASCII letters only, as in SQLite', () => {
  assert.equal(keyOf('GRÖSSE_Ж'), 'grÖsse_Ж');
  assert.deepEqual(
    [...mentionedNames(`SELECT A."b""C", [d], 'e' /* f */ FROM G -- h`)],
    [...['select', 'a', 'b"c', 'd', 'e', 'from', 'g']],
  );
});
