import { test } from 'node:test';
import { fuzzSql } from './sqlFuzz.ts';

for (const seed of [1, 2, 3]) {
  test(`random SQL: cut, taken and refused as SQLite does (seed ${seed})`, async () => {
    await fuzzSql(seed, 1000);
  });
}
