import type { StoredValue } from '../../protocol/editValues.ts';
import { isSameName } from '../../sql/text/names.ts';
import { binaryKey, type EditableTable, type CollatedKeyColumn } from '../catalog/editableTable.ts';
import { primaryKeyOf } from '../catalog/primaryKey.ts';
import type { SaveKind } from './draft.ts';
import { type DeletedRow, editedValue, type InsertedRow, type UpdatedRow, type WrittenRow } from './pendingEdits.ts';
import { keyText, storedAs } from './storedAs.ts';

interface RowsByKind {
  readonly deleted: readonly DeletedRow[];
  readonly updated: readonly UpdatedRow[];
  readonly inserted: readonly InsertedRow[];
}

/** The possible orders of the kinds of statements. The first one that fits is taken. */
const orders: readonly (readonly SaveKind[])[] = [
  ['delete', 'update', 'insert'],
  ['update', 'delete', 'insert'],
  ['delete', 'insert', 'update'],
  ['insert', 'update', 'delete'],
  ['update', 'insert', 'delete'],
  ['insert', 'delete', 'update'],
];

type Precedence = readonly [first: SaveKind, second: SaveKind];

/**
 * The order in which the kinds of statements are run. A key is taken only after it has become free. A row that other rows of
 * the table refer to is inserted before them, and deleted after them. If no order fits both rules, the one about keys decides.
 */
export function orderOfKinds(table: EditableTable, rows: RowsByKind): readonly SaveKind[] {
  const byKeys = keyRules(table, rows);
  const byReferences = referenceRules(table, rows);
  return (
    orders.find(order => fits(order, [...byKeys, ...byReferences])) ??
    orders.find(order => fits(order, byKeys)) ??
    orders[0]!
  );
}

const fits = (order: readonly SaveKind[], rules: readonly Precedence[]): boolean =>
  rules.every(([first, second]) => order.indexOf(first) < order.indexOf(second));

/** Values that a row has before or after the save, by column. */
export type ValueOf = (column: string) => StoredValue | undefined;

function keyRules(table: EditableTable, { deleted, updated, inserted }: RowsByKind): Precedence[] {
  const before = valuesBefore(table);
  const after = valuesAfter(table);
  const rules: Precedence[] = [];
  for (const key of table.uniqueKeys) {
    const names = new Set(key.map(({ name }) => name));
    const movedRows = updated.filter(row => row.cells.some(({ column }) => names.has(column)));
    const freed = keySet(table, key, deleted.map(before));
    const left = keySet(table, key, movedRows.map(before));
    const wantedByUpdates = keySet(table, key, movedRows.map(after));
    const wantedByInserts = keySet(table, key, inserted.map(after));
    if (overlaps(freed, wantedByUpdates)) rules.push(['delete', 'update']);
    if (overlaps(freed, wantedByInserts)) rules.push(['delete', 'insert']);
    if (overlaps(left, wantedByInserts)) rules.push(['update', 'insert']);
  }
  return rules;
}

function referenceRules(table: EditableTable, { deleted, updated, inserted }: RowsByKind): Precedence[] {
  const before = valuesBefore(table);
  const after = valuesAfter(table);
  const rules: Precedence[] = [];
  for (const { columns, table: other, targets } of table.foreignKeys) {
    if (!isSameName(other, table.name)) continue;
    const keys = targets.length > 0 ? targets : primaryKeyOf(table.columns);
    const setOf = (names: readonly string[], rows: readonly ValueOf[]): Set<string> =>
      keySet(table, binaryKey(names), rows);
    const newTargets = setOf(keys, inserted.map(after));
    const oldTargets = setOf(keys, deleted.map(before));
    const movedTargets = setOf(keys, updated.map(after));
    if (overlaps(newTargets, setOf(columns, updated.map(after)))) rules.push(['insert', 'update']);
    if (overlaps(oldTargets, setOf(columns, updated.map(before)))) rules.push(['update', 'delete']);
    if (overlaps(movedTargets, setOf(columns, inserted.map(after)))) rules.push(['update', 'insert']);
  }
  return rules;
}

/** Groups of rows, saved one after another: a row comes after the row whose key it takes. SQLite refuses rows that swap keys. */
export function keysFreedFirst(table: EditableTable, rows: readonly UpdatedRow[]): UpdatedRow[][] {
  const groups: UpdatedRow[][] = [];
  let left = [...rows];
  for (;;) {
    const waiting = new Set(table.uniqueKeys.flatMap(key => rowsTakingKeys(table, key, left)));
    if (waiting.size === 0 || waiting.size === left.length) return [...groups, left];
    groups.push(left.filter(row => !waiting.has(row)));
    left = left.filter(row => waiting.has(row));
  }
}

/** The rows that take a unique key which another of them still has. */
function rowsTakingKeys(
  table: EditableTable,
  key: readonly CollatedKeyColumn[],
  rows: readonly UpdatedRow[],
): UpdatedRow[] {
  const before = valuesBefore(table);
  const movedRows = rows.filter(row => row.cells.some(({ column }) => key.some(({ name }) => name === column)));
  const held = keySet(table, key, movedRows.map(before));
  return movedRows.filter(row => {
    const taken = keyText(table, key, valuesAfter(table)(row));
    return taken !== undefined && held.has(taken) && taken !== keyText(table, key, before(row));
  });
}

export const valuesBefore =
  ({ identity }: EditableTable) =>
  (row: UpdatedRow | DeletedRow): ValueOf =>
  column => {
    const index = identity.columns.findIndex(({ name }) => isSameName(name, column));
    if (index !== -1) return row.key[index];
    const named = [...row.cells.map(cell => ({ column: cell.column, value: cell.base })), ...row.seenValues];
    return named.find(value => isSameName(value.column, column))?.value;
  };

/** The values of a row when its edits are saved, except for those that the database gives a new row. */
export const valuesAfter =
  (table: EditableTable) =>
  (row: WrittenRow): ValueOf =>
  column =>
    editedValue(row, column) ?? (row.kind === 'update' ? valuesBefore(table)(row)(column) : undefined);

export const keyAfter = (table: EditableTable, row: UpdatedRow): StoredValue[] =>
  table.identity.columns.map(({ name }, index) => {
    const value = valuesAfter(table)(row)(name) ?? row.key[index]!;
    const column = table.columns.find(other => isSameName(other.name, name));
    return column ? storedAs(table, column, value) : value;
  });

/** The values of rows in the columns of a key, as texts. Rows with NULL or an unknown value in one of them are left out. */
function keySet(table: EditableTable, key: readonly CollatedKeyColumn[], rows: readonly ValueOf[]): Set<string> {
  return new Set(rows.flatMap(valueOf => keyText(table, key, valueOf) ?? []));
}

const overlaps = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean => !one.isDisjointFrom(other);
