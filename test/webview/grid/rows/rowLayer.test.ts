import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowsToMount } from '../../../../webview/grid/rows/rowLayer.ts';

for (const [active, expected] of [
  [undefined, [5, 6, 7]],
  [6, [5, 6, 7]],
  [4, [4, 5, 6, 7]],
  [0, [0, 5, 6, 7]],
  [8, [5, 6, 7, 8]],
] as const) {
  test(`with row ${active} active, rows ${expected.join(', ')} have elements, in order`, () =>
    assert.deepEqual(rowsToMount([5, 8], active), expected));
}
