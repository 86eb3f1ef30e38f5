import type { UnknownRecord } from '../base/shape.ts';
import { projectStatusBody, tableCountBody, tableSchemaBody } from '../wire/answerBodies.ts';
import { headerNames } from '../wire/headers.ts';
import { decodeSqlRequest } from '../wire/sqlRequest.ts';
import { jsonAnswer, type Report, rowsAnswer } from './answer.ts';
import { checkedBatches } from './checkedBatches.ts';
import type { Engine, RowsOutcome } from './engine.ts';
import { fingerprintOf } from './fingerprint.ts';
import { badRequest, decoded, jsonObject, jsonText } from './requestBody.ts';

/** A call to one project, whose key has been checked. */
export interface ProjectCall {
  readonly engine: Engine;
  readonly report: Report;
  readonly request: Request;
  readonly projectId: string;
  /** Throws when the key was revoked meanwhile. */
  readonly requireKey: () => void;
}

const browseLimits = { usual: 100, most: 10_000 };
const longestIdempotencyKey = 255;

export async function executeSql(call: ProjectCall): Promise<Response> {
  const { engine, request, projectId } = call;
  const { sql, params } = decoded(decodeSqlRequest(await jsonText(request)));
  const key = idempotencyKey(request.headers);
  const once = key === undefined ? undefined : { key, fingerprint: await fingerprintOf({ sql, params }) };
  const outcome = await engine.execute(projectId, { sql, params, once, signal: request.signal });
  const answer =
    outcome.kind === 'count' ? jsonAnswer({ ok: true, row_count: outcome.rowCount }) : await rows(call, outcome);
  if (outcome.replayed) answer.headers.set(headerNames.idempotencyReplayed, 'true');
  return answer;
}

export async function browseRows(call: ProjectCall, table: string): Promise<Response> {
  const { engine, request, projectId } = call;
  const { searchParams } = new URL(request.url);
  const limit = Math.min(countParameter(searchParams, 'limit', browseLimits.usual), browseLimits.most);
  const offset = countParameter(searchParams, 'offset', 0);
  const outcome = await engine.browse(projectId, { table, limit, offset }, request.signal);
  return rows(call, outcome, { limit, offset, table });
}

async function rows({ report, requireKey }: ProjectCall, outcome: RowsOutcome, more: object = {}): Promise<Response> {
  const checked = { batches: checkedBatches(outcome.batches, requireKey) };
  return rowsAnswer(checked, () => ({ ...more, columns: outcome.columns(), ok: true }), report);
}

export async function listTables({ engine, projectId }: ProjectCall): Promise<UnknownRecord> {
  return { tables: await engine.listTables(projectId) };
}

export async function tableSchema({ engine, projectId }: ProjectCall, table: string): Promise<UnknownRecord> {
  const columns = (await engine.schema(projectId, table)).map(
    ({ cid: position, name, type, notNull, default: defaultValue, primaryKey }) => {
      return { position, name, type, notNull, defaultValue, primaryKey };
    },
  );
  return tableSchemaBody({ table, columns });
}

export async function countTables({ engine, projectId }: ProjectCall): Promise<UnknownRecord> {
  return tableCountBody(projectId, await engine.countTables(projectId));
}

export function projectStatus({ projectId }: ProjectCall): UnknownRecord {
  return projectStatusBody({ projectId, isActive: true, status: 'active' });
}

/** Each statement is committed before it is answered, so there is never anything left to commit. */
export async function commit({ request, projectId }: ProjectCall): Promise<UnknownRecord> {
  await jsonObject(request);
  return { ok: true, project_id: projectId, committed_ops: 0 };
}

function idempotencyKey(headers: Headers): string | undefined {
  const key = headers.get(headerNames.idempotencyKey);
  if (key === null) return undefined;
  if (key !== '' && key.length <= longestIdempotencyKey) return key;
  throw badRequest(`${headerNames.idempotencyKey} must have 1 to ${longestIdempotencyKey} characters.`);
}

function countParameter(parameters: URLSearchParams, name: string, usual: number): number {
  const [text, ...more] = parameters.getAll(name);
  if (text === undefined) return usual;
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && more.length === 0) return value;
  throw badRequest(`The parameter "${name}" must be one whole number, 0 or more.`);
}
