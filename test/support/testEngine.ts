import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Outcome, SqlCall } from '../../src/service/engine.ts';
import { SqliteEngine, type SqliteEngineOptions } from '../../src/service/engines/sqlite/sqliteEngine.ts';
import { parseExact } from '../../src/wire/exactJson.ts';

export interface TestEngine {
  readonly engine: SqliteEngine;
  readonly folder: string;
  /** The number of rows that a statement changed, or its rows. */
  readonly run: (sql: string, more?: Partial<SqlCall> & { project?: string }) => Promise<unknown>;
}

/** An engine on a folder of its own, and both gone with the test. */
export function startTestEngine(
  context: { after(end: () => Promise<void>): void },
  options: SqliteEngineOptions = {},
): TestEngine {
  const folder = mkdtempSync(join(tmpdir(), 'engine-'));
  const engine = new SqliteEngine(folder, options);
  context.after(async () => {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    engine,
    folder,
    run: async (sql, { project = 'project', ...more } = {}) =>
      resultOf(await engine.execute(project, { sql, params: [], ...more })),
  };
}

/** The number of rows that were changed, or the rows. */
export async function resultOf(outcome: Outcome): Promise<unknown> {
  return outcome.kind === 'count' ? outcome.rowCount : rowsOf(outcome.batches);
}

export async function rowsOf(batches: AsyncIterable<Uint8Array>): Promise<unknown> {
  return parseExact(`[${Buffer.concat(await Array.fromAsync(batches)).toString()}]`);
}

/** Counts for ever. */
export const endless = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';
