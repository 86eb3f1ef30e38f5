import type { Project, SqlAnswer } from '../../client/index.ts';
import type { StoredValue } from '../../protocol/editValues.ts';
import type { Row, SqlValue } from '../../wire/values.ts';
import type { EditableTable } from '../catalog/editableTable.ts';
import { type ExactRow, keyIn, readRowsByKey } from './exactRows.ts';
import { editedValue, type InsertedRow, type PendingRow, type UpdatedRow } from './pendingEdits.ts';
import { keyAfter } from './saveOrder.ts';
import type { SaveStep } from './draft.ts';
import { isStoredAs, storedAs } from './storedAs.ts';
import { wireValueOf } from './wireValues.ts';

export interface AnsweredStep {
  readonly project: Pick<Project, 'query'>;
  readonly table: EditableTable;
  readonly step: SaveStep;
  readonly rows: readonly PendingRow[];
  readonly answer: Pick<SqlAnswer, 'rows' | 'rowCount'>;
  readonly signal: AbortSignal;
}

export interface StoredRows {
  /** The rows that the table has as they were sent, by their ids. */
  readonly storedIds: readonly string[];
  /** The rows that the database has left as they were, although the statement has changed others. A trigger can do that. */
  readonly ignoredIds: readonly string[];
  /** The keys of new rows in the table, and of all stored rows if some are ignored. */
  readonly keys: ReadonlyMap<string, readonly StoredValue[]>;
  /** Stored cells that have other values than were sent, in a table with triggers. */
  readonly changedCells: readonly ChangedCell[];
}

export interface ChangedCell {
  readonly key: readonly StoredValue[];
  readonly column: string;
}

/** Finds out which rows of a statement are stored. A statement that has changed as many rows as were sent needs no check. */
export async function storedRowsOf(answered: AnsweredStep): Promise<StoredRows> {
  const rows = await rowsOfAnswer(answered);
  if (!answered.table.hasTriggers) return { ...rows, changedCells: [] };
  // The statement is done, so a failure of this check is ignored.
  return { ...rows, changedCells: await changedCells(answered, rows).catch(() => []) };
}

async function changedCells(
  { project, table, step, rows, signal }: AnsweredStep,
  { storedIds, keys: storedKeys }: RowsOfAnswer,
): Promise<ChangedCell[]> {
  if (step.kind === 'delete') return [];
  const isStored = new Set(storedIds);
  const sent = rows.flatMap(row => {
    const key = row.kind === 'update' ? keyAfter(table, row) : storedKeys.get(row.id);
    if (!isStored.has(row.id) || row.kind === 'delete' || !key) return [];
    return [{ key, cells: row.kind === 'update' ? row.cells : row.values }];
  });
  if (sent.length === 0) return [];
  const columns = [...new Set(sent.flatMap(({ cells }) => cells.map(({ column }) => column)))];
  const keys = sent.map(({ key }) => key);
  const present = await readRowsByKey(project, keys, { table, columns, signal });
  return sent.flatMap(({ key, cells }, index) =>
    cells.flatMap(({ column, value }): ChangedCell[] => {
      const found = present[index]?.values.find(named => named.column === column)?.value;
      if (value.kind === 'default' || (found && isStoredAs(table, column, value, found))) return [];
      return [{ key, column }];
    }),
  );
}

type RowsOfAnswer = Omit<StoredRows, 'changedCells'>;

async function rowsOfAnswer(answered: AnsweredStep): Promise<RowsOfAnswer> {
  const { table, step, rows, answer } = answered;
  if (step.kind === 'insert') return storedInserts(answered);
  const count = step.returnsRows ? answer.rows.length : answer.rowCount;
  if (count === step.rowIds.length) return { storedIds: step.rowIds, ignoredIds: [], keys: new Map() };
  const isStored = await (step.kind === 'delete' ? areDeleted(answered) : areUpdated(answered));
  const storedIds = step.rowIds.filter((_id, index) => isStored[index]);
  const keyOfRow = (row: PendingRow): readonly StoredValue[] =>
    row.kind === 'update' ? keyAfter(table, row) : row.kind === 'delete' ? row.key : [];
  return {
    storedIds,
    ignoredIds: step.rowIds.filter((_id, index) => !isStored[index]),
    keys: new Map(rows.filter(({ id }) => storedIds.includes(id)).map(row => [row.id, keyOfRow(row)])),
  };
}

