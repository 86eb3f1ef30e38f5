import type { Clock } from '../base/clock.ts';
import { asCount, asString, object } from '../base/decode.ts';
import { protocolError } from '../base/errors.ts';
import type { Client, ProjectStatus } from '../client/index.ts';
import { maxSmallAnswerBytes } from '../wire/answerLimits.ts';

export interface ConnectionReport {
  readonly milliseconds: number;
  readonly tables: number;
  /** The SQLite version that answered. */
  readonly version: string;
}

/** A statement tests what every service offers, and what the API key is for. */
const statement = `SELECT sqlite_version() AS version,
  (SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite~_%' ESCAPE '~') AS tables`;

const decodeRow = object({ tables: asCount, version: asString });

/** Sends one statement to a project, without retries: the user wants to see the fault at once. */
export async function testConnection(
  client: Client,
  projectId: string,
  { clock, signal }: { readonly clock: Clock; readonly signal?: AbortSignal },
): Promise<ConnectionReport> {
  const startedAt = clock.now();
  const options = { retries: 0, signal, maxAnswerBytes: maxSmallAnswerBytes };
  const { rows } = await client.execSql(projectId, { sql: statement }, options);
  const milliseconds = Math.round(clock.now() - startedAt);
  const row = decodeRow(rows[0]);
  // Some other server at this address may answer every request with success.
  if (!row) throw protocolError('unexpected_answer', 'The answer does not have the row that the statement selects.');
  return { milliseconds, ...row };
}

/** Whether the project is active. Undefined if the service does not say: not every service does. */
export async function statusOf(client: Client, projectId: string): Promise<ProjectStatus | undefined> {
  try {
    return await client.projectStatus(projectId, { retries: 0 });
  } catch {
    return undefined;
  }
}
