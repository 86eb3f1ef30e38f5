import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  changesSchema,
  columnDefinitions,
  createsVirtualTable,
  mayActWhenPrepared,
  tableFromQuery,
  virtualTableStandIns,
} from '../../../src/sql/shadow/schemaChange.ts';

const kinds: readonly (readonly [statement: string, acts: boolean, changes: boolean, virtual: boolean])[] = [
  ['pragma x', true, false, false],
  ['/* a */ EXPLAIN -- b\n QUERY PLAN PRAGMA x', true, false, false],
  ['EXPLAIN SELECT pragma', false, false, false],
  ["SELECT * FROM pragma_table_info('t')", false, false, false],
  ['-- x\ncreate table t (a)', false, true, false],
  ['ALTER TABLE t RENAME TO u', false, true, false],
  ['DROP VIEW v', false, true, false],
  ['EXPLAIN CREATE TABLE t (a)', false, false, false],
  ['create virtual table t using fts5(a)', false, true, true],
  ['', false, false, false],
];

for (const [statement, acts, changes, virtual] of kinds) {
  test(`knows what kind of statement ${JSON.stringify(statement)} is`, () => {
    assert.equal(mayActWhenPrepared(statement), acts);
    assert.equal(changesSchema(statement), changes);
    assert.equal(createsVirtualTable(statement), virtual);
  });
}

const queries: readonly (readonly [statement: string, head: string | undefined, query?: string])[] = [
  ['CREATE TABLE t AS SELECT 1;', 'CREATE TABLE t ', ' SELECT 1;'],
  [
    'create temp table if not exists main."t x" as values (1)',
    'create temp table if not exists main."t x" ',
    ' values (1)',
  ],
  ['CREATE TABLE t (a AS (1))', undefined],
  ['CREATE VIEW v AS SELECT 1', undefined],
  ['SELECT 1 AS a', undefined],
  ['CREATE', undefined],
];

for (const [statement, head, query] of queries) {
  test(`finds the query of ${statement}`, () => {
    assert.deepEqual(tableFromQuery(statement), head === undefined ? undefined : { head, query });
  });
}

const column = (name: string, declaredType?: string) => ({ name, table: undefined, column: undefined, declaredType });

test('columns of a query get a name each and keep their type', () => {
  const columns = [column('a', 'INT'), column('A'), column('x + 1', 'VARCHAR(9)'), column('a')];
  assert.equal(columnDefinitions(columns), '("a" "INT", "A:1", "x + 1" "VARCHAR(9)", "a:2")');
});

const modules: readonly (readonly [statement: string, standIns: readonly string[]])[] = [
  ['CREATE VIRTUAL TABLE a USING m(b, "c d" TEXT, e=f, g(1, 2))', ['CREATE TABLE  a  (b, "c d", g)']],
  ['CREATE VIRTUAL TABLE a USING m', ['CREATE TABLE  a  (content)']],
  ['create virtual table a using FTS4(b)', ['CREATE VIRTUAL TABLE  a  USING fts5(b)', 'CREATE TABLE  a  (b)']],
  ['CREATE VIRTUAL TABLE', []],
];

for (const [statement, standIns] of modules) {
  test(`finds a table to stand for ${statement}`, () => assert.deepEqual(virtualTableStandIns(statement), standIns));
}
