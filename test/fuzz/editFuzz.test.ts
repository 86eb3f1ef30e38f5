import { test } from 'node:test';
import { fuzzEdits } from './editFuzz.ts';

for (const seed of [1, 2, 3]) {
  test(`faults after edits are those of a document that is opened with the same text (seed ${seed})`, async () => {
    await fuzzEdits(seed, 600);
  });
}
