import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Schema } from '../../../src/sql/schema/schema.ts';
import { completeMarked, labelsAt } from '../../support/completeMarked.ts';

const schema = Schema.of('CREATE TABLE order_lines(a); CREATE TABLE orderLines2(a); CREATE TABLE "имя"(a)');

for (const [marked, ...expected] of [
  ['SELECT * FROM order_lines AS ¦', 'ol'],
  ['SELECT * FROM order_lines o¦', 'ol'],
  ['SELECT * FROM orderLines2 AS ¦ WHERE 1', 'ol'],
  ['SELECT * FROM order_lines ol JOIN order_lines o¦', 'ol2'],
  ['SELECT * FROM "our new" o¦', 'on2'],
  ['SELECT * FROM "имя" AS ¦'],
  ['SELECT a AS ¦ FROM order_lines'],
  ['SELECT * FROM (SELECT 1) AS ¦'],
] as const) {
  test(`a table gets a short alias: ${marked}`, () => {
    const { proposals } = completeMarked(marked, schema);
    const aliases = proposals.filter(({ kind }) => kind === 'alias');
    assert.deepEqual(
      aliases.map(({ insert }) => insert),
      expected,
    );
    if (expected.length > 0) assert.equal(proposals[0], aliases[0]);
  });
}

test('without a letter, the next clause comes before an alias', () => {
  const labels = labelsAt('SELECT * FROM order_lines ¦', schema);
  assert.equal(labels[0], 'WHERE');
  assert.equal(labels.at(-1), 'ol');
});
