import type { Arrangement } from '../../protocol/rowQueries.ts';
import type { Column } from '../../wire/values.ts';

/** The arrangement for the same columns at other indexes. Terms of missing columns are left out. */
export function moveArrangement(
  { sort, filters, search }: Arrangement,
  before: readonly Pick<Column, 'name'>[],
  after: readonly Column[],
): Arrangement {
  const move = <T extends { readonly column: number }>(terms: readonly T[]): T[] =>
    terms
      .map(term => ({ ...term, column: after.findIndex(({ name }) => name === before[term.column]?.name) }))
      .filter(({ column }) => column >= 0);
  return { sort: move(sort), filters: move(filters), ...(search !== undefined && { search }) };
}
