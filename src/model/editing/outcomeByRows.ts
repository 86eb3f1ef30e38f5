import type { Project } from '../../client/index.ts';
import { isSameValue, type StoredValue } from '../../protocol/editValues.ts';
import type { EditableTable } from './editableTable.ts';
import { type ExactRow, keyOf, readExactRows } from './exactRows.ts';
import type { NamedValue, PendingRow, UpdatedRow } from './pendingEdits.ts';
import { editedValue } from './rowsAfterSave.ts';
import { keyAfter } from './saveOrder.ts';
import type { SaveStep } from './saveSteps.ts';

interface UnknownStep {
  readonly project: Pick<Project, 'query'>;
  readonly table: EditableTable;
  readonly step: SaveStep;
  /** The pending rows of the statement. */
  readonly rows: readonly PendingRow[];
  readonly signal: AbortSignal;
}

/**
 * Whether a statement has run, judged by the rows of the table. It has changed all of its rows or none, so all of them must
 * agree. Undefined if they do not, or if new rows have no key by which they could be found.
 */
export async function outcomeByRows(unknown: UnknownStep): Promise<'saved' | 'notSaved' | undefined> {
  const { table, step, rows } = unknown;
  // By now, other rows may have the row ids.
  if (rows.length !== step.rowIds.length || table.identity.kind === 'rowId') return undefined;
  switch (step.kind) {
    case 'delete': {
      const found = await find(unknown, rows.map(rowKey), []);
      return allOrNone(found.map(row => row === undefined));
    }
    case 'insert': {
      const keys = rows.map(row => givenKey(table, row));
      if (keys.some(key => key === undefined)) return undefined;
      const found = await find(unknown, keys as readonly StoredValue[][], []);
      return allOrNone(found.map(row => row !== undefined));
    }
    case 'update': {
      const updated = rows.filter(row => row.kind === 'update');
      const columns = [...new Set(updated.flatMap(({ cells }) => cells.map(({ column }) => column)))];
      const after = await find(
        unknown,
        updated.map(row => keyAfter(table, row)),
        columns,
      );
      const before = await find(unknown, updated.map(rowKey), columns);
      const isSaved = updated.map((row, index) => hasAll(row, after[index], 'value'));
      const isAsBefore = updated.map((row, index) => hasAll(row, before[index], 'base'));
      if (isSaved.every(Boolean)) return 'saved';
      return isAsBefore.every(Boolean) ? 'notSaved' : undefined;
    }
  }
}

function allOrNone(areDone: readonly boolean[]): 'saved' | 'notSaved' | undefined {
  if (areDone.every(Boolean)) return 'saved';
  return areDone.some(Boolean) ? undefined : 'notSaved';
}

function find(
  { project, table, signal }: UnknownStep,
  keys: readonly (readonly StoredValue[])[],
  columns: readonly string[],
): Promise<(ExactRow | undefined)[]> {
  const requestedRows = keys.map(key => keyOf(table, key));
  return requestedRows.length === 0
    ? Promise.resolve([])
    : readExactRows(project, { table, requestedRows, columns, signal });
}

const rowKey = (row: PendingRow): readonly StoredValue[] => (row.kind === 'insert' ? [] : row.key);

function givenKey({ identity }: EditableTable, row: PendingRow): StoredValue[] | undefined {
  if (row.kind !== 'insert') return undefined;
  const key = identity.columns.map(({ name }) => editedValue(row, name));
  return key.every(value => value !== undefined && value.kind !== 'null') ? key : undefined;
}

function hasAll(row: UpdatedRow, found: ExactRow | undefined, expected: 'base' | 'value'): boolean {
  const valueOf = (column: string): NamedValue | undefined => found?.values.find(named => named.column === column);
  return row.cells.every(cell => {
    const present = valueOf(cell.column);
    return present !== undefined && isSameValue(present.value, cell[expected]);
  });
}
