import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actsWhenPrepared } from '../../../src/sql/shadow/statementWords.ts';

const cases: readonly (readonly [statement: string, acts: boolean])[] = [
  ['pragma x', true],
  ['/* a */ EXPLAIN -- b\n QUERY PLAN PRAGMA x', true],
  ['EXPLAIN SELECT pragma', false],
  ["SELECT * FROM pragma_table_info('t')", false],
  ['CREATE TABLE pragma (a)', false],
  ['', false],
];

for (const [statement, acts] of cases) {
  test(`${JSON.stringify(statement)} ${acts ? 'may act' : 'does not act'} when it is prepared`, () => {
    assert.equal(actsWhenPrepared(statement), acts);
  });
}
