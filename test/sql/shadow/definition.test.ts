import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyOf } from '../../../src/sql/text/names.ts';
import { definitionOf, mentionedNames, schemaChangeOf } from '../../../src/sql/shadow/definition.ts';

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
  test(`reads what ${sql} makes`, () => assert.deepEqual(definitionOf(sql), { kind, database, name, owner, sql }));
}

test('a temporary thing is made as one, although its text does not say that it is', () => {
  assert.equal(definitionOf('CREATE TABLE t (a)', 'temp')?.sql, 'CREATE TEMP TABLE t (a)');
});

const others: readonly (readonly [statement: string, change: unknown])[] = [
  ['DROP TABLE IF EXISTS temp.T', { kind: 'drop', what: 'TABLE', database: 'temp', name: 't' }],
  ['drop index "a""b"', { kind: 'drop', what: 'INDEX', database: undefined, name: 'a"b' }],
  ['ALTER TABLE main.Users RENAME TO people', { kind: 'alter', name: 'users' }],
  ['SELECT 1', undefined],
  ['EXPLAIN DROP TABLE t', undefined],
  ['CREATE', undefined],
  ['CREATE TABLE', undefined],
  ['DROP', undefined],
  ['', undefined],
];
for (const [sql, change] of others) {
  test(`reads what ${JSON.stringify(sql)} changes`, () => assert.deepEqual(schemaChangeOf(sql), change));
}

test('names are equal as SQLite has it: only the case of ASCII letters does not count', () => {
  assert.equal(keyOf('GRÖSSE_Ж'), 'grÖsse_Ж');
  assert.deepEqual(
    [...mentionedNames(`SELECT A."b""C", [d], 'e' /* f */ FROM G -- h`)],
    [...['select', 'a', 'b"c', 'd', 'e', 'from', 'g']],
  );
});
