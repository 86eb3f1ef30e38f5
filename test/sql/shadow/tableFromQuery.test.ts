import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnDefinitions, tableFromQuery } from '../../../src/sql/shadow/shadowSchema.ts';

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
  test(`${statement} ${head === undefined ? 'has no query' : 'is split before and after AS'}`, () => {
    assert.deepEqual(tableFromQuery(statement), head === undefined ? undefined : { head, query });
  });
}

const column = (name: string, declaredType?: string) => ({ name, table: undefined, column: undefined, declaredType });

test('the columns of a query get unique names and keep their types', () => {
  const columns = [column('a', 'INT'), column('A'), column('x + 1', 'VARCHAR(9)'), column('a')];
  assert.equal(columnDefinitions(columns), '("a" "INT", "A:1", "x + 1" "VARCHAR(9)", "a:2")');
});
