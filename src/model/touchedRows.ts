import type { BoundSql } from './boundSql.ts';
import { asProjectError } from '../base/errors.ts';
import type { NamedChange } from '../sql/effect/namedChange.ts';
import { touchedRowsQuery, type TouchedRowsQuery } from '../sql/running/touchedRowsQuery.ts';
import { isSameName } from '../sql/text/names.ts';
import type { SqlParameter } from '../wire/values.ts';
import type { StatementEffect } from '../sql/effect/statementEffect.ts';

export type TouchedRowCount = bigint | number;

interface CountedStatement extends BoundSql {
  readonly effect: Pick<StatementEffect, 'change'>;
}

/** Runs a SELECT that counts rows. Resolves to undefined when the user cancels. */
export type CountRows = (sql: string, params: readonly SqlParameter[]) => Promise<TouchedRowCount | undefined>;

/**
 * The rows that a statement would touch. `values` are those of a column that would be dropped. With `missing`, the table does
 * not exist now: the statement says IF EXISTS, or follows one that creates the table.
 */
export type TouchedRows =
  | { readonly kind: 'rows' | 'values'; readonly count: TouchedRowCount }
  | { readonly kind: 'unknown' | 'cancelled' | 'missing' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Undefined for a statement that touches no existing rows. `earlier` has the changes of the statements that run before it. */
export async function countTouchedRows(
  { sql, params, effect }: CountedStatement,
  earlier: readonly (NamedChange | undefined)[],
  countRows: CountRows,
): Promise<TouchedRows | undefined> {
  const query = touchedRowsQuery(sql);
  if (!query) return undefined;
  if (query === 'unknown') return { kind: 'unknown' };
  const values = query.parameters.map(index => params[index] ?? null);
  try {
    const count = await countWithFallback(query, countSql => countRows(countSql, values));
    if (count === undefined) return { kind: 'cancelled' };
    return { kind: effect.change?.kind === 'dropColumn' ? 'values' : 'rows', count };
  } catch (error) {
    return isMissing(effect.change, earlier, error) ? { kind: 'missing' } : { kind: 'failed', error };
  }
}

/** Whether a statement changes a table that does not exist now, so that its rows can only be new ones when it runs. */
function isMissing(
  change: NamedChange | undefined,
  earlier: readonly (NamedChange | undefined)[],
  error: unknown,
): boolean {
  const table = change && ('table' in change ? change.table : change.name);
  const missing = /no such table: (?:.*\.)?(.*)/.exec(asProjectError(error)?.message ?? '')?.[1];
  if (table === undefined || missing === undefined || !isSameName(table, missing)) return false;
  // A renamed table brings its rows.
  if (earlier.some(made => made?.kind === 'renameTable' && isSameName(made.newName, table))) return false;
  const isCreated = earlier.some(made => made?.kind === 'create' && isSameName(made.name, table));
  return isCreated || (change?.kind === 'drop' && change.isConditional);
}

async function countWithFallback(
  { sql, withoutRowids }: TouchedRowsQuery,
  count: (sql: string) => Promise<TouchedRowCount | undefined>,
): Promise<TouchedRowCount | undefined> {
  try {
    return await count(sql);
  } catch (error) {
    const message = asProjectError(error)?.message ?? '';
    const hasNoRowids = /no such column: .*_rowid_/.test(message);
    if (withoutRowids === undefined || !hasNoRowids) throw error;
    return count(withoutRowids);
  }
}
