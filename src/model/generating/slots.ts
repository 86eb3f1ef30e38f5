import { isSameName, keyOf } from '../../sql/text/names.ts';
import type { EditableColumn } from '../catalog/editableTable.ts';
import type { SourceValue } from '../importing/sourceRow.ts';
import { columnValues, type ColumnValues } from './columnValues.ts';
import { type GeneratedTable, isNotNull } from './generatedTable.ts';
import type { ColumnLimits } from '../../sql/checks/columnLimits.ts';
import type { RowRandom } from './random.ts';

/** A generated row, by the keys of its columns' names. */
export type GrowingRow = Map<string, SourceValue>;

/** Columns that get their values together. */
export interface Slot {
  readonly columns: readonly string[];
  /** How many different values the slot has, if they are few. */
  readonly size: number | undefined;
  /** Puts values into the row. False if none fits the values that the row has. */
  putRandom(row: GrowingRow, random: RowRandom): boolean;
  putAt(row: GrowingRow, index: number): void;
  putDistinct(row: GrowingRow, number: number, random: RowRandom): void;
}

/** One value in ten of a column that takes NULL is NULL. */
const nullShare = 0.1;
/** How often a value comes from the constants of conditions that are left to trial. */
const candidateShare = 0.3;

/** The columns that generated rows have. SQLite computes and numbers the others. */
export function writtenColumns(table: GeneratedTable): EditableColumn[] {
  return table.columns.filter(column => !column.isGenerated && !isNumberedBySqlite(table, column));
}

/** SQLite numbers an INTEGER PRIMARY KEY, unless it is the only column, or its values are bound to other rows or to a condition. */
function isNumberedBySqlite(table: GeneratedTable, { name }: EditableColumn): boolean {
  if (table.rowIdColumn === undefined || !isSameName(name, table.rowIdColumn) || table.limits.has(keyOf(name)))
    return false;
  if (table.columns.filter(({ isGenerated }) => !isGenerated).length === 1) return false;
  const isReference = table.references.some(({ columns }) => columns.some(column => isSameName(column, name)));
  return !isReference && !table.references.some(reference => refersToItself(table, reference));
}

/** Whether rows must refer to rows of the same table, and there are none yet. */
export const refersToItself = (table: GeneratedTable, reference: GeneratedTable['references'][number]): boolean =>
  isSameName(reference.table, table.name) &&
  reference.rows.length === 0 &&
  reference.columns.some(name => isNotNull(table, name));

/** The written columns that refer to no other row. */
export function choosableColumns(table: GeneratedTable): EditableColumn[] {
  const referring = new Set(table.references.flatMap(({ columns }) => columns.map(keyOf)));
  return writtenColumns(table).filter(({ name }) => !referring.has(keyOf(name)));
}

/** The slots of a table: those of its foreign keys first. */
export function slotsOf(table: GeneratedTable): Slot[] {
  const references = table.references.map(reference => referenceSlot(table, reference));
  const plain = choosableColumns(table).map(column => columnSlot(table, column));
  // A row that refers to itself has its own key first.
  return [...plain, ...references];
}

function columnSlot(table: GeneratedTable, column: EditableColumn): Slot {
  const key = keyOf(column.name);
  const choice = table.choices?.get(key);
  const named = choice?.kind === 'named' ? { ...column, name: choice.name } : column;
  const limits: ColumnLimits | undefined = choice?.kind === 'list' ? { values: choice.values } : table.limits.get(key);
  const values: ColumnValues = columnValues(named, limits, {
    largest: table.largest.get(key) ?? 0n,
    rowCount: table.rowCount,
  });
  const candidates = limits?.candidates ?? [];
  return {
    columns: [column.name],
    size: values.domain?.size,
    putRandom: (row, random) => {
      const isNull = !choice && !column.notNull && random.chance(nullShare);
      const isCandidate = candidates.length > 0 && random.chance(candidateShare);
      row.set(key, isNull ? null : isCandidate ? random.oneOf(candidates) : values.value(random));
      return true;
    },
    putAt: (row, index) => void row.set(key, values.domain!.at(index)),
    putDistinct: (row, number, random) => void row.set(key, values.distinct(number, random)),
  };
}

function referenceSlot(table: GeneratedTable, reference: GeneratedTable['references'][number]): Slot {
  const { columns, targets, rows } = reference;
  const keys = columns.map(keyOf);
  const mayBeNull = columns.some(name => !isNotNull(table, name));
  const put = (row: GrowingRow, values: readonly SourceValue[]): void => {
    for (const [place, key] of keys.entries()) row.set(key, values[place] ?? null);
  };
  const nulls = (row: GrowingRow): void => {
    for (const [place, key] of keys.entries()) {
      const isRequired = isNotNull(table, columns[place]!);
      if (!row.has(key) || !isRequired) row.set(key, isRequired ? (rows[0]?.[place] ?? null) : null);
    }
  };
  return {
    columns,
    size: rows.length > 0 ? rows.length : undefined,
    putRandom: (row, random) => {
      // A column may belong to two foreign keys. The second one sets only the columns that the first one left open.
      const given = keys.map(key => row.get(key));
      const isGiven = given.some(value => value !== undefined && value !== null);
      if (refersToItself(table, reference)) {
        put(
          row,
          targets.map(target => row.get(keyOf(target)) ?? null),
        );
        return true;
      }
      if (rows.length === 0 || (mayBeNull && !isGiven && random.chance(nullShare))) {
        nulls(row);
        return mayBeNull;
      }
      const fitting = isGiven ? rows.filter(values => given.every((value, place) => fits(value, values[place]))) : rows;
      if (fitting.length > 0) put(row, random.oneOf(fitting));
      return fitting.length > 0;
    },
    putAt: (row, index) => put(row, rows[index]!),
    putDistinct: (row, number) => put(row, rows[number % rows.length] ?? []),
  };
}

const fits = (given: SourceValue | undefined, value: SourceValue | undefined): boolean =>
  given === undefined || given === null || String(given) === String(value);
