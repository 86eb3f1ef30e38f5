import type { Column, Row } from '../../wire/values.ts';
import { exactNumbers } from '../../wire/values.ts';
import type { CatalogColumn } from '../catalog/catalog.ts';

export interface BrowsedTable {
  readonly name: string;
  readonly kind: 'table' | 'view';
}

/** The names of the columns of the primary key, in its order. Empty when there is none. */
export function primaryKeyOf(columns: readonly CatalogColumn[]): string[] {
  return columns
    .filter(({ primaryKey }) => primaryKey > 0)
    .toSorted((one, other) => one.primaryKey - other.primaryKey)
    .map(({ name }) => name);
}

/**
 * What an order ends in so that no two rows could change places: the primary key, or else the row's own number. A view
 * has neither, and a table's columns may have taken all the names of that number: then all columns together.
 */
export function lastInOrder({ kind }: BrowsedTable, columns: readonly CatalogColumn[]): string[] {
  const key = primaryKeyOf(columns);
  if (key.length > 0) return key;
  const names = columns.map(({ name }) => name);
  const taken = new Set(names.map(name => name.toLowerCase()));
  const rowNumber = kind === 'table' ? ['rowid', '_rowid_', 'oid'].find(name => !taken.has(name)) : undefined;
  return rowNumber === undefined ? names : [rowNumber];
}

/** With the types that were declared: of a column without one, an answer tells what its first value is. */
export function asDeclared(columns: readonly Column[], known: readonly CatalogColumn[]): Column[] {
  const types = new Map(known.map(({ name, type }) => [name, type]));
  return columns.map(({ name, type }) => ({ name, type: types.get(name) ?? type }));
}

/** Those that the table has by now, as far as anything is known of its columns. */
export function stillThere(columns: readonly Column[], known: readonly CatalogColumn[]): readonly Column[] {
  const names = new Set(known.map(({ name }) => name));
  return names.size === 0 ? columns : columns.filter(({ name }) => names.has(name));
}

/** What tells a row from all others, as text. NULL tells nothing, and SQLite lets it stand in most primary keys. */
export function keyOf(row: Row, key: readonly string[]): string | undefined {
  const values = key.map(name => (Object.hasOwn(row, name) ? row[name] : undefined) ?? null);
  return key.length === 0 || values.includes(null) ? undefined : JSON.stringify(values, exactNumbers);
}
