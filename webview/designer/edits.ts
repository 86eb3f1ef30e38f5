import type { ColumnDesign, KeyPart, PrimaryKey, TableDesign } from '../../src/protocol/tableDesign.ts';
import type { DesignEdit } from './draftEditor.ts';

/** Edits that need neither the SQL parser nor new ids. */

export function withElement<T>(list: readonly T[], index: number, change: (element: T) => T): T[] {
  return list.map((element, place) => (place === index ? change(element) : element));
}

/** The lists that the form shows as cards. */
export type CardListName = 'uniqueKeys' | 'checks' | 'foreignKeys' | 'indexes';
type CardOf<Name extends CardListName> = TableDesign[Name][number];

export const addToList =
  <Name extends CardListName>(name: Name, element: CardOf<Name>): DesignEdit =>
  design => ({ ...design, [name]: [...design[name], element] });

export const editInList =
  <Name extends CardListName>(name: Name, index: number, change: (element: CardOf<Name>) => CardOf<Name>): DesignEdit =>
  design => ({ ...design, [name]: withElement<CardOf<Name>>(design[name], index, change) });

export const removeFromList =
  (name: CardListName, index: number): DesignEdit =>
  design => ({ ...design, [name]: (design[name] as readonly CardOf<CardListName>[]).toSpliced(index, 1) });

/** Moves an element up or down by one place. At the ends, it stays. */
export function withMovedElement<T>(list: readonly T[], index: number, by: -1 | 1): T[] {
  const target = index + by;
  if (index < 0 || target < 0 || target >= list.length) return [...list];
  return list.toSpliced(index, 1).toSpliced(target, 0, list[index]!);
}

export const editColumn =
  (id: string, change: (column: ColumnDesign) => ColumnDesign): DesignEdit =>
  design => ({ ...design, columns: design.columns.map(column => (column.id === id ? change(column) : column)) });

export const moveColumn =
  (id: string, by: -1 | 1): DesignEdit =>
  design => ({
    ...design,
    columns: withMovedElement(
      design.columns,
      design.columns.findIndex(column => column.id === id),
      by,
    ),
  });

/** A table whose key has no columns left has no key. */
export const toggleKeyColumn =
  (id: string, isKey: boolean): DesignEdit =>
  design => {
    const keyColumns = design.primaryKey?.columns ?? [];
    const others = keyColumns.filter(({ column }) => column !== id);
    return withPrimaryKey(design, isKey ? [...others, { column: id }] : others);
  };

export const setKeyColumns =
  (columns: readonly KeyPart[]): DesignEdit =>
  design =>
    withPrimaryKey(design, columns);

function withPrimaryKey(design: TableDesign, columns: readonly KeyPart[]): TableDesign {
  const before: PrimaryKey = design.primaryKey ?? { columns: [], autoincrement: false };
  // SQLite allows AUTOINCREMENT only on a key of one column.
  const primaryKey = { ...before, columns, autoincrement: before.autoincrement && columns.length === 1 };
  return { ...design, primaryKey: columns.length === 0 ? undefined : primaryKey };
}

/** Undefined for an empty text. */
export const textOrNone = (text: string): string | undefined => (text.trim() === '' ? undefined : text);
