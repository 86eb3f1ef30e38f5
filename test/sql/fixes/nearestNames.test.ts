import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editDistance, nearestNames } from '../../../src/sql/fixes/nearestNames.ts';

const names = ['customers', 'customer_id', 'orders', 'order_lines', 'name', 'created_at', 'id', 'ids', 'Größe'];

const cases: readonly (readonly [misspelt: string, isClear: boolean, ...nearest: string[]])[] = [
  ['custmers', true, 'customers'],
  ['CUSTOMRES', true, 'customers'],
  ['nmae', true, 'name'],
  ['created', true, 'created_at'],
  ['idd', false, 'id', 'ids'],
  ['order', true, 'orders', 'order_lines'],
  ['größe', true, 'Größe'],
  ['di', true, 'id'],
  ['d', true, 'id'],
  ['xd', false],
  ['products', false],
  ['x'.repeat(10_000), false],
];

for (const [misspelt, isClear, ...nearest] of cases) {
  test(`${misspelt.slice(0, 20)} means ${nearest.join(' or ') || 'none of the names'}`, () => {
    assert.deepEqual(nearestNames(misspelt, names), { names: nearest, isClear });
  });
}

test('the distance counts insertions, deletions, replacements and swapped neighbours, up to a maximum', () => {
  assert.equal(editDistance('abcd', 'abcd', 2), 0);
  assert.equal(editDistance('abcd', 'bcde', 2), 2);
  assert.equal(editDistance('abcd', 'abdc', 2), 1);
  assert.equal(editDistance('abcd', 'axcx', 2), 2);
  assert.equal(editDistance('abcd', 'wxyz', 2), Infinity);
});

test('only part of a large schema is compared', () => {
  let looked = 0;
  function* endless(): Iterable<string> {
    for (;;) yield `column${looked++}`;
  }
  nearestNames('colum', endless());
  assert.ok(looked < 50_000, `${looked} names`);
});
