import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  decodeArrangement,
  decodeFindStep,
  decodeFindResult,
  decodeRanges,
  decodeSummary,
} from '../../src/protocol/rowQueries.ts';

const arrangement = {
  sort: [{ column: 2, descending: true }],
  filters: [
    { kind: 'contains', column: 0, text: 'a' },
    { kind: 'equals', column: 1, text: '' },
    { kind: 'range', column: 2, from: '1', to: '2' },
    { kind: 'range', column: 2, to: '2' },
    { kind: 'null', column: 3, isNull: false },
  ],
};
const step = { text: 'x', matchCase: false, row: 1, column: 2, backwards: true, including: false, columns: [2, 0] };
const summary = { cells: 3, nulls: 1, numbers: 2, distinct: 2, sum: '9007199254740993', min: '1' };

const decodedValues: readonly (readonly [what: string, decode: (value: unknown) => unknown, value: unknown])[] = [
  ['an arrangement', decodeArrangement, arrangement],
  ['an empty arrangement', decodeArrangement, { sort: [], filters: [] }],
  ['a search', decodeArrangement, { sort: [], filters: [], search: 'a' }],
  ['a step of finding', decodeFindStep, step],
  ['a found match', decodeFindResult, { count: 2, place: { index: 0, row: 5, column: 1 } }],
  ['a search without a match', decodeFindResult, { count: 0 }],
  ['ranges', decodeRanges, [{ firstRow: 0, endRow: 10, columns: [1, 0] }]],
  ['a summary', decodeSummary, summary],
];
for (const [what, decode, value] of decodedValues) {
  test(`${what} decodes`, () => assert.deepEqual(decode(JSON.parse(JSON.stringify(value))), value));
}

const refused: typeof decodedValues = [
  ['a sort by no column', decodeArrangement, { sort: [{ descending: true }], filters: [] }],
  ['a filter of an unknown kind', decodeArrangement, { sort: [], filters: [{ kind: 'like', column: 0, text: '' }] }],
  ['a range without an end', decodeArrangement, { sort: [], filters: [{ kind: 'range', column: 0 }] }],
  [
    'an arrangement with too many filters',
    decodeArrangement,
    { sort: [], filters: Array(101).fill(arrangement.filters[0]) },
  ],
  ['a search for nothing', decodeArrangement, { sort: [], filters: [], search: '' }],
  ['a search for a text that is too long', decodeArrangement, { sort: [], filters: [], search: 'x'.repeat(10_001) }],
  ['a text that is too long', decodeFindStep, { ...step, text: 'x'.repeat(10_001) }],
  ['a negative row', decodeFindStep, { ...step, row: -1 }],
  ['a range without an end row', decodeRanges, [{ firstRow: 0, columns: [] }]],
  ['a summary without its counts', decodeSummary, { ...summary, nulls: undefined }],
];
for (const [what, decode, value] of refused) {
  test(`${what} is refused`, () => assert.equal(decode(value), undefined));
}
