import { decodeUtf8 } from '../../../base/decode.ts';
import { isReadByFirstWord } from '../../../sql/effect/effectByFirstWord.ts';
import { serviceCodes, ServiceError } from '../../../wire/serviceError.ts';
import { decodeSqlRequest } from '../../../wire/sqlRequest.ts';
import { internalError, tooLarge } from '../../faults.ts';
import type { ProjectRequest } from './projectBridge.ts';

/** The process ended before it answered the call. The call has changed nothing and may be repeated. */
export class ProcessGone extends Error {
  /** Whether the process ended by itself, perhaps because of the call. */
  readonly crashed: boolean;

  constructor(crashed: boolean) {
    super('The process of the project has ended.');
    this.crashed = crashed;
  }
}

/** Whether a request with an unknown outcome may be repeated. */
export function isRepeatable(request: ProjectRequest): boolean {
  if (request.method !== 'execute') return true;
  const { body, idempotencyKey, scope } = request.params;
  if (scope === 'read' || idempotencyKey !== undefined) return true;
  if (body.length > maxDecodedBytes) return false;
  const statement = decodeSqlRequest(decodeUtf8(body) ?? '');
  // An invalid body changes nothing.
  return typeof statement === 'string' || isReadByFirstWord(statement.sql);
}

/** Decoding such a body takes the service a few milliseconds. A longer body would delay the calls of other projects. */
const maxDecodedBytes = 64 * 1024;

export function statementTimeout(limitMs: number): ServiceError {
  const message = `The statement ran for more than ${limitMs / 1000} s and was stopped. It has changed nothing.`;
  return new ServiceError({ status: 504, code: serviceCodes.statementTimeout, message });
}

export function inDoubt(): ServiceError {
  return internalError(
    'The process of the project ended before it reported the outcome of the statement. Check the data before you repeat the statement; with an idempotency key you can repeat it safely.',
  );
}

/** The rows may be those of a committed write, so the message does not speak of changes. */
export function readerTimeout(limitMs: number): ServiceError {
  const message = `The rows waited for their reader for more than ${limitMs / 1000} s in all, so the rest was dropped. Read them faster, or fewer of them at once.`;
  return new ServiceError({ status: 504, code: serviceCodes.readerTimeout, message });
}

/** The rows of a write come after its commit. */
export function rowsLost(): ServiceError {
  return internalError(
    'The process of the project ended while it sent the rows of the statement. The changes of the statement are committed. Check the data before you repeat the statement; with its idempotency key you can repeat it safely.',
  );
}

export function tooMuchMemory(maxMegabytes: number): ServiceError {
  return tooLarge(
    `The statement needed more than ${maxMegabytes} MB of memory and was stopped. It has changed nothing. Use fewer or shorter values at once.`,
  );
}

/** Whether the process may have ended without storing the call's key. */
export function mayHaveLostKey(thrown: unknown): boolean {
  return !(thrown instanceof ServiceError) || lostKeyCodes.has(thrown.code);
}

const lostKeyCodes: ReadonlySet<string> = new Set([
  serviceCodes.statementTimeout,
  serviceCodes.tooLarge,
  serviceCodes.internal,
]);
