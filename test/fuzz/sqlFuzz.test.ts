import { test } from 'node:test';
import { fuzzSql } from './sqlFuzz.ts';

for (const seed of [1, 2, 3]) {
  test(`the SQL core agrees with SQLite on random SQL (seed ${seed})`, async () => {
    await fuzzSql(seed, 800);
  });
}
