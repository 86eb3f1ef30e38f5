import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queryPlanStatement } from '../../../src/sql/running/queryPlanStatement.ts';

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
