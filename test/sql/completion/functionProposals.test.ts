import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choose, completeMarked } from '../../support/completeMarked.ts';

for (const [marked, label, expected] of [
  ['SELECT upp¦', 'upper', 'SELECT upper(¦)'],
  ['SELECT upp¦(name) FROM users', 'upper', 'SELECT upper¦(name) FROM users'],
  ['SELECT rand¦', 'random', 'SELECT random()¦'],
  ['SELECT coun¦ FROM users', 'count', 'SELECT count(¦) FROM users'],
  ['select row_¦ from emp', 'row_number', 'select row_number() over (¦) from emp'],
  ['SELECT * FROM json_e¦', 'json_each', 'SELECT * FROM json_each(¦)'],
] as const) {
  test(`a function is inserted with its parentheses: ${marked}`, () => assert.equal(choose(marked, label), expected));
}

const detailOf = (label: string): string | undefined =>
  completeMarked('SELECT ¦').proposals.find(proposal => proposal.label === label)?.detail;

test('a function shows its parameters', () => {
  assert.equal(detailOf('replace'), '(text, from, to)');
  assert.equal(detailOf('random'), '()');
});
