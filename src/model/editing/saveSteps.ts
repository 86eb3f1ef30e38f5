import { misuse } from '../../base/errors.ts';
import type { EditValue, StoredValue } from '../../protocol/editValues.ts';
import { quoteIdentifierIfNeeded } from '../../sql/text/quoting.ts';
import { type EditableTable, tableSql } from './editableTable.ts';
import { type EditRow, jsonExpression, jsonOfRows } from './editJson.ts';
import { allMatch, collationSql, columnSql, EditTable, isUnchanged, matchKey, target } from './editTable.ts';
import { childrenFirst, familyOrder } from './familyOrder.ts';
import { bytesOf, storedPair } from './exactRows.ts';
import type { CellEdit, DeletedRow, InsertedRow, PendingRow, UpdatedRow } from './pendingEdits.ts';
import { isInKey, keyAfter, permutedRows } from './permutedRows.ts';
import { type SeenValue, seenValuesOf } from './rowChecks.ts';
import { printSql } from './storedRows.ts';
import { insertedValues, orderOfKinds, type SaveKind, valuesBefore } from './saveOrder.ts';
import { afterMove, cellsMovedAway, type Moves } from './temporaryKeys.ts';
import { unknownColumns } from './unsavableCells.ts';

/** One statement of a save. It changes all of its rows or none. */
export interface SaveStep {
  readonly kind: SaveKind | 'moveKeys';
  /** The pending rows that it saves, by their ids. */
  readonly rowIds: readonly string[];
  /** Other pending rows that must be as the user saw them. */
  readonly checkedIds?: readonly string[];
  readonly sql: string;
  /** The value of the statement's only `?`. */
  readonly json: string;
  /** Whether the answer has a row for each change, and not just their number. */
  readonly returnsRows: boolean;
  /** The rows as they must be saved after the statement has run, in the order of `rowIds`. */
  readonly remaining: readonly UpdatedRow[];
}

/** A larger text of values is divided among several statements. Services limit the size of a request. */
const maxJsonLength = 4_000_000;

