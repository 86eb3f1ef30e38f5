import { test } from 'node:test';
import { fuzz } from './rowScannerFuzz.ts';

for (const seed of [1, 2, 3, 4]) {
  test(`Streaming 2, 3 and 7: random documents have the same rows and faults as with stream-json and JSON.parse (seed ${seed})`, async () => {
    await fuzz(seed, 1500);
  });
}
