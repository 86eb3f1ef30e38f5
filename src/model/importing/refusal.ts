import { asProjectError } from '../../base/errors.ts';
import { lazy } from '../../base/lazy.ts';
import { asServiceError } from '../../wire/serviceError.ts';
import { asString } from '../../base/decode.ts';
import { checkConstraintsOf, columnsIn } from '../../sql/tables/checkConstraints.ts';
import { keyOf } from '../../sql/text/names.ts';
import type { ImportTarget } from './importOptions.ts';
import type { SendStatement } from './importRun.ts';

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

/** `fallback` if the service refuses the work. Other faults end the run. A later run continues. */
export async function orIfRefused<T>(fallback: T, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const refusal = refusalOf(thrown);
    if (refusal === 'rows' || refusal === 'refused') return fallback;
    throw thrown;
  }
}

/** The rows were sent before with this key and in another form. It is unknown whether they were written. */
export const isKeyConflict = (thrown: unknown): boolean => asProjectError(thrown)?.code === 'idempotency_conflict';

/**
 * Whether the service answers this key with the same refusal again. Otherwise an earlier call with the key may have written rows.
 */
export const isStoredWithKey = (thrown: unknown): boolean => storedCodes.has(asProjectError(thrown)?.code ?? '');

export const retryAfterOf = (thrown: unknown): number | undefined => asServiceError(thrown)?.retryAfter;

/** Finds the column that a refusal is about. The result is undefined if the column is uncertain. */
export function columnFinder(
  target: ImportTarget,
  send: SendStatement,
): (message: string) => Promise<string | undefined> {
  const readChecks = lazy(() => checksOf(target, send));
  return async message => {
    const check = /\bCHECK constraint failed: (.+)$/s.exec(message)?.[1]?.trim();
    if (check === undefined) return namedColumn(message, target);
    // SQLite names a failed check by its name or its expression. The column is certain if the check mentions no other.
    const failed = (await readChecks()).filter(({ name }) => keyOf(name) === keyOf(check));
    const names = target.columns.map(column => column.target);
    const [column, ...others] = new Set(failed.flatMap(({ expression }) => columnsIn(expression, names)));
    return others.length === 0 ? column : undefined;
  };
}

/** None if the table has triggers, whose tables may have the failed check, or if the service does not report them. */
function checksOf({ table: name }: ImportTarget, send: SendStatement): Promise<ReturnType<typeof checkConstraintsOf>> {
  const sql = `SELECT type, sql FROM sqlite_schema WHERE type IN ('table', 'trigger') AND tbl_name = ? COLLATE NOCASE`;
  return orIfRefused([], async () => {
    const { rows } = await send({ sql, params: [name] }, { isReadOnly: true });
    const [table, ...triggers] = rows;
    return table && triggers.length === 0 ? checkConstraintsOf(asString(table['sql']) ?? '') : [];
  });
}

/** The column in a message such as "UNIQUE constraint failed: customers.email". */
function namedColumn(message: string, { table, columns }: ImportTarget): string | undefined {
  const text = keyOf(message);
  const named = columns.filter(({ target }) => text.includes(keyOf(`${table}.${target}`)));
  // The name of a column may begin with that of another one.
  return named.toSorted((one, other) => other.target.length - one.target.length)[0]?.target;
}
