import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { planOf, textOfPlan } from '../../src/model/queryPlan.ts';
import type { Row } from '../../src/wire/values.ts';

const database = new DatabaseSync(':memory:');
database.exec('CREATE TABLE a (id INTEGER PRIMARY KEY, b); CREATE TABLE c (d)');

const plan = (sql: string): ReturnType<typeof planOf> =>
  planOf(database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as Row[]);

test('a plan is a tree of steps, and says which of them read all of a table', () => {
  const steps = plan('SELECT b FROM a WHERE id = 1 UNION ALL SELECT d FROM c ORDER BY 1');
  const text = textOfPlan(steps);
  assert.match(text, /^MERGE \(UNION ALL\)\n {2}LEFT\n {4}SEARCH a USING INTEGER PRIMARY KEY/);
  const depthsAndSteps = steps.map(({ depth, step }) => `${depth} ${step}`);
  assert.deepEqual(depthsAndSteps.slice(0, 3), ['0 other', '1 other', '2 search']);
  const right = depthsAndSteps.slice(depthsAndSteps.lastIndexOf('1 other') + 1);
  assert.deepEqual([right[0], right.includes('2 sort')], ['2 scan', true]);
});

test('rows of another service, with parents that are not there and no words, are steps all the same', () => {
  const steps = planOf([
    { id: 3, parent: 99, detail: 'SCAN x' },
    { id: 4, parent: 3, detail: null },
  ]);
  assert.deepEqual(steps, [
    { detail: 'SCAN x', step: 'scan', depth: 0 },
    { detail: '', step: 'other', depth: 1 },
  ]);
});
