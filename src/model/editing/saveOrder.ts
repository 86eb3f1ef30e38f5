import { isSameValue, type StoredValue } from '../../protocol/editValues.ts';
import { isSameName } from '../../sql/text/names.ts';
import { type EditableTable, primaryKeyOf } from './editableTable.ts';
import type { DeletedRow, InsertedRow, UpdatedRow } from './pendingEdits.ts';

export type SaveKind = 'delete' | 'update' | 'insert';

export interface RowsByKind {
  readonly deleted: readonly DeletedRow[];
  readonly updated: readonly UpdatedRow[];
  readonly inserted: readonly InsertedRow[];
}

/** In each of them, a kind of statement comes before those behind it. The first one that fits is taken. */
const orders: readonly (readonly SaveKind[])[] = [
  ['delete', 'update', 'insert'],
  ['update', 'delete', 'insert'],
  ['delete', 'insert', 'update'],
  ['insert', 'update', 'delete'],
  ['update', 'insert', 'delete'],
  ['insert', 'delete', 'update'],
];

/** One kind of statement must run before another. */
type Rule = readonly [first: SaveKind, second: SaveKind];

/**
 * The order in which the kinds of statements are run. Keys that become free are taken only then, and a row that the table
 * itself refers to is there before the rows that refer to it, and goes after them. If no order does all of that, keys count
 * more.
 */
export function orderOfKinds(table: EditableTable, rows: RowsByKind): readonly SaveKind[] {
  const byKeys = keyRules(table, rows);
  const byReferences = referenceRules(table, rows);
  const fits = (order: readonly SaveKind[], rules: readonly Rule[]): boolean =>
    rules.every(([first, second]) => order.indexOf(first) < order.indexOf(second));
  return (
    orders.find(order => fits(order, [...byKeys, ...byReferences])) ??
    orders.find(order => fits(order, byKeys)) ??
    orders[0]!
  );
}

/** Values that a row has before or after the save, by column. */
type ValueOf = (column: string) => StoredValue | undefined;

function keyRules(table: EditableTable, { deleted, updated, inserted }: RowsByKind): Rule[] {
  const rules: Rule[] = [];
  for (const key of table.uniqueKeys) {
    const names = key.map(({ name }) => name);
    const isTouched = (row: UpdatedRow): boolean => row.cells.some(({ column }) => names.includes(column));
    const moved = updated.filter(isTouched);
    const freed = keySet(
      deleted.map(row => valuesBefore(table, row)),
      names,
    );
    const left = keySet(
      moved.map(row => valuesBefore(table, row)),
      names,
    );
    const wantedByUpdates = keySet(
      moved.map(row => valuesAfter(table, row)),
      names,
    );
    const wantedByInserts = keySet(inserted.map(given), names);
    if (overlaps(freed, wantedByUpdates)) rules.push(['delete', 'update']);
    if (overlaps(freed, wantedByInserts)) rules.push(['delete', 'insert']);
    if (overlaps(left, wantedByInserts)) rules.push(['update', 'insert']);
  }
  return rules;
}

function referenceRules(table: EditableTable, { deleted, updated, inserted }: RowsByKind): Rule[] {
  const rules: Rule[] = [];
  for (const { columns, table: other, targets } of table.foreignKeys) {
    if (!isSameName(other, table.name)) continue;
    const keys = targets.length > 0 ? targets : primaryKeyOf(table);
    const newTargets = keySet(inserted.map(given), keys);
    const oldTargets = keySet(
      deleted.map(row => valuesBefore(table, row)),
      keys,
    );
    const movedTargets = keySet(
      updated.map(row => valuesAfter(table, row)),
      keys,
    );
    if (
      overlaps(
        newTargets,
        keySet(
          updated.map(row => valuesAfter(table, row)),
          columns,
        ),
      )
    )
      rules.push(['insert', 'update']);
    if (
      overlaps(
        oldTargets,
        keySet(
          updated.map(row => valuesBefore(table, row)),
          columns,
        ),
      )
    )
      rules.push(['update', 'delete']);
    if (overlaps(movedTargets, keySet(inserted.map(given), columns))) rules.push(['update', 'insert']);
  }
  return rules;
}

/** The values of a row in the table. */
export function valuesBefore({ identity }: EditableTable, row: UpdatedRow | DeletedRow): ValueOf {
  return column => {
    const index = identity.columns.findIndex(({ name }) => isSameName(name, column));
    if (index !== -1) return row.key[index];
    const named = [...row.known, ...row.cells.map(cell => ({ column: cell.column, value: cell.base }))];
    return named.find(known => isSameName(known.column, column))?.value;
  };
}

/** The values of a row when its edits are saved. */
export function valuesAfter(table: EditableTable, row: UpdatedRow): ValueOf {
  return column => {
    const value = row.cells.find(cell => isSameName(cell.column, column))?.value;
    return value && value.kind !== 'default' ? value : valuesBefore(table, row)(column);
  };
}

const given = (row: InsertedRow): ValueOf => {
  return column => {
    const value = row.values.find(named => isSameName(named.column, column))?.value;
    return value && value.kind !== 'default' ? value : undefined;
  };
};

/** The values of rows in some columns, as texts. Rows with NULL or an unknown value in one of them are left out. */
function keySet(rows: readonly ValueOf[], columns: readonly string[]): Set<string> {
  const keys = rows.map(valueOf => columns.map(valueOf));
  return new Set(
    keys
      .filter(key => key.every(value => value !== undefined && !isSameValue(value, { kind: 'null' })))
      .map(key => JSON.stringify(key)),
  );
}

const overlaps = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean => !one.isDisjointFrom(other);
