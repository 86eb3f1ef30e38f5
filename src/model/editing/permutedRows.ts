import type { StoredValue } from '../../protocol/editValues.ts';
import { isSameName } from '../../sql/text/names.ts';
import { type EditableTable, primaryKeyOf } from './editableTable.ts';
import type { UpdatedRow } from './pendingEdits.ts';
import { valuesAfter } from './saveOrder.ts';
import { storedAs } from './storedAs.ts';

/**
 * Rows that pass their keys on to each other, while rows of other tables refer to these keys and do not follow them. No such row
 * can be given a temporary key first. But each of the keys is there before and afterwards: so the keys stay where they are, and
 * one statement passes the other values on.
 */
export function permutedRows(table: EditableTable, rows: readonly UpdatedRow[]): ReadonlySet<UpdatedRow> {
  const permuted = new Set<UpdatedRow>();
  if (!allowsPermutation(table)) return permuted;
  const movedRows = rows.filter(row => !row.displacedValues && row.cells.some(({ column }) => isInKey(table, column)));
  const holders = new Map(movedRows.map(row => [textOfKey(row.key), row]));
  const nextOf = (row: UpdatedRow): UpdatedRow | undefined => holders.get(textOfKey(keyAfter(table, row)));
  const seen = new Set<UpdatedRow>();
  for (const start of movedRows) {
    const way = new Set<UpdatedRow>();
    let row: UpdatedRow | undefined = start;
    while (row && !seen.has(row)) {
      seen.add(row);
      way.add(row);
      row = nextOf(row);
    }
    // The path has returned to one of its rows.
    if (row && way.has(row))
      for (let next: UpdatedRow = row; !permuted.has(next); next = nextOf(next)!) permuted.add(next);
  }
  return permuted;
}

/** Another unique key would be passed on too, which SQLite checks with each row. A trigger could leave a row as it is. */
function allowsPermutation(table: EditableTable): boolean {
  const { identity, uniqueKeys, hasTriggers, references } = table;
  if (identity.kind !== 'key' || hasTriggers || uniqueKeys.length !== 1) return false;
  const ofKey = references.filter(({ targets }) =>
    (targets.length > 0 ? targets : primaryKeyOf(table)).some(target => isInKey(table, target)),
  );
  return ofKey.length > 0 && ofKey.every(({ onUpdate }) => actionsWithoutEffect.has(onUpdate.toUpperCase()));
}

/** The actions that leave the rows that refer to a key as they are. */
const actionsWithoutEffect: ReadonlySet<string> = new Set(['NO ACTION', 'RESTRICT']);

export const isInKey = ({ identity }: EditableTable, column: string): boolean =>
  identity.columns.some(({ name }) => isSameName(name, column));

/** The key that a row gets, as it is stored. */
export const keyAfter = (table: EditableTable, row: UpdatedRow): StoredValue[] =>
  table.identity.columns.map(({ name }, index) => {
    const value = valuesAfter(table, row)(name) ?? row.key[index]!;
    const column = table.columns.find(other => isSameName(other.name, name));
    return column ? storedAs(table, column, value) : value;
  });

/** The same text for the same key. */
export const textOfKey = (key: readonly StoredValue[]): string =>
  JSON.stringify(key.map(value => (value.kind === 'real' ? { ...value, text: String(Number(value.text)) } : value)));
