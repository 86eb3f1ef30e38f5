import { asProjectError } from '../../base/errors.ts';
import { namedChange } from '../../sql/running/namedChange.ts';
import { touchedRowsQuery, type TouchedRowsQuery } from '../../sql/running/touchedRowsQuery.ts';
import type { SqlParameter } from '../../wire/values.ts';
import type { BoundStatement } from './boundStatement.ts';

export type RowCount = bigint | number;

/** Runs a SELECT that counts rows. Resolves to undefined when the user cancels. */
export type CountRows = (sql: string, params: readonly SqlParameter[]) => Promise<RowCount | undefined>;

/**
 * The rows that a statement would touch. `values` are those of a column that would be dropped. With `missing`, there is no such
 * table, and the statement says IF EXISTS.
 */
export type TouchedRows =
  | { readonly kind: 'rows' | 'values'; readonly count: RowCount }
  | { readonly kind: 'unknown' | 'cancelled' | 'missing' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Counts the rows that a statement would touch. Undefined for a statement that touches no existing rows. */
export async function countTouchedRows(
  { sql, params, effect }: BoundStatement,
  countRows: CountRows,
): Promise<TouchedRows | undefined> {
  const query = touchedRowsQuery(sql);
  if (!query) return undefined;
  if (query === 'unknown') return { kind: 'unknown' };
  const values = query.parameters.map(index => params[index] ?? null);
  try {
    const count = await countWithFallback(query, countSql => countRows(countSql, values));
    if (count === undefined) return { kind: 'cancelled' };
    return { kind: effect.dangers.includes('dropsColumn') ? 'values' : 'rows', count };
  } catch (error) {
    return dropsIfExists(sql) && hasNoTable(error) ? { kind: 'missing' } : { kind: 'failed', error };
  }
}

function dropsIfExists(sql: string): boolean {
  const change = namedChange(sql);
  return change?.kind === 'drop' && change.isConditional;
}

const hasNoTable = (error: unknown): boolean => /no such table/.test(asProjectError(error)?.message ?? '');

async function countWithFallback(
  { sql, withoutRowids }: TouchedRowsQuery,
  count: (sql: string) => Promise<RowCount | undefined>,
): Promise<RowCount | undefined> {
  try {
    return await count(sql);
  } catch (error) {
    const message = asProjectError(error)?.message ?? '';
    const hasNoRowids = /no such column: .*_rowid_/.test(message);
    if (withoutRowids === undefined || !hasNoRowids) throw error;
    return count(withoutRowids);
  }
}
