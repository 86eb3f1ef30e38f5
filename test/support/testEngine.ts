import assert from 'node:assert/strict';
import type { Outcome, RowsOutcome, SqlCall } from '../../src/service/engine.ts';
import { SqliteEngine, type SqliteEngineOptions } from '../../src/service/engines/sqlite/sqliteEngine.ts';
import { parseExact } from '../../src/wire/exactJson.ts';
import { encodeSqlRequest } from '../../src/wire/sqlRequest.ts';
import type { SqlParameter } from '../../src/wire/values.ts';
import { temporaryFolder } from './temporaryFolder.ts';

/** A statement for an engine, with what it may have besides its text. */
export interface TestCall extends Partial<Omit<SqlCall, 'body'>> {
  readonly params?: readonly SqlParameter[];
}

export interface TestEngine {
  readonly engine: SqliteEngine;
  readonly folder: string;
  /** Rows that a statement changed, or its rows. */
  readonly run: (sql: string, call?: TestCall & { project?: string }) => Promise<unknown>;
}

/** An engine on a new folder. Both end with the test. */
export function startTestEngine(
  context: { after(end: () => Promise<void>): void },
  options: SqliteEngineOptions = {},
): TestEngine {
  const folder = temporaryFolder();
  const engine = new SqliteEngine(folder, options);
  context.after(() => engine.close());
  return {
    engine,
    folder,
    run: async (sql, { project = 'project', ...call } = {}) =>
      resultOf(await engine.execute(project, sqlCall(sql, call))),
  };
}

export function sqlCall(sql: string, call: TestCall = {}): SqlCall {
  const { params = [], idempotencyKey, scope = 'full', signal } = call;
  return { body: Buffer.from(encodeSqlRequest({ sql, params })), idempotencyKey, scope, signal };
}

/** Returns the number of changed rows, or the rows. */
export async function resultOf(outcome: Outcome): Promise<unknown> {
  return outcome.kind === 'count' ? outcome.rowCount : rowsOf(outcome.batches);
}

export async function rowsOf(batches: AsyncIterable<Uint8Array>): Promise<unknown> {
  return parseExact(`[${Buffer.concat(await Array.fromAsync(batches)).toString()}]`);
}

/** A statement that never ends. */
export const endless = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';

export const manyRows = (count: number): string =>
  `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) SELECT i, hex(i) AS text FROM n`;

export async function openRows(engine: SqliteEngine, sql: string, signal?: AbortSignal): Promise<RowsOutcome> {
  const outcome = await engine.execute('project', sqlCall(sql, { signal }));
  assert.ok(outcome.kind === 'rows');
  return outcome;
}

/** Reads the first rows and leaves the others unread until the engine may not send further ones. */
export async function pauseRows(
  engine: SqliteEngine,
  run: (sql: string) => Promise<unknown>,
  sql = manyRows(1_000_000),
) {
  const batches = (await openRows(engine, sql)).batches[Symbol.asyncIterator]();
  let text = Buffer.from(((await batches.next()).value as Uint8Array | undefined) ?? []).toString();
  for (let turn = 0; turn < 100; turn++) await run('SELECT 1');
  const rest = async (): Promise<void> => {
    for (let next = await batches.next(); !next.done; next = await batches.next()) {
      text += Buffer.from(next.value).toString();
    }
  };
  return { rest, rowCount: () => (JSON.parse(`[${text}]`) as unknown[]).length };
}
