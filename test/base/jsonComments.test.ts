import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutComments } from '../../src/base/jsonComments.ts';

const cases: readonly [text: string, value: unknown][] = [
  ['{"a": 1}', { a: 1 }],
  ['// first\n{"a": [1, /* two */ 2,],\n} // last', { a: [1, 2] }],
  ['{"a": "http://x/*y*/", "b": ",]"}', { a: 'http://x/*y*/', b: ',]' }],
  [String.raw`{"a": "\" // \\", }`, { a: String.raw`" // \ `.trimEnd() }],
  ['\uFEFF[1, // one\n]', [1]],
];

for (const [text, value] of cases) {
  test(`comments and last commas are left out of ${JSON.stringify(text)}`, () => {
    assert.deepEqual(JSON.parse(withoutComments(text)), value);
  });
}
