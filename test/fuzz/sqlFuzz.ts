/*
 * Compares the SQL core with SQLite on random SQL. Statements end where SQLite ends them. The parser accepts the same
 * statements and finds the same first fault. No write counts as a read. Formatting is stable. The faults after an edit are
 * those of a new diagnosis. Colours, outline and hints lie within the statement. Nothing throws or takes long.
 *
 * `npm run fuzz:sql [seed] [count]` runs it for a long time, by default with a random seed.
 */
import assert from 'node:assert/strict';
import { completionAt } from '../../src/sql/completion/completion.ts';
import type { Diagnosis } from '../../src/sql/diagnosis/diagnosis.ts';
import { parameterHints } from '../../src/sql/parameters/parameterHints.ts';
import { parseStatement } from '../../src/sql/parser/parser.ts';
import type { ShadowSchema } from '../../src/sql/shadow/shadowSchema.ts';
import { splitStatements } from '../../src/sql/text/splitter.ts';
import { effectOf } from '../../src/sql/effect/statementEffect.ts';
import { StatementIndex } from '../../src/sql/text/statementIndex.ts';
import { ddl } from '../sql/corpus.ts';
import { corpusStatements } from '../support/corpusShadow.ts';
import { diagnosisWith } from '../support/faultTexts.ts';
import { formatDocument } from '../support/formatDocument.ts';
import { agreement } from '../support/syntaxAgreement.ts';
import { corpusSchema } from '../support/completeMarked.ts';
import { cpuMs, cpuMsSince, slowness } from '../support/cpuTime.ts';
import { checkAgainstExecution } from '../support/checkAgainstExecution.ts';
import { openSqliteOracle, type SqliteOracle, type OracleResult } from '../support/sqliteOracle.ts';
import { checkFeatures } from '../support/checkFeatures.ts';
import { checkSplit } from '../support/checkSplit.ts';
import { openShadow } from '../support/openShadow.ts';
import { type Random, seeded } from './random.ts';
import { randomSchemaDocument, smallSchema } from './schemaTexts.ts';
import { randomPiece, randomScript } from './sqlTexts.ts';

/** The CPU time of one step. The best of three runs counts, because the engine compiles code and collects garbage. */
const maxStepMs = 50;

/** Comparing DDL takes a new engine. So it follows only one of this many scripts. */
const scriptsPerSchemaCheck = 100;

export async function fuzzSql(
  seed: number,
  count: number,
): Promise<{ readonly slowestMs: number; readonly statements: number }> {
  const oracle = await openSqliteOracle(ddl);
  const shadow = await openShadow(corpusStatements);
  const small = await openShadow(smallSchema);
  const random = seeded(seed);
  let slowestMs = 0;
  let statements = 0;
  for (let index = 0; index < count; index++) {
    const text = randomScript(random);
    try {
      checkSplit(oracle, text);
      slowestMs = Math.max(slowestMs, checkLayout(text), await checkDiagnosis(shadow, random, text));
      if (index % scriptsPerSchemaCheck === 0) {
        await checkAgainstExecution(small, smallSchema, randomSchemaDocument(random, 40));
      }
      for (const { start, end } of splitStatements(text)) {
        statements++;
        slowestMs = Math.max(slowestMs, checkStatementAt(oracle, text, start, end));
      }
    } catch (thrown) {
      throw new Error(`seed ${seed}, script ${index}: ${JSON.stringify(text)}`, { cause: thrown });
    }
  }
  shadow.dispose();
  small.dispose();
  return { slowestMs, statements };
}

/** Returns the time in milliseconds. */
function checkLayout(text: string): number {
  const once = formatDocument(text);
  assert.equal(formatDocument(once), once, 'formatting is stable');
  const ms = bestOfThree(() => formatDocument(text));
  assertQuick(ms, 'formatting');
  return ms;
}

