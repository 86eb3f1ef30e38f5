import { misuse } from '../../base/errors.ts';
import type { EditValue, StoredValue } from '../../protocol/editValues.ts';
import { quoteIdentifierIfNeeded } from '../../sql/text/quoting.ts';
import { type EditableTable, type CollatedKeyColumn, tableSql } from './editableTable.ts';
import { type EditRow, jsonExpression, jsonOfRows } from './editJson.ts';
import { childrenFirst, familyOrder } from './familyOrder.ts';
import { bytesOf, storedPair } from './exactRows.ts';
import type { CellEdit, DeletedRow, InsertedRow, PendingRow, UpdatedRow } from './pendingEdits.ts';
import { isInKey, keyAfter, permutedRows } from './permutedRows.ts';
import { printSql } from './storedRows.ts';
import { given, orderOfKinds, type SaveKind, valuesBefore } from './saveOrder.ts';
import { afterMove, cellsMovedAway, type Moves, movesOf } from './temporaryKeys.ts';
import { unknownColumns } from './unsavableCells.ts';

/** One statement of a save. It changes all of its rows or none. */
export interface SaveStep {
  readonly kind: SaveKind | 'moveKeys';
  /** The pending rows that it saves, by their ids. */
  readonly rowIds: readonly string[];
  readonly sql: string;
  /** The value of the statement's only `?`. */
  readonly json: string;
  /** Whether the answer has a row for each change, and not just their number. */
  readonly returnsRows: boolean;
  /** The rows as they are still to be saved when the statement has run, in the order of `rowIds`. */
  readonly remaining: readonly UpdatedRow[];
}

/** A larger text of values is divided among several statements. Services limit the size of a request. */
const maxJsonLength = 4_000_000;

