import { type Column, cutToShow, type ShownValue, tagValue, type TaggedValue } from '../../../wire/values.ts';
import type { KeptRow } from './parseRows.ts';

/** The cells of a row, as the grid shows them. */
export function cellsOf(kept: KeptRow, columns: readonly Column[]): ShownValue[] {
  return columns.map((_, column) => cutToShow(cellOf(kept, columns, column)));
}

/** One cell, whole. A row that cannot be read stands in its first column, as the service sent it. */
export function cellOf(kept: KeptRow, columns: readonly Column[], column: number): TaggedValue {
  if ('broken' in kept) return column === 0 ? { kind: 'json', text: kept.broken } : { kind: 'null' };
  const name = columns[column]?.name;
  return tagValue(name !== undefined && Object.hasOwn(kept.row, name) ? kept.row[name] : undefined);
}
