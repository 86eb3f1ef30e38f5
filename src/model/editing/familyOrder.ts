import { isSameName } from '../../sql/text/names.ts';
import { binaryKey, type EditableTable } from '../catalog/editableTable.ts';
import { primaryKeyOf } from '../catalog/primaryKey.ts';
import type { ValueOf } from './saveOrder.ts';
import { keyText } from './storedAs.ts';

/** Rows of a table, ordered so that each one comes after the rows that it refers to, its parents. */
interface FamilyOrder<R> {
  /** Rows that refer to each other in a circle come last. */
  readonly rows: readonly R[];
  readonly parentsOf: (row: R) => readonly R[];
}

export function familyOrder<R>(table: EditableTable, rows: readonly R[], valueOf: (row: R) => ValueOf): FamilyOrder<R> {
  const references = referencesAmong(table, rows, valueOf);
  if (references.length === 0) return { rows, parentsOf: () => [] };
  const parents = Map.groupBy(references, ({ row }) => row);
  const children = Map.groupBy(references, ({ parent }) => parent);
  const missing = new Map([...parents].map(([row, { length }]) => [row, length]));
  const ordered = rows.filter(row => !missing.has(row));
  // The list grows while it is walked through.
  for (const parent of ordered) {
    for (const { row } of children.get(parent) ?? []) {
      const left = missing.get(row)! - 1;
      missing.set(row, left);
      if (left === 0) ordered.push(row);
    }
  }
  const placed = new Set(ordered);
  return {
    rows: [...ordered, ...rows.filter(row => !placed.has(row))],
    parentsOf: row => (parents.get(row) ?? []).map(({ parent }) => parent),
  };
}

export function childrenFirst<R>(table: EditableTable, rows: readonly R[], valueOf: (row: R) => ValueOf): readonly R[] {
  const ordered = familyOrder(table, rows, valueOf).rows;
  return ordered === rows ? rows : ordered.toReversed();
}

/** The rows that refer to others of the same list. A row may also refer to itself. */
function referencesAmong<R>(
  table: EditableTable,
  rows: readonly R[],
  valueOf: (row: R) => ValueOf,
): { readonly row: R; readonly parent: R }[] {
  return table.foreignKeys.flatMap(({ columns, table: other, targets }) => {
    if (!isSameName(other, table.name)) return [];
    const keys = targets.length > 0 ? targets : primaryKeyOf(table.columns);
    const textOf = (names: readonly string[], row: R): string | undefined =>
      keyText(table, binaryKey(names), valueOf(row));
    const byKey = new Map(rows.map(row => [textOf(keys, row), row]));
    byKey.delete(undefined);
    return rows.flatMap(row => {
      const parent = byKey.get(textOf(columns, row));
      return parent === undefined || parent === row ? [] : [{ row, parent }];
    });
  });
}
