import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeArrangement, decodeFindStep } from '../../src/protocol/rowQueries.ts';

const filter = { kind: 'contains', column: 0, text: 'a' };
const step = { text: 'x', matchCase: false, row: 1, column: 2, backwards: true, including: false, columns: [2, 0] };
const longText = 'x'.repeat(10_001);

const refused: readonly (readonly [what: string, decode: (value: unknown) => unknown, value: unknown])[] = [
  ['a range without an end', decodeArrangement, { sort: [], filters: [{ kind: 'range', column: 0 }] }],
  ['a list without values', decodeArrangement, { sort: [], filters: [{ kind: 'in', column: 0, texts: [] }] }],
  [
    'an arrangement with too many filters',
    decodeArrangement,
    { sort: [], filters: Array.from({ length: 101 }, () => filter) },
  ],
  ['a search for nothing', decodeArrangement, { sort: [], filters: [], search: '' }],
  ['a search for a text that is too long', decodeArrangement, { sort: [], filters: [], search: longText }],
  ['a negative row', decodeFindStep, { ...step, row: -1 }],
  ['a text that is too long', decodeFindStep, { ...step, text: longText }],
];
for (const [what, decode, value] of refused) {
  test(`${what} is refused`, () => assert.equal(decode(value), undefined));
}