/** Compares the faults after a random edit with those of a new diagnosis. Returns the time of the slower diagnosis. */
async function checkDiagnosis(shadow: ShadowSchema, random: Random, text: string): Promise<number> {
  const diagnosis = diagnosisWith(shadow, text);
  const beforeMs = await timeOfFaults(diagnosis);
  const start = Math.floor(random() * (text.length + 1));
  const end = Math.min(text.length, start + Math.floor(random() * 12));
  const inserted = randomPiece(random);
  diagnosis.apply({ start, end, text: inserted });
  const afterMs = await timeOfFaults(diagnosis);
  const edited = text.slice(0, start) + inserted + text.slice(end);
  const description = `${JSON.stringify(edited)} after an edit`;
  assert.equal(diagnosis.index.text, edited);
  assert.deepEqual(await diagnosis.faults(), await diagnosisWith(shadow, edited).faults(), description);
  const ms = Math.max(beforeMs, afterMs);
  if (ms <= maxStepMs) return ms;
  const newEngineMs = await timeWithNewEngines(edited);
  assertQuick(newEngineMs, description);
  return newEngineMs;
}

async function timeOfFaults(diagnosis: Diagnosis): Promise<number> {
  const before = process.threadCpuUsage();
  const faults = await diagnosis.faults();
  const ms = cpuMsSince(before);
  const { length } = diagnosis.index.text;
  assert.ok(faults?.every(fault => 0 <= fault.start && fault.start <= fault.end && fault.end <= length));
  return ms;
}

/** The time with new engines. They have no caches from earlier scripts. */
async function timeWithNewEngines(text: string): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 3; run++) {
    const shadow = await openShadow(corpusStatements);
    times.push(await timeOfFaults(diagnosisWith(shadow, text)));
    shadow.dispose();
  }
  return Math.min(...times);
}

/** Returns the time of the slowest step. */
function checkStatementAt(oracle: SqliteOracle, text: string, start: number, end: number): number {
  const sql = text.slice(start, end);
  const offset = (start * 31 + end * 7) % (sql.length + 1);
  const steps = [
    () => parseStatement(text, start, end),
    () => effectOf(sql),
    () => parameterHints(sql),
    () => completionAt(sql, offset, corpusSchema),
    () => new StatementIndex(text).apply({ start, end: start + 1, text: ';' }),
    () => checkFeatures(sql, offset),
  ];
  const ms = Math.max(...steps.map(bestOfThree));
  assertQuick(ms, sql);
  const { accepts, position } = agreement(oracle, sql);
  const result = oracle.prepare(sql);
  assert.ok(accepts, `SQLite differs: ${result.message}`);
  assert.notEqual(position, false, `SQLite sees the fault elsewhere: ${result.offset}`);
  if (result.kind === 'statement' && result.tail === sql.length) checkEffect(sql, result);
  return ms;
}

/** Compares the effect and the parameters with SQLite. */
function checkEffect(sql: string, { readOnly, parameterCount }: OracleResult): void {
  const effect = effectOf(sql);
  assert.ok(effect.certain, 'the effect of one statement is certain');
  if (effect.readOnly || (effect.kind === 'read' && !effect.explains)) assert.ok(readOnly, 'the statement writes');
  const hints = parameterHints(sql);
  if (hints.every(({ positional }) => positional)) assert.equal(hints.length, parameterCount);
}

function assertQuick(ms: number, what: string): void {
  assert.ok(ms <= maxStepMs || ms <= maxStepMs * slowness(), `${ms} ms for ${what}`);
}

function bestOfThree(step: () => unknown): number {
  let best = Infinity;
  for (let run = 0; run < 3; run++) {
    best = Math.min(best, cpuMs(step));
    if (best < maxStepMs / 10) break;
  }
  return best;
}

if (import.meta.main) {
  const seed = Number(process.argv[2] ?? Date.now() % 2 ** 31);
  const count = Number(process.argv[3] ?? 100_000);
  console.log(`seed ${seed}, ${count} scripts`);
  console.log(await fuzzSql(seed, count));
}
