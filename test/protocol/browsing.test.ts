import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeBrowseState } from '../../src/protocol/browsing.ts';

const arrangement = { sort: [{ column: 1, descending: true }], filters: [] };
const state = { runId: 'a', columns: ['id', 'name'], arrangement, row: 12 };

const remembered = (table: unknown): object => ({ browsing: { table } });

test('the table that a page remembers is read again', () => {
  assert.deepEqual(decodeBrowseState(JSON.parse(JSON.stringify({ grids: {}, ...remembered(state) }))), state);
});

for (const table of [undefined, {}, { ...state, row: -1 }, { ...state, columns: [1] }, { ...state, runId: '' }]) {
  test(`${JSON.stringify(table)} is refused as a remembered table`, () => {
    assert.equal(decodeBrowseState(remembered(table)), undefined);
  });
}

test('a page that remembers nothing names no table', () => assert.equal(decodeBrowseState(undefined), undefined));
