import { keyOf } from '../../sql/text/names.ts';
import type { Column } from '../../wire/values.ts';
import type { CatalogColumn } from '../catalog/catalog.ts';

export interface BrowsedTable {
  readonly name: string;
  readonly kind: 'table' | 'view';
}

/** The names of the primary key's columns, in its order. Empty if there is none. */
export function primaryKeyOf(columns: readonly CatalogColumn[]): string[] {
  return columns
    .filter(({ primaryKey }) => primaryKey > 0)
    .toSorted((one, other) => one.primaryKey - other.primaryKey)
    .map(({ name }) => name);
}

/**
 * The columns that end an order, so that no two rows could change places: the primary key, or else the row id. All columns
 * together where there is neither: in a view, and in a table whose columns have taken all names of the row id.
 */
export function tieBreakersOf({ kind }: BrowsedTable, columns: readonly CatalogColumn[]): string[] {
  const primaryKey = primaryKeyOf(columns);
  if (primaryKey.length > 0) return primaryKey;
  const names = columns.map(({ name }) => name);
  const taken = new Set(names.map(keyOf));
  const rowId = kind === 'table' ? ['rowid', '_rowid_', 'oid'].find(name => !taken.has(name)) : undefined;
  return rowId === undefined ? names : [rowId];
}

/** The columns with their declared types. For a column without one, an answer gives the type of its first value. */
export function withDeclaredTypes(columns: readonly Column[], declared: readonly CatalogColumn[]): Column[] {
  const types = new Map(declared.map(({ name, type }) => [name, type]));
  return columns.map(({ name, type }) => ({ name, type: types.get(name) ?? type }));
}

/** The columns that the table still has. All of them if the catalog does not know the table. */
export function remainingColumns(columns: readonly Column[], declared: readonly CatalogColumn[]): readonly Column[] {
  const names = new Set(declared.map(({ name }) => name));
  return names.size === 0 ? columns : columns.filter(({ name }) => names.has(name));
}
