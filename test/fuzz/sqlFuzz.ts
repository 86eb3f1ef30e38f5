/**
 * Random SQL against SQLite itself: statements end where its tail says, the parser takes what it takes and sees the first
 * fault where it does, no write is called harmless, nothing throws and nothing takes long. `npm run fuzz:sql` runs it for long, with a seed of its own
 * each time; a seed and a count may be given.
 */
import assert from 'node:assert/strict';
import { completionAt } from '../../src/sql/completion.ts';
import { parameterHints } from '../../src/sql/parameterHints.ts';
import { parseStatement } from '../../src/sql/parser.ts';
import { splitStatements } from '../../src/sql/splitter.ts';
import { effectOf } from '../../src/sql/statementEffect.ts';
import { StatementIndex } from '../../src/sql/statementIndex.ts';
import { ddl } from '../sql/corpus.ts';
import { agreement } from '../support/judgesAsSqlite.ts';
import { corpusSchema } from '../support/proposedAt.ts';
import { openSqliteOracle, type SqliteOracle, type Verdict } from '../support/sqliteOracle.ts';
import { checkSplit } from '../support/splitsAsSqlite.ts';
import { seeded } from './documents.ts';
import { randomScript } from './sqlTexts.ts';

/** What a step may take. A busy machine may halt any one of them, so the best of three counts. */
const mostMilliseconds = 50;

export interface FuzzFigures {
  readonly slowestMs: number;
  readonly statements: number;
}

export async function fuzzSql(seed: number, count: number): Promise<FuzzFigures> {
  const oracle = await openSqliteOracle(ddl);
  const random = seeded(seed);
  let slowestMs = 0;
  let statements = 0;
  for (let index = 0; index < count; index++) {
    const text = randomScript(random);
    try {
      checkSplit(oracle, text);
      for (const { start, end } of splitStatements(text)) {
        statements++;
        slowestMs = Math.max(slowestMs, checkStatementAt(oracle, text, start, end));
      }
    } catch (thrown) {
      throw new Error(`seed ${seed}, script ${index}: ${JSON.stringify(text)}`, { cause: thrown });
    }
  }
  return { slowestMs, statements };
}

/** Returns how long the slowest step took. */
function checkStatementAt(oracle: SqliteOracle, text: string, start: number, end: number): number {
  const sql = text.slice(start, end);
  const steps = [
    () => parseStatement(text, start, end),
    () => effectOf(sql),
    () => parameterHints(sql),
    () => completionAt(sql, (start * 31 + end * 7) % (sql.length + 1), corpusSchema),
    () => new StatementIndex(text).apply({ start, end: start + 1, text: ';' }),
  ];
  const ms = Math.max(...steps.map(bestOfThree));
  assert.ok(ms <= mostMilliseconds, `${ms} ms`);
  const { accepts, position } = agreement(oracle, sql);
  const verdict = oracle.judge(sql);
  assert.ok(accepts, `SQLite differs: ${verdict.message}`);
  assert.notEqual(position, false, `SQLite sees the fault elsewhere: ${verdict.offset}`);
  if (verdict.kind === 'statement' && verdict.tail === sql.length) checkMeaning(sql, verdict);
  return ms;
}

/** What we call harmless is so to SQLite, and its parameters are those that it counts. */
function checkMeaning(sql: string, { readOnly, parameterCount }: Verdict): void {
  const effect = effectOf(sql);
  assert.ok(effect.certain, 'this is one statement');
  if (effect.readOnly || (effect.kind === 'read' && !effect.explains)) assert.ok(readOnly, 'this may write');
  const hints = parameterHints(sql);
  if (hints.every(({ positional }) => positional)) assert.equal(hints.length, parameterCount);
}

function bestOfThree(step: () => unknown): number {
  let best = Infinity;
  for (let run = 0; run < 3; run++) {
    const started = performance.now();
    step();
    best = Math.min(best, performance.now() - started);
    if (best < mostMilliseconds / 10) break;
  }
  return best;
}

if (import.meta.main) {
  const seed = Number(process.argv[2] ?? Date.now() % 2 ** 31);
  const count = Number(process.argv[3] ?? 100_000);
  console.log(`seed ${seed}, ${count} scripts`);
  console.log(await fuzzSql(seed, count));
}
