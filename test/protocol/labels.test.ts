import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeLabels, fill } from '../../src/protocol/labels.ts';

for (const [given, expected] of [
  [
    { a: 'A', b: 'B', c: 'C' },
    { a: 'A', b: 'B' },
  ],
  [
    { a: 'A', b: 1 },
    { a: 'A', b: 'b' },
  ],
  [undefined, { a: 'a', b: 'b' }],
] as const) {
  test(`the labels a and b of ${JSON.stringify(given)} are ${JSON.stringify(expected)}`, () =>
    assert.deepEqual(decodeLabels(['a', 'b'], given), expected));
}

test('values fill the places of a label, and places without a value stay', () => {
  assert.equal(fill('{1} of {0}, {2}', 10, 'two'), 'two of 10, {2}');
});
