import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  columnDefinitions,
  mayActWhenPrepared,
  tableFromQuery,
  virtualTableStandIns,
} from '../../../src/sql/shadow/schemaChange.ts';

const acting: readonly (readonly [statement: string, acts: boolean])[] = [
  ['pragma x', true],
  ['/* a */ EXPLAIN -- b\n QUERY PLAN PRAGMA x', true],
  ['EXPLAIN SELECT pragma', false],
  ["SELECT * FROM pragma_table_info('t')", false],
  ['CREATE TABLE pragma (a)', false],
  ['', false],
];

for (const [statement, acts] of acting) {
  test(`knows whether preparing ${JSON.stringify(statement)} could act`, () => {
    assert.equal(mayActWhenPrepared(statement), acts);
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
