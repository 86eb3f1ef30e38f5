import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toggleSort, withSort } from '../../../../webview/grid/arrange/arranger.ts';

const up = (column: number) => ({ column, descending: false });
const down = (column: number) => ({ column, descending: true });

test('clicks sort ascending, descending, then not at all', () => {
  assert.deepEqual(toggleSort([], 3, false), [up(3)]);
  assert.deepEqual(toggleSort([up(3)], 3, false), [down(3)]);
  assert.deepEqual(toggleSort([down(3)], 3, false), []);
});

test('a click on another column replaces the sort keys', () => {
  assert.deepEqual(toggleSort([up(1), down(2)], 3, false), [up(3)]);
});

test('with Shift, keys are added, reversed in place, and removed', () => {
  assert.deepEqual(toggleSort([up(1)], 3, true), [up(1), up(3)]);
  assert.deepEqual(toggleSort([up(1), up(3)], 1, true), [down(1), up(3)]);
  assert.deepEqual(toggleSort([down(1), up(3)], 1, true), [up(3)]);
});

test('a menu sets one key among others', () => {
  assert.deepEqual(withSort([up(1), up(2)], 2, down(2), true), [up(1), down(2)]);
  assert.deepEqual(withSort([up(1), up(2)], 1, undefined, true), [up(2)]);
});
