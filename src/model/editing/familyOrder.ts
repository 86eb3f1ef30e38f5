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
  const parents = parentsAmong(table, rows, valueOf);
  if (parents.size === 0) return { rows, parentsOf: () => [] };
  const children = new Map<R, R[]>();
  const missing = new Map<R, number>();
  for (const [row, ofRow] of parents) {
    missing.set(row, ofRow.length);
    for (const parent of ofRow) addTo(children, parent, row);
  }
  const ordered = rows.filter(row => !missing.has(row));
  // The list grows while it is walked through.
  for (const row of ordered) {
    for (const child of children.get(row) ?? []) {
      const left = missing.get(child)! - 1;
      missing.set(child, left);
      if (left === 0) ordered.push(child);
    }
  }
  const placed = new Set(ordered);
  return {
    rows: [...ordered, ...rows.filter(row => !placed.has(row))],
    parentsOf: row => parents.get(row) ?? [],
  };
}

export function childrenFirst<R>(table: EditableTable, rows: readonly R[], valueOf: (row: R) => ValueOf): readonly R[] {
  const ordered = familyOrder(table, rows, valueOf).rows;
  return ordered === rows ? rows : ordered.toReversed();
}

/** The parents of each row that has some among the others. A row may refer to itself. */
function parentsAmong<R>(
  table: EditableTable,
  rows: readonly R[],
  valueOf: (row: R) => ValueOf,
): ReadonlyMap<R, readonly R[]> {
  const parents = new Map<R, R[]>();
  for (const { columns, table: other, targets } of table.foreignKeys) {
    if (!isSameName(other, table.name)) continue;
    const keys = targets.length > 0 ? targets : primaryKeyOf(table.columns);
    const textOf = (names: readonly string[], row: R): string | undefined =>
      keyText(table, binaryKey(names), valueOf(row));
    const byKey = new Map(rows.map(row => [textOf(keys, row), row]));
    byKey.delete(undefined);
    for (const row of rows) {
      const parent = byKey.get(textOf(columns, row));
      if (parent === undefined || parent === row) continue;
      addTo(parents, row, parent);
    }
  }
  return parents;
}

function addTo<R>(lists: Map<R, R[]>, row: R, other: R): void {
  const list = lists.get(row);
  if (list) list.push(other);
  else lists.set(row, [other]);
}