/** The statements that save edits, in their order. Rows whose keys other rows take are moved away first. */
export function saveSteps(
  table: EditableTable,
  rows: readonly PendingRow[],
  moves: Moves = movesOf(
    table,
    rows.filter(row => row.kind === 'update'),
  ),
): SaveStep[] {
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

/** Makes one statement, or several if its values take too much room. */
function divided<R extends PendingRow>(rows: readonly R[], make: (part: readonly R[]) => SaveStep): SaveStep[] {
  if (rows.length === 0) return [];
  const step = make(rows);
  if (step.json.length <= maxJsonLength || rows.length === 1) return [step];
  const middle = Math.ceil(rows.length / 2);
  return [...divided(rows.slice(0, middle), make), ...divided(rows.slice(middle), make)];
}

/** Names the values of JSON rows in a CTE. */
class EditTable {
  readonly #names: string[] = [];
  readonly #columns: ((row: number) => EditValue | boolean)[] = [];

  /** Adds a value of each row and gives its name in statements. */
  add(name: string, valueOf: (row: number) => EditValue | boolean): string {
    this.#names.push(name);
    this.#columns.push(valueOf);
    return `edit.${name}`;
  }

  rows(count: number): EditRow[] {
    return Array.from({ length: count }, (_, row) => this.#columns.map(valueOf => valueOf(row)));
  }

  sql(rows: readonly EditRow[]): string {
    const values = this.#names.map((name, index) => `${jsonExpression(rows, index)} AS ${name}`);
    return `WITH edit AS MATERIALIZED (\n  SELECT ${values.join(',\n    ')}\n  FROM json_each(?)\n)`;
  }
}

const target = 'target';
const collationSql = quoteIdentifierIfNeeded;
const columnSql = (name: string, row = target): string => `${row}.${quoteIdentifierIfNeeded(name)}`;

/** The rows of the table that have the keys of an edit. `row` is a name of the table, and `prefix` one for the values. */
function matchKey(
  edit: EditTable,
  columns: readonly CollatedKeyColumn[],
  keys: readonly (readonly StoredValue[])[],
  { row = target, prefix = 'key' } = {},
): string[] {
  return columns.flatMap(({ name, collation }, index) => {
    const value = edit.add(`${prefix}${index + 1}`, place => keys[place]![index]!);
    const column = columnSql(name, row);
    // By its own collation, SQLite looks the key up in its index. Texts that only look equal are left out then.
    const byIndex = `${column} IS ${value} COLLATE ${collationSql(collation)}`;
    const isText = keys.some(key => key[index]?.kind === 'text');
    if (!isText) return [`${column} IS ${value}`];
    return collation === 'BINARY' ? [byIndex] : [byIndex, `${column} IS ${value} COLLATE BINARY`];
  });
}

/** Whether a column still has the value that the user saw, in the same storage class. */
const isUnchanged = (column: string, base: string): string =>
  `${columnSql(column)} IS ${base} COLLATE BINARY AND typeof(${columnSql(column)}) = typeof(${base})`;

const allMatch = (table: EditableTable, matches: readonly string[]): string =>
  `(SELECT count(*) FROM edit JOIN ${tableSql(table.name)} AS ${target} ON ${matches.join('\n    AND ')}) = (SELECT count(*) FROM edit)`;

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
  const compared = new Set(rows.flatMap(row => [...row.known, ...(row.long ?? [])].map(({ column }) => column)));
  for (const [index, column] of [...compared].entries()) {
    matches.push(isUndisturbed(edit, rows, column, index + 1));
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
    `WHERE (${left.join(', ')}) IN (SELECT ${found.join(', ')} FROM edit JOIN ${name} AS ${target} ON ${matches.join('\n    AND ')})`,
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

/** The term that a column of deleted rows is as the user saw it. A long value is compared by its size, and some may be unknown. */
function isUndisturbed(edit: EditTable, rows: readonly DeletedRow[], column: string, number: number): string {
  const known = rows.map(row => row.known.find(other => other.column === column)?.value);
  const long = rows.map(row => row.long?.find(other => other.column === column));
  const base = edit.add(`base${number}`, row => known[row] ?? { kind: 'null' });
  const unchanged = isUnchanged(column, base);
  if (known.every(value => value !== undefined)) return unchanged;
  const isKnown = edit.add(`knows${number}`, row => known[row] !== undefined);
  if (long.every(value => value === undefined)) return `(NOT ${isKnown} OR ${unchanged})`;
  const bytes = edit.add(`bytes${number}`, row => countOf(known[row] ? undefined : long[row]?.bytes));
  const kind = edit.add(`kind${number}`, row => ({ kind: 'text', text: long[row]?.start.kind ?? '' }));
  const isAsLong = `${bytesOf(columnSql(column))} = ${bytes} AND typeof(${columnSql(column)}) = ${kind}`;
  return `CASE WHEN ${isKnown} THEN ${unchanged} WHEN ${bytes} IS NOT NULL THEN ${isAsLong} ELSE TRUE END`;
}

const countOf = (count: number | undefined): StoredValue =>
  count === undefined ? { kind: 'null' } : { kind: 'integer', text: String(count) };

interface Update {
  readonly id: string;
  readonly key: readonly StoredValue[];
  readonly cells: readonly CellEdit[];
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
    const base = edit.add(`base${index + 1}`, row => cells[row]?.base ?? { kind: 'null' });
    const value = edit.add(`value${index + 1}`, row => cells[row]?.value ?? { kind: 'null' });
    const isEdited = edit.add(`edits${index + 1}`, row => cells[row] !== undefined);
    matches.push(`(NOT ${isEdited} OR ${isUnchanged(name, base)})`);
    return `${column} = CASE WHEN ${isEdited} THEN ${value} ELSE ${columnSql(name, source)} END`;
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
  const moveSteps = divided(
    [...moves.values()].map(({ row }) => row),
    part => ({
      ...updateStep(
        table,
        'moveKeys',
        part.map(row => ({ id: row.id, key: row.key, cells: cellsMovedAway(moves.get(row.id)!) })),
      ),
      remaining: part.map(row => afterMove(table, row, moves)),
    }),
  );
  const updates = divided(rows, part =>
    updateStep(
      table,
      'update',
      part.map(row => afterMove(table, row, moves)),
    ),
  );
  return [...(permuted.size > 0 ? [permutationStep(table, [...permuted])] : []), ...moveSteps, ...updates];
}

function updateStep(table: EditableTable, kind: 'update' | 'moveKeys', rows: readonly Update[]): SaveStep {
  const edit = new EditTable();
  const matches = matchKey(
    edit,
    table.identity.columns,
    rows.map(row => row.key),
  );
  const edited = table.columns.filter(({ name }) => rows.some(row => row.cells.some(({ column }) => column === name)));
  const assignments: string[] = [];
  for (const [index, { name }] of edited.entries()) {
    const cells = rows.map(row => row.cells.find(({ column }) => column === name));
    const base = edit.add(`base${index + 1}`, row => cells[row]?.base ?? { kind: 'null' });
    const value = edit.add(`value${index + 1}`, row => cells[row]?.value ?? { kind: 'null' });
    const unchanged = isUnchanged(name, base);
    const column = quoteIdentifierIfNeeded(name);
    if (cells.every(cell => cell !== undefined)) {
      matches.push(unchanged);
      assignments.push(`${column} = ${value}`);
    } else {
      const isEdited = edit.add(`edits${index + 1}`, row => cells[row] !== undefined);
      matches.push(`(NOT ${isEdited} OR ${unchanged})`);
      assignments.push(`${column} = CASE WHEN ${isEdited} THEN ${value} ELSE ${columnSql(name)} END`);
    }
  }
  const json = edit.rows(rows.length);
  const sql = [
    edit.sql(json),
    `UPDATE${orAbort(table)} ${tableSql(table.name)} AS ${target}`,
    `SET ${assignments.join(',\n  ')}`,
    'FROM edit',
    `WHERE ${matches.join('\n  AND ')}`,
    `  AND ${allMatch(table, matches)}`,
    ...(table.hasTriggers ? [returningKey(table)] : []),
  ].join('\n');
  return {
    kind,
    rowIds: rows.map(({ id }) => id),
    sql,
    json: jsonOfRows(json),
    returnsRows: table.hasTriggers,
    remaining: [],
  };
}

/**
 * New rows with values in the same columns share a statement, in which they may refer to each other. A row whose parent is in
 * another statement comes behind it.
 */
function insertSteps(table: EditableTable, rows: readonly InsertedRow[]): SaveStep[] {
  const columnsOf = (row: InsertedRow): string[] =>
    table.columns.flatMap(({ name }) => (givenValue(row, name) ? [name] : []));
  const family = familyOrder(table, rows, given);
  const columns = new Map(rows.map(row => [row, JSON.stringify(columnsOf(row))]));
  const levels = new Map<InsertedRow, number>();
  for (const row of family.rows) {
    const behind = family.parentsOf(row).map(parent => {
      const level = levels.get(parent) ?? 0;
      return columns.get(parent) === columns.get(row) ? level : level + 1;
    });
    levels.set(row, Math.max(0, ...behind));
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

/** The value of a column, if the user gave one and it is not the default. */
function givenValue(row: InsertedRow, name: string): StoredValue | undefined {
  const value = row.values.find(({ column }) => column === name)?.value;
  return value === undefined || value.kind === 'default' ? undefined : value;
}

/** The key of each changed row, by which the rows are known that a trigger has left as they were. */
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
