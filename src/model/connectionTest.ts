import type { Clock } from '../base/clock.ts';
import { asCount, asString, nullable, object } from '../base/decode.ts';
import { asProjectError, refuseAnswer } from '../base/errors.ts';
import type { Client, ProjectStatus } from '../client/index.ts';
import { isOfUser } from '../sql/tables/userTables.ts';
import { maxSmallAnswerBytes } from '../wire/answerLimits.ts';
import { serviceCodes } from '../wire/serviceError.ts';

export interface ConnectionReport {
  readonly milliseconds: number;
  readonly tables: number;
  /** The SQLite version that answered. Not every service lets statements select it. */
  readonly version: string | undefined;
}

/** A statement tests what every service offers, and what the API key is for. */
const tableCount = `(SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND ${isOfUser('name')}) AS tables`;
const statement = `SELECT sqlite_version() AS version, ${tableCount}`;
const statementWithoutVersion = `SELECT NULL AS version, ${tableCount}`;

const refusals: ReadonlySet<string> = new Set([serviceCodes.sqlError, serviceCodes.deniedStatement]);

const decodeRow = object({ tables: asCount, version: nullable(asString) });

/** Sends one statement to a project, without retries: the user wants to see the fault at once. */
export async function testConnection(
  client: Client,
  projectId: string,
  { clock, signal }: { readonly clock: Clock; readonly signal?: AbortSignal },
): Promise<ConnectionReport> {
  const startedAt = clock.now();
  const options = { retries: 0, signal, maxAnswerBytes: maxSmallAnswerBytes };
  const ask = (sql: string): ReturnType<Client['execSql']> => client.execSql(projectId, { sql }, options);
  const { rows } = await ask(statement).catch((thrown: unknown) =>
    refusals.has(asProjectError(thrown)?.code ?? '') ? ask(statementWithoutVersion) : Promise.reject(thrown as Error),
  );
  const milliseconds = Math.round(clock.now() - startedAt);
  // Some other server at this address may answer every request with success.
  const row = decodeRow(rows[0]) ?? refuseAnswer('The answer does not have the row that the statement selects.');
  return { milliseconds, tables: row.tables, version: row.version ?? undefined };
}

/** Whether the project is active. Undefined if the service does not say: not every service does. */
export async function statusOf(client: Client, projectId: string): Promise<ProjectStatus | undefined> {
  try {
    return await client.projectStatus(projectId, { retries: 0 });
  } catch {
    return undefined;
  }
}
