import { test } from 'node:test';
import { fuzzSql } from './sqlFuzz.ts';

for (const seed of [1, 2, 3]) {
  test(`random SQL: cut, taken, refused and judged as SQLite does (seed ${seed})`, async () => {
    await fuzzSql(seed, 800);
  });
}
