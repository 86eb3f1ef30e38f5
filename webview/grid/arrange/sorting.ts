import type { SortKey } from '../../../src/protocol/rowQueries.ts';

/** What a click on a column's name makes of the order: ascending, then descending, then none of it. */
export function toggleSort(sort: readonly SortKey[], column: number, add: boolean): SortKey[] {
  const now = sort.find(key => key.column === column);
  const next = now ? (now.descending ? undefined : { column, descending: true }) : { column, descending: false };
  return withSort(sort, column, next, add);
}

/** Sorts by a column, or no longer; with `add`, beside the others and where it stood among them. */
export function withSort(sort: readonly SortKey[], column: number, next: SortKey | undefined, add: boolean): SortKey[] {
  if (!add) return next ? [next] : [];
  if (!next) return sort.filter(key => key.column !== column);
  const stands = sort.some(key => key.column === column);
  return stands ? sort.map(key => (key.column === column ? next : key)) : [...sort, next];
}
