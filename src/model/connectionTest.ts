import type { Client } from '../client/index.ts';
import { protocolError } from '../base/errors.ts';
import { asCount, asString } from '../base/shape.ts';

export interface ConnectionReport {
  readonly milliseconds: number;
  readonly tables: number;
  /** The version of SQLite that answered. */
  readonly version: string;
}

/** One statement, since running statements is what every service can do and what the key is for. */
const statement = `SELECT sqlite_version() AS version,
  (SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~') AS tables`;

/** Asks a project one question, once: whoever tests wants to see the fault and not to wait for retries. */
export async function testConnection(
  client: Client,
  projectId: string,
  { now, signal }: { now: () => number; signal?: AbortSignal },
): Promise<ConnectionReport> {
  const startedAt = now();
  const { rows } = await client.execSql(projectId, { sql: statement }, { retries: 0, signal });
  const milliseconds = Math.round(now() - startedAt);
  const [tables, version] = [asCount(rows[0]?.['tables']), asString(rows[0]?.['version'])];
  // Something else at this address may take any request, and say that all is well.
  if (tables === undefined || version === undefined) {
    throw protocolError('unexpected_answer', 'It has no row of the statement that was sent.');
  }
  return { milliseconds, tables, version };
}
