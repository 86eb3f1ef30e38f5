import { hash } from 'node:crypto';
import { changesByFirstWord, namesByFirstWord } from '../../../sql/effect/effectByFirstWord.ts';
import { placeholders } from '../../../sql/parameters/placeholders.ts';
import { backupMark } from '../../../sql/tables/userTables.ts';
import { splitStatements } from '../../../sql/text/splitter.ts';
import { serviceCodes, ServiceError } from '../../../wire/serviceError.ts';
import { exactText, jsonParameters, type SqlParameter } from '../../../wire/values.ts';
import type { IdempotencyKey, SqlCall } from '../../engine.ts';
import {
  badRequest,
  requireDecoded,
  deniedStatement,
  multipleStatements,
  parameterMismatch,
  readOnlyKey,
} from '../../faults.ts';
import { decodeUtf8 } from '../../../base/decode.ts';
import { decodeSqlRequest } from '../../../wire/sqlRequest.ts';

/** Refuses a call whose key belongs to another call. */
export function requireSameCall({ fingerprint }: IdempotencyKey, expected: string): void {
  if (fingerprint === expected) return;
  const message = 'This idempotency key was used for another statement. Use a new key for each statement.';
  throw new ServiceError({ status: 409, code: serviceCodes.idempotencyConflict, message });
}

/** SQLite calls the authorizer for a VACUUM only when it runs, which is too late for a clear message. */
export function requireNoVacuum(sql: string): void {
  const [statement] = splitStatements(sql);
  if (!statement || !/^vacuum\b/i.test(sql.slice(statement.start, statement.start + 7))) return;
  throw deniedStatement('VACUUM is not allowed in a call. The owner of the service runs it with the vacuum command.');
}

/** The first check for a key that only reads. A statement that passes must also be a read according to SQLite. */
export function requireNoChange(sql: string): void {
  if (changesByFirstWord(sql)) throw readOnlyKey();
}

/** The first check of a call. A statement may not make the mark of a backup, or give its name to anything else. */
export function requireStatement(sql: string): void {
  const count = splitStatements(sql).length;
  // Without the flag `u`, only the letters of ASCII fold, as in SQLite.
  if (count === 1 && new RegExp(backupMark, 'i').test(sql) && namesByFirstWord(sql)) {
    throw deniedStatement(`The name ${backupMark} marks the backups of the service. Choose another name.`);
  }
  if (count === 1) return;
  if (count === 0) throw badRequest('The call has no statement. Send one.');
  throw multipleStatements(`The call has ${count} statements. Send one statement in each call.`);
}

/** SQLite runs only the first statement. The splitter may have taken more for one statement than SQLite does. */
export function requireNothingAfter(rest: string): void {
  if (splitStatements(rest).length === 0) return;
  throw multipleStatements('SQLite sees a second statement in the call. Send one statement in each call.');
}

/** SQLite would bind NULL to a `?` without a value, and a REAL for an integer beyond 64 bits. */
export function requireParameters(sql: string, params: readonly SqlParameter[]): void {
  const marks = placeholders(sql);
  const named = marks.find(({ positional }) => !positional);
  if (named) {
    throw parameterMismatch(
      `The placeholder ${sql.slice(named.start, named.end)} is not supported. Use ? placeholders.`,
    );
  }
  if (marks.length !== params.length) {
    throw parameterMismatch(
      `The statement has ${marks.length} ? placeholders, but the call has ${params.length} values.`,
    );
  }
  const large = params.findIndex(value => typeof value === 'bigint' && BigInt.asIntN(64, value) !== value);
  if (large === -1) return;
  throw badRequest(`Parameter ${large + 1} does not fit into a 64-bit integer. Send it as text.`);
}

export interface DecodedCall {
  readonly sql: string;
  readonly params: readonly SqlParameter[];
  readonly writeKey: IdempotencyKey | undefined;
}

/** The statement in a body. Invalid UTF-8 is refused: it would be stored as other characters. */
export function decodeCall({ body, idempotencyKey: key }: Pick<SqlCall, 'body' | 'idempotencyKey'>): DecodedCall {
  const text = decodeUtf8(body);
  if (text === undefined) throw badRequest('The body is not valid UTF-8.');
  const { sql, params } = requireDecoded(decodeSqlRequest(text));
  if (key === undefined) return { sql, params, writeKey: undefined };
  return { sql, params, writeKey: { key, fingerprint: fingerprintOf(sql, params) } };
}

/** Calls with the same statement and values have the same fingerprint, however their JSON was written. */
function fingerprintOf(sql: string, params: readonly SqlParameter[]): string {
  // A long text is not encoded again. Its length says where it ends.
  const values = jsonParameters(params).map(value =>
    typeof value === 'string' ? `${value.length}:${value}` : exactText(value),
  );
  return hash('sha256', [`${sql.length}:${sql}`, ...values].join(','));
}
