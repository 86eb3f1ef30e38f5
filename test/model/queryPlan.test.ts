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
  const nodes = plan('SELECT b FROM a WHERE id = 1 UNION ALL SELECT d FROM c ORDER BY 1');
  const text = textOfPlan(nodes);
  assert.match(text, /^MERGE \(UNION ALL\)\n {2}LEFT\n {4}SEARCH a USING INTEGER PRIMARY KEY/);
  const [left, right] = nodes[0]?.children ?? [];
  assert.deepEqual([left?.children[0]?.step, right?.children[0]?.step], ['search', 'scan']);
  assert.ok(right?.children.some(({ step }) => step === 'sort'));
});

test('rows of another service, with parents that are not there and no words, are steps all the same', () => {
  const nodes = planOf([
    { id: 3, parent: 99, detail: 'SCAN x' },
    { id: 4, parent: 3, detail: null },
  ]);
  assert.deepEqual(nodes, [
    { detail: 'SCAN x', step: 'scan', children: [{ detail: '', step: 'other', children: [] }] },
  ]);
});
