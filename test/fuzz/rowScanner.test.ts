import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slowness } from '../support/cpuTime.ts';
import { fuzz } from './rowScannerFuzz.ts';

/** A reader whose work grows faster than its answer takes minutes. */
const maxPieceMs = 1000;

for (const seed of [1, 2, 3, 4]) {
  test(`Streaming 2, 3 and 7: random and hostile answers have the rows and faults that they should (seed ${seed})`, async () => {
    const { slowestPieceMs } = await fuzz(seed, 1000);
    assert.ok(slowestPieceMs < maxPieceMs * slowness(), `${slowestPieceMs} ms for a piece`);
  });
}
