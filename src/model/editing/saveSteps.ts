import { misuse } from '../../base/errors.ts';
import type { EditValue, StoredValue } from '../../protocol/editValues.ts';
import { quoteIdentifierIfNeeded } from '../../sql/text/quoting.ts';
import { type EditableTable, tableSql } from '../catalog/editableTable.ts';
import { type EditRow, jsonExpression, jsonOfRows } from './editJson.ts';
import { allMatch, collationSql, columnSql, EditCte, isUnchanged, matchKey, target } from './editCte.ts';
import type { SaveKind, SaveStep } from './draft.ts';
import { childrenFirst, familyOrder } from './familyOrder.ts';
import { bytesOf } from '../../sql/text/byteLength.ts';
import { keySelection } from './exactRows.ts';
import { type DeletedRow, editedValue, type InsertedRow, type PendingRow, type UpdatedRow } from './pendingEdits.ts';
import { type SeenValue, seenValuesOf } from './rowChecks.ts';
import { printSql } from './storedRows.ts';
import { keysFreedFirst, orderOfKinds, valuesAfter, valuesBefore } from './saveOrder.ts';
import { unknownColumns } from './valueChecks.ts';

/** A larger text of values is divided among several statements. Services limit the size of a request. */
const maxJsonLength = 4_000_000;

export function saveSteps(table: EditableTable, rows: readonly PendingRow[]): SaveStep[] {
  if (unknownColumns(table, rows).length > 0) throw misuse('unknown_column', 'An edited column is not in the table.');
  const deleted = rows.filter(row => row.kind === 'delete');
  const updated = rows.filter(row => row.kind === 'update');
  const inserted = rows.filter(row => row.kind === 'insert');
  const steps: Record<SaveKind, () => SaveStep[]> = {
    // A row goes before its parents, in case the rows are divided among several statements.
    delete: () => divided(childrenFirst(table, deleted, valuesBefore(table)), part => deleteStep(table, part)),
    update: () => keysFreedFirst(table, updated).flatMap(group => divided(group, part => updateStep(table, part))),
    insert: () => insertSteps(table, inserted),
  };
  return orderOfKinds(table, { deleted, updated, inserted }).flatMap(kind => steps[kind]());
}

/** Makes one statement, or several if its values are too long. */
function divided<R extends PendingRow>(rows: readonly R[], make: (part: readonly R[]) => SaveStep): SaveStep[] {
  if (rows.length === 0) return [];
  const step = make(rows);
  if (step.json.length <= maxJsonLength || rows.length === 1) return [step];
  const middle = Math.ceil(rows.length / 2);
  return [...divided(rows.slice(0, middle), make), ...divided(rows.slice(middle), make)];
}

/** ON CONFLICT clauses of a table may leave rows out or replace others. OR ABORT makes the statement fail as a whole. */
const orAbort = ({ hasConflictClauses }: EditableTable): string => (hasConflictClauses ? ' OR ABORT' : '');

function deleteStep(table: EditableTable, rows: readonly DeletedRow[]): SaveStep {
  const { columns } = table.identity;
  const edit = new EditCte();
  const matches = matchKey(
    edit,
    columns,
    rows.map(row => row.key),
  );
  const rowMatches = [...matches];
  const seen = rows.map(row => seenValuesOf(table, row));
  for (const [index, column] of [...new Set(seen.flat().map(value => value.column))].entries()) {
    const values = seen.map(ofRow => ofRow.find(value => value.column === column));
    matches.push(isUndisturbed(edit, column, values, index + 1).sql);
  }
  const { cte, json } = edit.build(rows.length);
  // Compare by the collation of the key: by another one, the values of other rows may be equal.
  const own = columns.map(
    ({ name, collation }) => `${quoteIdentifierIfNeeded(name)} COLLATE ${collationSql(collation)}`,
  );
  const targetKeys = columns.map(({ name }) => columnSql(name));
  const [left, found] = table.rowId === undefined ? [own, targetKeys] : [[table.rowId], [columnSql(table.rowId)]];
  const name = tableSql(table.name);
  const lines = [
    cte,
    `DELETE FROM ${name}`,
    `WHERE (${left.join(', ')}) IN (SELECT ${found.join(', ')} FROM edit JOIN ${name} AS ${target} ON ${rowMatches.join('\n    AND ')})`,
    `  AND ${allMatch(table, matches)}`,
    ...(table.hasTriggers ? [returningKey(table)] : []),
  ];
  return stepOf('delete', rows, { json, lines, returnsRows: table.hasTriggers });
}

/**
 * The term that a column still has the values that the user saw. A long one is compared by its storage class, size and start.
 * `isKnown` says which rows have such a value. It is undefined if all do.
 */
function isUndisturbed(
  edit: EditCte,
  column: string,
  values: readonly (SeenValue | undefined)[],
  number: number,
): { readonly sql: string; readonly isKnown: string | undefined } {
  const base = edit.add(`base${number}`, row => values[row]?.base ?? { kind: 'null' });
  let sql = isUnchanged(columnSql(column), base);
  if (values.some(value => value?.bytes !== undefined)) {
    const bytes = edit.add(`bytes${number}`, row => countOf(values[row]?.bytes));
    const start = `substr(${columnSql(column)}, 1, length(${base}))`;
    const isAsLong = `${bytesOf(columnSql(column))} = ${bytes} AND ${isUnchanged(start, base)}`;
    sql = `CASE WHEN ${bytes} IS NULL THEN ${sql} ELSE ${isAsLong} END`;
  }
  if (values.every(value => value !== undefined)) return { sql, isKnown: undefined };
  const isKnown = edit.add(`knows${number}`, row => values[row] !== undefined);
  return { sql: `(NOT ${isKnown} OR ${sql})`, isKnown };
}

