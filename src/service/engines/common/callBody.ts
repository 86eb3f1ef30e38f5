import { hash } from 'node:crypto';
import { decodeUtf8 } from '../../../base/decode.ts';
import { decodeSqlRequest, encodeSqlRequest } from '../../../wire/sqlRequest.ts';
import type { SqlParameter } from '../../../wire/values.ts';
import type { IdempotencyKey, SqlCall } from '../../engine.ts';
import { badRequest, decoded } from '../../faults.ts';

/** The statement of a call. */
export interface DecodedCall {
  readonly sql: string;
  readonly params: readonly SqlParameter[];
  readonly writeKey: IdempotencyKey | undefined;
}

/** The statement in a body. Invalid UTF-8 is refused: it would be stored as other characters. */
export function decodeCall({ body, idempotencyKey: key }: Pick<SqlCall, 'body' | 'idempotencyKey'>): DecodedCall {
  const text = decodeUtf8(body);
  if (text === undefined) throw badRequest('The body is not valid UTF-8.');
  const { sql, params } = decoded(decodeSqlRequest(text));
  if (key === undefined) return { sql, params, writeKey: undefined };
  // Calls with the same statement and values have the same fingerprint, however their JSON was written.
  const fingerprint = hash('sha256', encodeSqlRequest({ sql, params }));
  return { sql, params, writeKey: { key, fingerprint } };
}
