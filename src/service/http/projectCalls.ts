import type { UnknownRecord } from '../../base/decode.ts';
import { projectStatusBody, tableCountBody, tableSchemaBody } from '../../wire/answerBodies.ts';
import { headerNames } from '../../wire/headers.ts';
import type { KeyScope } from '../../wire/keyScope.ts';
import type { ProjectRoute } from '../../wire/routes.ts';
import { requireFull } from './access.ts';
import { allRowsAnswer, jsonAnswer, type Report, rowsAnswer } from './answer.ts';
import { type CallNotes, rowsInBatch } from './callNotes.ts';
import type { Engine, RowsOutcome } from '../engine.ts';
import { badRequest } from '../faults.ts';
import type { RequestBodies } from './requestBody.ts';

/** A call to one project, whose key has been checked. */
export interface ProjectCall {
  readonly engine: Engine;
  readonly bodies: RequestBodies;
  readonly report: Report;
  readonly request: Request;
  readonly projectId: string;
  readonly scope: KeyScope;
  /** Throws when the key has been revoked since. */
  readonly requireKey: () => void;
  readonly notes: CallNotes;
  /** Aborts when the client leaves. */
  readonly signal: AbortSignal;
}

/** Answers the requests to one project. */
export async function answerProject(call: ProjectCall, route: ProjectRoute): Promise<Response | UnknownRecord> {
  const { engine, projectId } = call;
  switch (route.name) {
    case 'executeSql':
      return executeSql(call);
    case 'browseRows':
      return browseRows(call, route.table);
    case 'listTables':
      return { tables: await engine.listTables(projectId) };
    case 'tableSchema':
      return tableSchemaBody({ table: route.table, columns: await engine.schema(projectId, route.table) });
    case 'countTables':
      return tableCountBody(projectId, (await engine.listTables(projectId)).length);
    case 'projectStatus':
      return projectStatus(call);
    case 'commit':
      requireFull(call.scope);
      await call.bodies.fields(call.request);
      // Each statement is committed before it is answered, so nothing is left to commit.
      return { ok: true, project_id: projectId, committed_ops: 0 };
  }
}

const browseLimits = { default: 100, max: 10_000 };
const maxIdempotencyKeyLength = 255;

async function executeSql(call: ProjectCall): Promise<Response> {
  const { engine, bodies, request, projectId, scope, signal } = call;
  const key = idempotencyKeyIn(request.headers);
  // A key that only reads leaves no replay records: all of its calls can be repeated.
  const idempotencyKey = scope === 'full' ? key : undefined;
  using body = await bodies.statement(request, projectId);
  const outcome = await engine.execute(projectId, { body: body.bytes, idempotencyKey, scope, signal });
  const answer =
    outcome.kind === 'count' ? jsonAnswer({ ok: true, row_count: outcome.rowCount }) : await rows(call, outcome);
  if (outcome.replayed) answer.headers.set(headerNames.idempotencyReplayed, 'true');
  return answer;
}

function idempotencyKeyIn(headers: Headers): string | undefined {
  const key = headers.get(headerNames.idempotencyKey) ?? undefined;
  if (key === undefined || (key !== '' && key.length <= maxIdempotencyKeyLength)) return key;
  throw badRequest(`${headerNames.idempotencyKey} must have 1 to ${maxIdempotencyKeyLength} characters.`);
}

async function browseRows(call: ProjectCall, table: string): Promise<Response> {
  const { engine, request, projectId, signal } = call;
  const { searchParams } = new URL(request.url);
  const limit = Math.min(countParameter(searchParams, 'limit', browseLimits.default), browseLimits.max);
  const offset = countParameter(searchParams, 'offset', 0);
  const outcome = await engine.browse(projectId, { table, limit, offset }, signal);
  return rows(call, outcome, { limit, offset, table });
}

async function rows(call: ProjectCall, outcome: RowsOutcome, page: object = {}): Promise<Response> {
  const { report, requireKey, notes } = call;
  const tail = (): UnknownRecord => ({ ...page, columns: outcome.columns(), ok: true });
  let hasBegun = false;
  const onBatch = (batch: Uint8Array): void => {
    // The key may be revoked during a long answer.
    if (hasBegun) requireKey();
    hasBegun = true;
    if (notes.rows !== undefined) notes.rows += rowsInBatch(batch);
  };
  if (!outcome.allRows) return rowsAnswer(outcome, tail, { onBatch, report });
  onBatch(outcome.allRows);
  return allRowsAnswer(outcome.allRows, tail());
}

async function projectStatus({ engine, projectId, scope: keyScope }: ProjectCall): Promise<UnknownRecord> {
  const readOnlyReason = await engine.readOnlyReason?.();
  const status = readOnlyReason === undefined ? 'active' : 'read-only';
  const { description } = engine;
  return projectStatusBody({ projectId, isActive: true, status, readOnlyReason, engine: description, keyScope });
}

function countParameter(parameters: URLSearchParams, name: string, defaultValue: number): number {
  const [text, ...others] = parameters.getAll(name);
  if (text === undefined) return defaultValue;
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && others.length === 0) return value;
  throw badRequest(`The parameter "${name}" must be one whole number, 0 or more.`);
}
