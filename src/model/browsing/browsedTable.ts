import type { Column } from '../../wire/values.ts';
import type { CatalogColumn } from '../catalog/catalog.ts';
import { rowIdName } from '../catalog/editableTable.ts';
import { primaryKeyOf } from '../catalog/primaryKey.ts';

export interface BrowsedTable {
  readonly name: string;
  readonly kind: 'table' | 'view';
}

/**
 * The columns that end an order, so that it is the same each time: the primary key, or else the row id. If there is neither, all
 * columns: in a view, and in a table whose columns have taken all names of the row id.
 */
export function tieBreakersOf({ kind }: BrowsedTable, columns: readonly CatalogColumn[]): string[] {
  const primaryKey = primaryKeyOf(columns);
  if (primaryKey.length > 0) return primaryKey;
  const rowId = kind === 'table' ? rowIdName(columns) : undefined;
  return rowId === undefined ? columns.map(({ name }) => name) : [rowId];
}

/** For a column without a declared type, an answer gives the type of its first value. */
export function withDeclaredTypes(columns: readonly Column[], declared: readonly CatalogColumn[]): Column[] {
  const types = new Map(declared.map(({ name, type }) => [name, type]));
  return columns.map(({ name, type }) => ({ name, type: types.get(name) ?? type }));
}

/** The columns that the table still has. All of them if the catalog does not know the table. */
export function remainingColumns(columns: readonly Column[], declared: readonly CatalogColumn[]): readonly Column[] {
  const names = new Set(declared.map(({ name }) => name));
  return names.size === 0 ? columns : columns.filter(({ name }) => names.has(name));
}
