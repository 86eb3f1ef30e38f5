import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeBrowseState, decodeBrowseView, decodeJumpTarget } from '../../src/protocol/browsing.ts';

const subject = { profileId: 'http://a#1', project: 'Shop', table: 'customers', kind: 'view' } as const;
const arrangement = { sort: [{ column: 1, descending: true }], filters: [] };
const state = { ...subject, runId: 'a', columns: ['id', 'name'], arrangement, row: 12 };

const remembered = (table: unknown): object => ({ browsing: { table } });

test('the table that a page remembers is read again', () => {
  assert.deepEqual(decodeBrowseState(JSON.parse(JSON.stringify({ grids: {}, ...remembered(state) }))), state);
});

for (const table of [undefined, {}, { ...state, row: -1 }, { ...state, columns: [1] }, { ...state, profileId: '' }]) {
  test(`${JSON.stringify(table)} is refused as a remembered table`, () => {
    assert.equal(decodeBrowseState(remembered(table)), undefined);
  });
}

test('a page that remembers nothing names no table', () => assert.equal(decodeBrowseState(undefined), undefined));

test('the view of a browsed table decodes, and an incomplete one is refused', () => {
  const view = { subject, hasEnd: true, counting: false, byStatement: true };
  assert.deepEqual(decodeBrowseView(view), view);
  assert.equal(decodeBrowseView({ ...view, subject: {} }), undefined);
});

test('a jump target has a row and a row count', () => {
  assert.deepEqual(decodeJumpTarget({ row: 3, rowCount: 4 }), { row: 3, rowCount: 4 });
  assert.equal(decodeJumpTarget({ row: 3 }), undefined);
});
