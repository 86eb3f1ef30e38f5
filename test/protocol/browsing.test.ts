import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeBrowseState, decodeBrowseView, decodeJumpPlace } from '../../src/protocol/browsing.ts';
import { decodeRowWindow } from '../../src/protocol/results.ts';

const subject = { profileId: 'http://a#1', project: 'Shop', table: 'customers', kind: 'view' } as const;
const arrangement = { sort: [{ column: 1, descending: true }], filters: [] };
const state = { ...subject, runId: 'a', columns: ['id', 'name'], arrangement, row: 12 };

const kept = (table: unknown): object => ({ browsing: { table } });

test('what a page keeps of a table is read again', () => {
  assert.deepEqual(decodeBrowseState(JSON.parse(JSON.stringify({ grids: {}, ...kept(state) }))), state);
});

for (const table of [undefined, {}, { ...state, row: -1 }, { ...state, columns: [1] }, { ...state, profileId: '' }]) {
  test(`${JSON.stringify(table)} is nothing to open a table by`, () => {
    assert.equal(decodeBrowseState(kept(table)), undefined);
  });
}

test('a page that kept nothing names no table', () => assert.equal(decodeBrowseState(undefined), undefined));

test('what is shown of a table beyond its rows is read, or is nothing', () => {
  const view = { subject, hasEnd: true, counting: false, byStatement: true, repeated: 2 };
  assert.deepEqual(decodeBrowseView(view), view);
  assert.equal(decodeBrowseView({ ...view, repeated: undefined }), undefined);
  assert.equal(decodeBrowseView({ ...view, subject: {} }), undefined);
});

test('a jump leads to a row of so many', () => {
  assert.deepEqual(decodeJumpPlace({ row: 3, rowCount: 4 }), { row: 3, rowCount: 4 });
  assert.equal(decodeJumpPlace({ row: 3 }), undefined);
});

test('a window says which of its rows stand elsewhere as well', () => {
  const window = { order: 0, start: 10, rows: [[]], repeated: [10] };
  assert.deepEqual(decodeRowWindow(window), window);
  assert.deepEqual(decodeRowWindow({ ...window, repeated: ['10'] }), { order: 0, start: 10, rows: [[]] });
});