/** The statements that save edits, in their order. Rows whose keys other rows take are movedRows away first. */
export function saveSteps(table: EditableTable, rows: readonly PendingRow[], moves: Moves): SaveStep[] {
  if (unknownColumns(table, rows).length > 0) throw misuse('unknown_column', 'An edited column is not in the table.');
  const deleted = rows.filter(row => row.kind === 'delete');
  const updated = rows.filter(row => row.kind === 'update');
  const inserted = rows.filter(row => row.kind === 'insert');
  const steps: Record<SaveKind, () => SaveStep[]> = {
    // A row goes before its parents, in case the rows are divided among several statements.
    delete: () =>
      divided(
        childrenFirst(table, deleted, row => valuesBefore(table, row)),
        part => deleteStep(table, part),
      ),
    update: () => updateSteps(table, updated, moves),
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

/** Constraints of a table may say that rows are left out or replace others. The statement says that it fails as a whole. */
const orAbort = ({ hasConflictClauses }: EditableTable): string => (hasConflictClauses ? ' OR ABORT' : '');

function deleteStep(table: EditableTable, rows: readonly DeletedRow[]): SaveStep {
  const { columns } = table.identity;
  const edit = new EditTable();
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
  const json = edit.rows(rows.length);
  // By another collation than that of its key, a column may have the values of other rows.
  const own = columns.map(
    ({ name, collation }) => `${quoteIdentifierIfNeeded(name)} COLLATE ${collationSql(collation)}`,
  );
  const targetKeys = columns.map(({ name }) => columnSql(name));
  const [left, found] = table.rowId === undefined ? [own, targetKeys] : [[table.rowId], [columnSql(table.rowId)]];
  const name = tableSql(table.name);
  const sql = [
    edit.sql(json),
    `DELETE FROM ${name}`,
    `WHERE (${left.join(', ')}) IN (SELECT ${found.join(', ')} FROM edit JOIN ${name} AS ${target} ON ${rowMatches.join('\n    AND ')})`,
    `  AND ${allMatch(table, matches)}`,
    ...(table.hasTriggers ? [returningKey(table)] : []),
  ].join('\n');
  return {
    kind: 'delete',
    rowIds: rows.map(({ id }) => id),
    sql,
    json: jsonOfRows(json),
    returnsRows: table.hasTriggers,
    remaining: [],
  };
}

/**
 * The term that a column has the values that the user saw. A long one is compared by its storage class, size and start. `isKnown`
 * says which rows have such a value: undefined if all do.
 */
function isUndisturbed(
  edit: EditTable,
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

interface Update {
  readonly id: string;
  readonly key: readonly StoredValue[];
  readonly cells: readonly CheckedCell[];
}

/** A row gets the values of another one that takes its key. Its edits are among them. */
function permutationStep(table: EditableTable, rows: readonly UpdatedRow[]): SaveStep {
  const edit = new EditTable();
  const { columns } = table.identity;
  const keys = rows.map(({ key }) => key);
  const source = 'source';
  const matches = matchKey(edit, columns, keys);
  const ofSource = matchKey(edit, columns, keys, { row: source, prefix: 'source' });
  const taken = matchKey(
    edit,
    columns,
    rows.map(row => keyAfter(table, row)),
    { prefix: 'taken' },
  );
  const passed = table.columns.filter(({ name, isGenerated }) => !isGenerated && !isInKey(table, name));
  const assignments = passed.map(({ name }, index) => {
    const cells = rows.map(row => row.cells.find(({ column }) => column === name));
    const column = quoteIdentifierIfNeeded(name);
    if (cells.every(cell => cell === undefined)) return `${column} = ${columnSql(name, source)}`;
    const { sql: isSame, isKnown = 'TRUE' } = isUndisturbed(edit, name, cells, index + 1);
    const value = edit.add(`value${index + 1}`, row => cells[row]?.value ?? { kind: 'null' });
    matches.push(isSame);
    return `${column} = CASE WHEN ${isKnown} THEN ${value} ELSE ${columnSql(name, source)} END`;
  });
  const key = quoteIdentifierIfNeeded(columns[0]!.name);
  const json = edit.rows(rows.length);
  const sql = [
    edit.sql(json),
    `UPDATE${orAbort(table)} ${tableSql(table.name)} AS ${target}`,
    `SET ${assignments.length > 0 ? assignments.join(',\n  ') : `${key} = ${columnSql(columns[0]!.name)}`}`,
    `FROM edit JOIN ${tableSql(table.name)} AS ${source} ON ${ofSource.join('\n  AND ')}`,
    `WHERE ${taken.join('\n  AND ')}`,
    `  AND ${allMatch(table, matches)}`,
  ].join('\n');
  return {
    kind: 'update',
    rowIds: rows.map(({ id }) => id),
    sql,
    json: jsonOfRows(json),
    returnsRows: false,
    remaining: [],
  };
}

function updateSteps(table: EditableTable, all: readonly UpdatedRow[], allMoves: Moves): SaveStep[] {
  const permuted = permutedRows(table, all);
  const rows = all.filter(row => !permuted.has(row));
  const moves = new Map([...allMoves].filter(([, { row }]) => !permuted.has(row)));
  const updates = divided(rows, part =>
    updateStep(
      table,
      'update',
      part.map(row => updateOf(table, afterMove(table, row, moves))),
    ),
  );
  return [
    ...(permuted.size > 0 ? [permutationStep(table, [...permuted])] : []),
    ...moveSteps(table, rows, moves),
    ...updates,
  ];
}

/**
 * The statements that give rows temporary keys. They change nothing if a row that is updated next has other values than the user
 * saw: the temporary keys would be in the table while the user decides.
 */
function moveSteps(table: EditableTable, rows: readonly UpdatedRow[], moves: Moves): SaveStep[] {
  if (moves.size === 0) return [];
  const movedRows = [...moves.values()].map(({ row }) => row);
  const others = rows.filter(({ id }) => !moves.has(id));
  const moveAll = moveStep(table, movedRows, others, moves);
  // Each of several statements checks its own rows only.
  return moveAll.json.length <= maxJsonLength
    ? [moveAll]
    : divided(movedRows, part => moveStep(table, part, [], moves));
}

function moveStep(
  table: EditableTable,
  movedRows: readonly UpdatedRow[],
  checked: readonly UpdatedRow[],
  moves: Moves,
): SaveStep {
  return {
    ...updateStep(table, 'moveKeys', [
      ...movedRows.map(row => updateOf(table, row, cellsMovedAway(moves.get(row.id)!))),
      ...checked.map(row => updateOf(table, row, [])),
    ]),
    remaining: movedRows.map(row => afterMove(table, row, moves)),
  };
}

/** An update that gives cells their values, or those of `written` only. It checks the other cells that the user saw. */
const updateOf = (table: EditableTable, row: UpdatedRow, written: readonly CellEdit[] = row.cells): Update => ({
  id: row.id,
  key: row.key,
  cells: [
    ...row.cells.map(({ column, base }) => written.find(cell => cell.column === column) ?? { column, base }),
    ...seenValuesOf(table, row),
  ],
});

function updateStep(table: EditableTable, kind: 'update' | 'moveKeys', rows: readonly Update[]): SaveStep {
  const edit = new EditTable();
  const matches = matchKey(
    edit,
    table.identity.columns,
    rows.map(row => row.key),
  );
  const rowMatches = [...matches];
  const assignments: string[] = [];
  for (const [index, { name }] of table.columns.entries()) {
    const cells = rows.map(row => row.cells.find(({ column }) => column === name));
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
  const isChanged = ({ cells }: Update): boolean => cells.some(({ value }) => value !== undefined);
  const changed = rows.filter(isChanged);
  const checked = rows.filter(row => !isChanged(row));
  const changes = checked.length === 0 ? undefined : edit.add('changes', row => isChanged(rows[row]!));
  const json = edit.rows(rows.length);
  const sql = [
    edit.sql(json),
    `UPDATE${orAbort(table)} ${tableSql(table.name)} AS ${target}`,
    `SET ${assignments.join(',\n  ')}`,
    'FROM edit',
    `WHERE ${rowMatches.join('\n  AND ')}`,
    ...(changes === undefined ? [] : [`  AND ${changes}`]),
    `  AND ${allMatch(table, matches)}`,
    ...(table.hasTriggers ? [returningKey(table)] : []),
  ].join('\n');
  return {
    kind,
    rowIds: changed.map(({ id }) => id),
    ...(checked.length > 0 && { checkedIds: checked.map(({ id }) => id) }),
    sql,
    json: jsonOfRows(json),
    returnsRows: table.hasTriggers,
    remaining: [],
  };
}

/**
 * New rows with values in the same columns share a statement, in which they may refer to each other. A row whose parent is in
 * another statement comes after it.
 */
function insertSteps(table: EditableTable, rows: readonly InsertedRow[]): SaveStep[] {
  const columnsOf = (row: InsertedRow): string[] =>
    table.columns.flatMap(({ name }) => (givenValue(row, name) ? [name] : []));
  const family = familyOrder(table, rows, insertedValues);
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

/** The value of a column, if the user entered one and it is not the default. */
function givenValue(row: InsertedRow, name: string): StoredValue | undefined {
  const value = row.values.find(({ column }) => column === name)?.value;
  return value === undefined || value.kind === 'default' ? undefined : value;
}

/** The key of each changed row. It shows which rows a trigger has left as they were. */
function returningKey({ identity }: EditableTable, others: readonly string[] = []): string {
  const key = identity.columns.flatMap(({ name }, index) => {
    const [kind, value] = storedPair(quoteIdentifierIfNeeded(name));
    return [`${kind} AS kind${index}`, `${value} AS value${index}`];
  });
  return `RETURNING ${[...key, ...others].join(',\n  ')}`;
}

function insertStep(table: EditableTable, rows: readonly InsertedRow[], columns: readonly string[]): SaveStep {
  const json: EditRow[] = rows.map(row => columns.map(column => givenValue(row, column)!));
  const values = columns.map((_column, index) => jsonExpression(json, index));
  const sql = [
    `INSERT${orAbort(table)} INTO ${tableSql(table.name)} (${columns.map(quoteIdentifierIfNeeded).join(', ')})`,
    `SELECT ${values.join(',\n  ')}`,
    'FROM json_each(?)',
    returningKey(
      table,
      columns.map((column, index) => `${printSql(quoteIdentifierIfNeeded(column))} AS print${index}`),
    ),
  ].join('\n');
  return {
    kind: 'insert',
    rowIds: rows.map(({ id }) => id),
    sql,
    json: jsonOfRows(json),
    returnsRows: true,
    remaining: [],
  };
}

/** SQLite has no way to insert several rows of defaults. */
function defaultsStep(table: EditableTable, { id }: InsertedRow): SaveStep {
  const sql = `INSERT${orAbort(table)} INTO ${tableSql(table.name)} DEFAULT VALUES\n${returningKey(table)}`;
  return {
    kind: 'insert',
    rowIds: [id],
    sql,
    json: '',
    returnsRows: true,
    remaining: [],
  };
}
