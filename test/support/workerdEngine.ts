import { after } from 'node:test';
import { asRecord } from '../../src/base/decode.ts';
import { parseExact } from '../../src/wire/exactJson.ts';
import { headerNames } from '../../src/wire/headers.ts';
import { decodeServiceError, faultOf, isRefusal } from '../../src/wire/refusals.ts';
import { encodeSqlRequest } from '../../src/wire/sqlRequest.ts';
import type { SqlParameter } from '../../src/wire/values.ts';
import { type EmptyProject, emptyProject } from './transferProject.ts';
import { openWorkerdService } from './workerdService.ts';

interface WorkerdCall {
  readonly params?: readonly SqlParameter[];
  readonly writeKey?: string;
}

/** An empty project of the Worker on workerd. */
export interface WorkerdEngine extends Pick<EmptyProject, 'project'> {
  /** The folder of the objects. */
  readonly folder: string;
  /** Rows that a statement changed, or its rows as the engine has written them. */
  readonly run: (sql: string, call?: WorkerdCall) => Promise<unknown>;
}

/** Starts the Worker, which ends with the test or the file that calls this. */
export async function openWorkerdEngine(): Promise<WorkerdEngine> {
  const service = await openWorkerdService();
  after(() => service[Symbol.asyncDispose]());
  const empty = await emptyProject(service);
  return {
    project: empty.project,
    folder: service.folder,
    run: async (sql, call) => runStatement(empty, sql, call),
  };
}

/** Sends a statement once. Decodes no value, as the client would. */
export async function runStatement(
  { baseUrl, projectId, apiKey }: Pick<EmptyProject, 'baseUrl' | 'projectId' | 'apiKey'>,
  sql: string,
  { params = [], writeKey }: WorkerdCall = {},
): Promise<unknown> {
  const answer = await fetch(`${baseUrl}/serviceSql/projects/${projectId}/sql`, {
    method: 'POST',
    headers: {
      [headerNames.contentType]: 'application/json',
      [headerNames.apiKey]: apiKey,
      ...(writeKey !== undefined && { [headerNames.idempotencyKey]: writeKey }),
    },
    body: encodeSqlRequest({ sql, params }),
  });
  const text = await answer.text();
  if (!answer.ok) throw decodeServiceError(answer.status, text);
  const body = asRecord(parseExact(text)) ?? {};
  // An error may come after the first rows.
  if (isRefusal(body)) throw faultOf(answer.status, body);
  return body['rows'] ?? body['row_count'];
}