const countOf = (count: number | undefined): StoredValue =>
  count === undefined ? { kind: 'null' } : { kind: 'integer', text: String(count) };

interface CheckedCell extends SeenValue {
  /** Undefined for a cell that the statement only checks. */
  readonly value?: EditValue;
}

function updateStep(table: EditableTable, rows: readonly UpdatedRow[]): SaveStep {
  const edit = new EditCte();
  // The values that a row gets, and the others that must be as the user saw them.
  const cellsOfRows = rows.map((row): CheckedCell[] => [...row.cells, ...seenValuesOf(table, row)]);
  const matches = matchKey(
    edit,
    table.identity.columns,
    rows.map(row => row.key),
  );
  const rowMatches = [...matches];
  const assignments: string[] = [];
  for (const [index, { name }] of table.columns.entries()) {
    const cells = cellsOfRows.map(ofRow => ofRow.find(({ column }) => column === name));
    if (cells.every(cell => cell === undefined)) continue;
    const { sql: isSame, isKnown } = isUndisturbed(edit, name, cells, index + 1);
    matches.push(isSame);
    if (cells.every(cell => cell?.value === undefined)) continue;
    const value = edit.add(`value${index + 1}`, row => cells[row]?.value ?? { kind: 'null' });
    const isSet = cells.some(cell => cell && cell.value === undefined)
      ? edit.add(`sets${index + 1}`, row => cells[row]?.value !== undefined)
      : isKnown;
    const column = quoteIdentifierIfNeeded(name);
    assignments.push(
      isSet === undefined
        ? `${column} = ${value}`
        : `${column} = CASE WHEN ${isSet} THEN ${value} ELSE ${columnSql(name)} END`,
    );
  }
  const { cte, json } = edit.build(rows.length);
  const lines = [
    cte,
    `UPDATE${orAbort(table)} ${tableSql(table.name)} AS ${target}`,
    `SET ${assignments.join(',\n  ')}`,
    'FROM edit',
    `WHERE ${rowMatches.join('\n  AND ')}`,
    `  AND ${allMatch(table, matches)}`,
    ...(table.hasTriggers ? [returningKey(table)] : []),
  ];
  return stepOf('update', rows, { json, lines, returnsRows: table.hasTriggers });
}

/** New rows with values in the same columns share a statement. A row whose parent is in another statement comes after it. */
function insertSteps(table: EditableTable, rows: readonly InsertedRow[]): SaveStep[] {
  const columnsOf = (row: InsertedRow): string[] =>
    table.columns.flatMap(({ name }) => (editedValue(row, name) ? [name] : []));
  const family = familyOrder(table, rows, valuesAfter(table));
  const columns = new Map(rows.map(row => [row, JSON.stringify(columnsOf(row))]));
  const levels = new Map<InsertedRow, number>();
  for (const row of family.rows) {
    const parentLevels = family.parentsOf(row).map(parent => {
      const level = levels.get(parent) ?? 0;
      return columns.get(parent) === columns.get(row) ? level : level + 1;
    });
    levels.set(row, Math.max(0, ...parentLevels));
  }
  const byLevel = [...Map.groupBy(family.rows, row => levels.get(row)!)].toSorted(([one], [other]) => one - other);
  return byLevel.flatMap(([, ofLevel]) =>
    [...Map.groupBy(ofLevel, row => columns.get(row)!).values()].flatMap(group => {
      const names = columnsOf(group[0]!);
      if (names.length === 0) return group.map(row => defaultsStep(table, row));
      return divided(group, part => insertStep(table, part, names));
    }),
  );
}

/** The key of each changed row. It shows which rows a trigger has left as they were. */
function returningKey({ identity }: EditableTable, others: readonly string[] = []): string {
  const key = keySelection(identity.columns.map(({ name }) => quoteIdentifierIfNeeded(name)));
  return `RETURNING ${[...key, ...others].join(',\n  ')}`;
}

function insertStep(table: EditableTable, rows: readonly InsertedRow[], columns: readonly string[]): SaveStep {
  const json: EditRow[] = rows.map(row => columns.map(column => editedValue(row, column)!));
  const values = columns.map((_column, index) => jsonExpression(json, index));
  const lines = [
    `INSERT${orAbort(table)} INTO ${tableSql(table.name)} (${columns.map(quoteIdentifierIfNeeded).join(', ')})`,
    `SELECT ${values.join(',\n  ')}`,
    'FROM json_each(?)',
    returningKey(
      table,
      columns.map((column, index) => `${printSql(quoteIdentifierIfNeeded(column))} AS print${index}`),
    ),
  ];
  return stepOf('insert', rows, { json: jsonOfRows(json), lines, returnsRows: true });
}

/** SQLite has no way to insert several rows of defaults. */
function defaultsStep(table: EditableTable, row: InsertedRow): SaveStep {
  const lines = [`INSERT${orAbort(table)} INTO ${tableSql(table.name)} DEFAULT VALUES`, returningKey(table)];
  return stepOf('insert', [row], { json: '', lines, returnsRows: true });
}

const stepOf = (
  kind: SaveKind,
  rows: readonly PendingRow[],
  { lines, ...rest }: Pick<SaveStep, 'json' | 'returnsRows'> & { readonly lines: readonly string[] },
): SaveStep => ({ kind, rowIds: rows.map(({ id }) => id), sql: lines.join('\n'), ...rest });