/** Rows that a cascade removes are deleted as well. */
async function areDeleted({ project, table, rows, signal }: AnsweredStep): Promise<boolean[]> {
  const keys = rows.map(row => (row.kind === 'insert' ? [] : row.key));
  const present = await readRowsByKey(project, keys, { table, columns: [], signal });
  return present.map(row => row === undefined);
}

async function areUpdated(answered: AnsweredStep): Promise<boolean[]> {
  const { project, table, step, answer, signal } = answered;
  const rows = answered.rows.filter(row => row.kind === 'update');
  const keys = rows.map(row => keyAfter(table, row));
  if (step.returnsRows) {
    const returned = new Set(answer.rows.map(row => textOfKey(keyIn(table, row))));
    return keys.map(key => returned.has(textOfKey(key)));
  }
  const columns = [...new Set(rows.flatMap(({ cells }) => cells.map(({ column }) => column)))];
  const present = await readRowsByKey(project, keys, { table, columns, signal });
  return rows.map((row, index) => hasCells(table, row, present[index]));
}

const hasCells = (table: EditableTable, { cells }: UpdatedRow, present: ExactRow | undefined): boolean =>
  cells.every(({ column, value }) => {
    const stored = present?.values.find(named => named.column === column)?.value;
    return stored !== undefined && value.kind !== 'default' && isStoredAs(table, column, value, stored);
  });

const textOfKey = (key: readonly StoredValue[]): string =>
  JSON.stringify(key.map(value => (value.kind === 'real' ? { ...value, text: String(Number(value.text)) } : value)));

/** The beginning of a value distinguishes new rows. SQLite returns the rows of RETURNING in no certain order. */
const printLength = 100;

/** The expression for the beginning of a value in a returned row. A `t` before texts and a `b` before BLOBs distinguish them. */
export const printSql = (expression: string): string =>
  `CASE typeof(${expression}) WHEN 'text' THEN 't' || substr(${expression}, 1, ${printLength}) WHEN 'blob' THEN 'b' || hex(substr(${expression}, 1, ${printLength})) ELSE ${expression} END`;

/** Pairs the returned rows with the new ones that have their values. */
function storedInserts({ table, step, rows, answer }: AnsweredStep): RowsOfAnswer {
  const inserted = rows.filter(row => row.kind === 'insert');
  const columns = table.columns.map(({ name }) => name).filter(name => inserted[0] && editedValue(inserted[0], name));
  const waiting = Map.groupBy(inserted, row => printOfInsert(table, row, columns));
  const keys = new Map<string, readonly StoredValue[]>();
  const unpaired: Row[] = [];
  for (const row of answer.rows) {
    // Rows with equal values may be swapped.
    const prints = columns.map((_column, index) => printOfWire(row[`print${index}`]));
    const pair = waiting.get(JSON.stringify(prints))?.shift();
    if (pair) keys.set(pair.id, keyIn(table, row));
    else unpaired.push(row);
  }
  const left = inserted.filter(({ id }) => !keys.has(id));
  // SQLite may spell a number in a text column differently. If no row is missing, pair the rest in their order.
  if (left.length === unpaired.length) {
    for (const [index, { id }] of left.entries()) keys.set(id, keyIn(table, unpaired[index]!));
  }
  return {
    storedIds: step.rowIds.filter(id => keys.has(id)),
    ignoredIds: step.rowIds.filter(id => !keys.has(id)),
    keys,
  };
}

function printOfInsert(table: EditableTable, row: InsertedRow, columns: readonly string[]): string {
  const prints = columns.map(name => {
    const column = table.columns.find(other => other.name === name)!;
    return printOf(storedAs(table, column, editedValue(row, name)!));
  });
  return JSON.stringify(prints);
}

function printOf(value: StoredValue): string {
  switch (value.kind) {
    case 'text':
      return printOfText(
        `t${Array.from(value.text.slice(0, 2 * printLength))
          .slice(0, printLength)
          .join('')}`,
      );
    case 'blob':
      return `b${value.hex.slice(0, 2 * printLength).toUpperCase()}`;
    default:
      return printOfWire(wireValueOf(value));
  }
}

function printOfWire(value: SqlValue | undefined): string {
  // The service sends a whole REAL as an integer.
  if (typeof value === 'number') return String(Number.isInteger(value) ? BigInt(value) : value);
  if (typeof value === 'bigint') return String(value);
  return typeof value === 'string' ? printOfText(value) : 'null';
}

/** SQLite ends the beginning of a text at a NUL character. */
const printOfText = (text: string): string => text.split('\0', 1)[0]!;
