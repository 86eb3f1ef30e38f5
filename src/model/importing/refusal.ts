import { asProjectError } from '../../base/errors.ts';
import { asServiceError } from '../../wire/serviceError.ts';

/**
 * The meaning of an error for the rows that were sent:
 * - `rows`: the statement was refused, perhaps for one of its rows;
 * - `size`: there were too many rows at once;
 * - `later`: the service has no time now, and nothing was done;
 * - `refused`: nothing was done, for a reason that has nothing to do with the rows;
 * - `unknown`: the rows may have been written.
 */
type RefusalKind = 'rows' | 'size' | 'later' | 'refused' | 'unknown';

const laterCodes: ReadonlySet<string> = new Set(['rate_limited', 'busy']);
const sizeCodes: ReadonlySet<string> = new Set(['too_large', 'statement_timeout']);
const storedCodes: ReadonlySet<string> = new Set(['denied_statement']);
/** HTTP statuses that concern the call, not its rows. */
const callStatuses: ReadonlySet<number> = new Set([401, 403, 404, 405, 407, 408, 409, 410, 411, 415, 422, 426, 451]);

export function refusalOf(thrown: unknown): RefusalKind {
  if (asProjectError(thrown)?.kind === 'misuse') return 'refused';
  const error = asServiceError(thrown);
  if (!error) return 'unknown';
  const { status, code } = error;
  if (laterCodes.has(code) || status === 429 || status === 503) return 'later';
  if (sizeCodes.has(code) || status === 413) return 'size';
  if (code === 'disk_full') return 'refused';
  if (status >= 500) return 'unknown';
  return callStatuses.has(status) ? 'refused' : 'rows';
}

/** The rows were sent before with this key and in another form. It is unknown whether they were written. */
export const isKeyConflict = (thrown: unknown): boolean => asProjectError(thrown)?.code === 'idempotency_conflict';

/**
 * Whether a service answers the key of a call with this refusal again. Other services refuse a call before they look at its
 * key. Once the cause is gone, the rows must be sent with the same key, because an earlier call may have written them.
 */
export const isStoredWithKey = (thrown: unknown): boolean => storedCodes.has(asProjectError(thrown)?.code ?? '');

/** How long the service asked to wait, in milliseconds. */
export const retryAfterOf = (thrown: unknown): number | undefined => asServiceError(thrown)?.retryAfter;
