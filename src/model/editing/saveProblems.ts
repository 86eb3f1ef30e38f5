import { isSameName } from '../../sql/text/names.ts';
import { brokenReferences, rowsWithChildren, rowsThatBreakCheck, rowsWithTakenKeys } from './brokenConstraints.ts';
import { type CellFault, type CellProblem, maxProblems } from './cellProblems.ts';
import type { EditableTable } from '../catalog/editableTable.ts';
import { type DeletedRow, editedValue, type PendingRow, type WrittenRow } from './pendingEdits.ts';
import type { AnsweredStep } from './storedRows.ts';

interface RefusedStep extends Omit<AnsweredStep, 'answer'> {
  readonly message: string;
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

/** Whether the row gets NULL in the column: from an edit, or as a new row from a column without a default. */
function isNull(table: EditableTable, row: WrittenRow, column: string): boolean {
  const value = editedValue(row, column);
  if (value) return value.kind === 'null';
  const declared = table.columns.find(({ name }) => isSameName(name, column));
  return row.kind === 'insert' && declared?.defaultValue === null;
}

const problemOf = (row: PendingRow, column: string | undefined, fault: CellFault, isGuess = false): CellProblem => ({
  rowId: row.id,
  column,
  fault,
  ...(isGuess && { isGuess }),
});

/** The edited cells that may be the cause. A single one is the cause. */
function possible(rows: readonly PendingRow[], columns: readonly string[], fault: CellFault): CellProblem[] {
  const cells = rows
    .slice(0, maxProblems)
    .flatMap(row => editedOf(row, columns).map(column => ({ row, column: column as string | undefined })));
  const found = cells.length > 0 ? cells : rows.slice(0, maxProblems).map(row => ({ row, column: undefined }));
  return found.map(({ row, column }) => problemOf(row, column, fault, found.length > 1));
}

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

/** The constraint that a statement of a save has broken, as SQLite's message names it. */
type ConstraintFault =
  | { readonly kind: 'notNull'; readonly column: string }
  | { readonly kind: 'unique'; readonly columns: readonly string[] }
  | { readonly kind: 'check'; readonly name: string }
  | { readonly kind: 'foreignKey' }
  | { readonly kind: 'wrongType'; readonly column: string; readonly stored: string; readonly declared: string };

/** Undefined for other messages, and for constraints of other tables, which triggers write. */
function constraintFaultOf(table: EditableTable, message: string): ConstraintFault | undefined {
  const check = /\bCHECK constraint failed: (.+)$/s.exec(message);
  if (check) return { kind: 'check', name: check[1]!.trim() };
  if (/\bFOREIGN KEY constraint failed/.test(message)) return { kind: 'foreignKey' };
  const notNull = /\bNOT NULL constraint failed: (.+)$/s.exec(message);
  if (notNull) {
    const column = columnNamed(table, notNull[1]!);
    return column === undefined ? undefined : { kind: 'notNull', column };
  }
  const unique = /\bUNIQUE constraint failed: (.+)$/s.exec(message);
  if (unique) return uniqueFault(table, unique[1]!.trim());
  const type = /\bcannot store (\w+) value in (\w+) column (.+)$/s.exec(message);
  if (type) {
    const column = columnNamed(table, type[3]!);
    return column === undefined ? undefined : { kind: 'wrongType', column, stored: type[1]!, declared: type[2]! };
  }
  const { rowIdColumn } = table;
  if (/\bdatatype mismatch/.test(message) && rowIdColumn !== undefined) {
    return { kind: 'wrongType', column: rowIdColumn, stored: '', declared: 'INTEGER' };
  }
  return undefined;
}

/** A column of the table in a text such as `pets.name`. Names may have points and blanks. */
function columnNamed({ name, columns }: EditableTable, text: string): string | undefined {
  return columns.find(column => text.trim() === `${name}.${column.name}`)?.name;
}

function uniqueFault(table: EditableTable, text: string): ConstraintFault | undefined {
  const spelled = (columns: readonly string[]): string => columns.map(column => `${table.name}.${column}`).join(', ');
  const keys = table.uniqueKeys.map(key => key.map(({ name }) => name));
  const key = keys.find(columns => spelled(columns) === text);
  if (key) return { kind: 'unique', columns: key };
  // A partial index is not among the keys, which distinguish all rows.
  const columns = table.columns
    .map(({ name }) => name)
    .filter(name => `, ${text}, `.includes(`, ${spelled([name])}, `));
  return columns.length > 0 && spelled(columns).length === text.length ? { kind: 'unique', columns } : undefined;
}
