import type { Project } from '../../client/index.ts';
import { isSameName } from '../../sql/text/names.ts';
import { brokenReferences, rowsWithChildren, rowsThatBreakCheck, rowsWithTakenKeys } from './brokenConstraints.ts';
import { type CellFault, type CellProblem, maxProblems } from './cellProblems.ts';
import { constraintFaultOf } from './constraintFault.ts';
import type { EditableTable } from '../catalog/editableTable.ts';
import { type DeletedRow, editedValue, type PendingRow, type WrittenRow } from './pendingEdits.ts';
import type { SaveStep } from './saveSteps.ts';

interface RefusedStep {
  readonly project: Pick<Project, 'query'>;
  readonly table: EditableTable;
  readonly step: SaveStep;
  /** The pending rows of the statement. */
  readonly rows: readonly PendingRow[];
  /** The message of the service. */
  readonly message: string;
  readonly signal: AbortSignal;
}

/**
 * The cells that a statement was refused for. SQLite names the constraint only, so this looks for the rows that break it. If
 * that fails, all edited cells of the constraint are named, as those that may have caused it.
 */
export async function problemsOfRefusal(refused: RefusedStep): Promise<CellProblem[]> {
  const { table, rows } = refused;
  const written = rows.filter(row => row.kind !== 'delete');
  const deleted = rows.filter(row => row.kind === 'delete');
  const fault = constraintFaultOf(table, refused.message);
  switch (fault?.kind) {
    case 'notNull': {
      const cell: CellFault = { kind: 'value', fault: 'notNull' };
      const { column } = fault;
      return written.filter(row => isNull(table, row, column)).map(row => problemOf(row, column, cell));
    }
    case 'wrongType': {
      const { column, stored, declared } = fault;
      const kind = stored.toLowerCase();
      const wrong = written.filter(row => {
        const value = editedValue(row, column);
        return value && value.kind !== 'null' && (kind === '' ? value.kind !== 'integer' : value.kind === kind);
      });
      return wrong.map(row => problemOf(row, column, { kind: 'wrongType', stored, declared }));
    }
    case 'unique': {
      const { columns } = fault;
      const cell: CellFault = { kind: 'unique', columns };
      const found = await orNothing(() => rowsWithTakenKeys(refused, columns, written));
      if (found.length === 0) return possible(written, columns, cell);
      return found.flatMap(({ row, otherRows }) =>
        editedOf(row, columns).map(column => ({
          rowId: row.id,
          column,
          fault: cell,
          isCertain: true,
          otherRows,
        })),
      );
    }
    case 'check': {
      const found = await orNothing(() => rowsThatBreakCheck(refused, fault.name, written));
      const cell: CellFault = { kind: 'check', constraint: fault.name };
      const columns = found[0]?.columns ?? table.columns.map(({ name }) => name);
      const broken = found.filter(({ isBroken }) => isBroken).map(({ row }) => row);
      if (broken.length === 0) return possible(written, columns, cell);
      return broken.flatMap(row => editedOrWhole(row, columns).map(column => problemOf(row, column, cell)));
    }
    case 'foreignKey':
      return problemsOfReferences(refused, written, deleted);
    case undefined:
      return possible(rows, [], { kind: 'message', message: refused.message });
  }
}

async function problemsOfReferences(
  refused: RefusedStep,
  written: readonly WrittenRow[],
  deleted: readonly DeletedRow[],
): Promise<CellProblem[]> {
  const { table } = refused;
  const orphans = await orNothing(() => brokenReferences(refused, written));
  const movedRows = written.filter(row => row.kind === 'update');
  const parents = await orNothing(() => rowsWithChildren(refused, [...movedRows, ...deleted]));
  const found = [
    ...orphans.flatMap(({ row, columns, table: parent }) =>
      editedOrWhole(row, columns).map(column => problemOf(row, column, { kind: 'noParent', table: parent })),
    ),
    ...parents.flatMap(({ row, columns, table: child }) =>
      editedOrWhole(row, columns).map(column => problemOf(row, column, { kind: 'hasChildren', table: child })),
    ),
  ];
  if (found.length > 0) return found;
  const columns = table.foreignKeys.flatMap(key => key.columns);
  return possible([...written, ...deleted], columns, { kind: 'message', message: refused.message });
}

/** A column that has NULL without an edit has NULL by default. */
function isNull(table: EditableTable, row: WrittenRow, column: string): boolean {
  const value = editedValue(row, column);
  if (value) return value.kind === 'null';
  const declared = table.columns.find(({ name }) => isSameName(name, column));
  return row.kind === 'insert' && declared?.defaultValue === null;
}

const problemOf = (row: PendingRow, column: string | undefined, fault: CellFault, isCertain = true): CellProblem => ({
  rowId: row.id,
  column,
  fault,
  isCertain,
});

/** The edited cells that may be the cause. A single one is the cause. */
function possible(rows: readonly PendingRow[], columns: readonly string[], fault: CellFault): CellProblem[] {
  const cells = rows
    .slice(0, maxProblems)
    .flatMap(row => editedOf(row, columns).map(column => ({ row, column: column as string | undefined })));
  const found = cells.length > 0 ? cells : rows.slice(0, maxProblems).map(row => ({ row, column: undefined }));
  return found.map(({ row, column }) => problemOf(row, column, fault, found.length === 1));
}

/** The columns in which a row has an edit. */
function editedOf(row: PendingRow, columns: readonly string[]): string[] {
  const named = row.kind === 'insert' ? row.values : row.kind === 'update' ? row.cells : [];
  return columns.filter(column => named.some(cell => isSameName(cell.column, column)));
}

function editedOrWhole(row: PendingRow, columns: readonly string[]): readonly (string | undefined)[] {
  const edited = editedOf(row, columns);
  return edited.length > 0 ? edited : [undefined];
}

/** Looking for the rows is optional. The refusal itself is reported in any case. */
async function orNothing<T>(find: () => Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await find();
  } catch {
    return [];
  }
}
