/**
 * Random SQL against SQLite itself: statements end where its tail says, the parser takes what it takes and sees the first
 * fault where it does, no write is called harmless, a layout stays as it is when it is laid out again, the faults after an
 * edit are those of a fresh look, nothing throws and nothing takes long. `npm run fuzz:sql` runs it for long, with a seed of
 * its own each time; a seed and a count may be given.
 */
import assert from 'node:assert/strict';
import { completionAt } from '../../src/sql/completion/completion.ts';
import { Diagnosis } from '../../src/sql/diagnosis/diagnosis.ts';
import { formatDocument } from '../../src/sql/formatter/formatter.ts';
import { parameterHints } from '../../src/sql/parameters/parameterHints.ts';
import { parseStatement } from '../../src/sql/parser/parser.ts';
import { ShadowSchema } from '../../src/sql/shadow/shadowSchema.ts';
import { splitStatements } from '../../src/sql/text/splitter.ts';
import { effectOf } from '../../src/sql/effect/statementEffect.ts';
import { StatementIndex } from '../../src/sql/text/statementIndex.ts';
import { ddl } from '../sql/corpus.ts';
import { checkEdits } from '../support/checkEdits.ts';
import { agreement } from '../support/syntaxAgreement.ts';
import { corpusSchema } from '../support/proposedAt.ts';
import { checkAgainstExecution } from '../support/checkAgainstExecution.ts';
import { openSqliteOracle, type SqliteOracle, type OracleResult } from '../support/sqliteOracle.ts';
import { checkSplit } from '../support/checkSplit.ts';
import { wasmBinary } from '../support/wasmDatabase.ts';
import { type Random, seeded } from './documents.ts';
import { randomSchemaDocument, smallSchema } from './schemaTexts.ts';
import { randomPiece, randomScript } from './sqlTexts.ts';

/** What a step may take. A busy machine may halt any one of them, so the best of three counts. */
const mostMilliseconds = 50;

/** A document that changes its schema takes an engine of its own to compare with, so not every text is followed by one. */
const betweenSchemas = 100;

export interface FuzzFigures {
  readonly slowestMs: number;
  readonly statements: number;
}

export async function fuzzSql(seed: number, count: number): Promise<FuzzFigures> {
  const oracle = await openSqliteOracle(ddl);
  const shadow = await ShadowSchema.open({ wasmBinary, ddl: statementsOf(ddl) });
  const small = await ShadowSchema.open({ wasmBinary, ddl: smallSchema });
  const random = seeded(seed);
  let slowestMs = 0;
  let statements = 0;
  for (let index = 0; index < count; index++) {
    const text = randomScript(random);
    try {
      checkSplit(oracle, text);
      slowestMs = Math.max(slowestMs, checkLayout(text), await checkDiagnosis(shadow, random, text));
      if (index % betweenSchemas === 0) {
        await checkAgainstExecution(small, smallSchema, randomSchemaDocument(random, 40));
        await checkEdits(smallSchema, random);
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

const statementsOf = (text: string): string[] => splitStatements(text).map(({ start, end }) => text.slice(start, end));

/** Returns how long it took. */
function checkLayout(text: string): number {
  const once = formatDocument(text);
  assert.equal(formatDocument(once), once, 'a layout that is laid out otherwise');
  const ms = bestOfThree(() => formatDocument(text));
  assert.ok(ms <= mostMilliseconds, `${ms} ms for the layout`);
  return ms;
}

/** Looks at a text, changes it somewhere, and looks at it again and afresh. Returns how long the slower look took. */
async function checkDiagnosis(shadow: ShadowSchema, random: Random, text: string): Promise<number> {
  const diagnosis = new Diagnosis(text);
  diagnosis.useSchema(shadow);
  const before = await timeOfLook(diagnosis);
  const start = Math.floor(random() * (text.length + 1));
  const end = Math.min(text.length, start + Math.floor(random() * 12));
  const inserted = randomPiece(random);
  diagnosis.apply({ start, end, text: inserted });
  const after = await timeOfLook(diagnosis);
  const edited = text.slice(0, start) + inserted + text.slice(end);
  const fresh = new Diagnosis(edited);
  fresh.useSchema(shadow);
  const where = `${JSON.stringify(edited)} after an edit`;
  assert.equal(diagnosis.index.text, edited);
  assert.deepEqual(await diagnosis.faults(), await fresh.faults(), where);
  const ms = Math.max(before, after);
  if (ms <= mostMilliseconds) return ms;
  const again = await timeOfOtherLook(edited);
  assert.ok(again <= mostMilliseconds, `${again} ms for ${where}`);
  return again;
}

async function timeOfLook(diagnosis: Diagnosis): Promise<number> {
  const started = performance.now();
  const faults = await diagnosis.faults();
  const ms = performance.now() - started;
  const { length } = diagnosis.index.text;
  assert.ok(faults?.every(fault => 0 <= fault.start && fault.start <= fault.end && fault.end <= length));
  return ms;
}

/** With engines that remember nothing of the first look. */
async function timeOfOtherLook(text: string): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 3; run++) {
    const shadow = await ShadowSchema.open({ wasmBinary, ddl: statementsOf(ddl) });
    const diagnosis = new Diagnosis(text);
    diagnosis.useSchema(shadow);
    times.push(await timeOfLook(diagnosis));
    shadow.dispose();
  }
  return Math.min(...times);
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
  const result = oracle.prepare(sql);
  assert.ok(accepts, `SQLite differs: ${result.message}`);
  assert.notEqual(position, false, `SQLite sees the fault elsewhere: ${result.offset}`);
  if (result.kind === 'statement' && result.tail === sql.length) checkMeaning(sql, result);
  return ms;
}

/** What we call harmless is so to SQLite, and its parameters are those that it counts. */
function checkMeaning(sql: string, { readOnly, parameterCount }: OracleResult): void {
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
