/**
 * Random SQL against SQLite itself. `npm run fuzz:sql` runs it for long, with a seed of its own each time; a seed and a
 * count may be given.
 */
import { ddl } from '../sql/corpus.ts';
import { openSqliteOracle, type SqliteOracle } from '../support/sqliteOracle.ts';
import { checkSplit } from '../support/splitsAsSqlite.ts';
import { seeded } from './documents.ts';
import { randomScript } from './sqlTexts.ts';

export async function fuzzSql(seed: number, count: number): Promise<void> {
  const oracle = await openSqliteOracle(ddl);
  const random = seeded(seed);
  for (let index = 0; index < count; index++)
    checkScript(oracle, randomScript(random), `seed ${seed}, script ${index}`);
}

function checkScript(oracle: SqliteOracle, text: string, name: string): void {
  try {
    checkSplit(oracle, text);
  } catch (thrown) {
    throw new Error(`${name}: ${JSON.stringify(text)}`, { cause: thrown });
  }
}

if (import.meta.main) {
  const seed = Number(process.argv[2] ?? Date.now() % 2 ** 31);
  const count = Number(process.argv[3] ?? 100_000);
  console.log(`seed ${seed}, ${count} scripts`);
  await fuzzSql(seed, count);
}
