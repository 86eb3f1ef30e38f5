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
  test(`the plan of ${text} is asked for once`, () => {
    const asked = queryPlanStatement(text);
    assert.equal(asked.sql, sql);
    assert.equal(text.indexOf('1') + asked.shift, sql.indexOf('1'));
  });
}
