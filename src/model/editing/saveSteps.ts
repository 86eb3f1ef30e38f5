import { randomUUID } from 'node:crypto';
import type { EditValue, StoredValue } from '../../protocol/editValues.ts';
import { quoteIdentifierIfNeeded } from '../../sql/text/quoting.ts';
import type { EditableTable, KeyColumn } from './editableTable.ts';
import { type EditRow, jsonExpression, jsonOfRows } from './editJson.ts';
import type { CellEdit, DeletedRow, InsertedRow, PendingRow, UpdatedRow } from './pendingEdits.ts';
import { rowIdOfKey } from './rowIds.ts';
import { orderOfKinds, type SaveKind, valuesAfter, valuesBefore } from './saveOrder.ts';

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

/** The statements that save edits, in their order. */
export function saveSteps(table: EditableTable, rows: readonly PendingRow[]): SaveStep[] {
  const deleted = rows.filter(row => row.kind === 'delete');
  const updated = rows.filter(row => row.kind === 'update');
  const inserted = rows.filter(row => row.kind === 'insert');
  const steps: Record<SaveKind, () => SaveStep[]> = {
    delete: () => divided(deleted, part => deleteStep(table, part)),
    update: () => updateSteps(table, updated),
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
const columnSql = (name: string): string => `${target}.${quoteIdentifierIfNeeded(name)}`;

/** The rows of the table that have the keys of an edit. */
function matchKey(edit: EditTable, columns: readonly KeyColumn[], keys: readonly (readonly StoredValue[])[]): string[] {
  return columns.flatMap(({ name, collation }, index) => {
    const value = edit.add(`key${index + 1}`, row => keys[row]![index]!);
    // By its own collation, SQLite looks the key up in its index. Texts that only look equal are left out then.
    const byIndex = `${columnSql(name)} IS ${value} COLLATE ${quoteIdentifierIfNeeded(collation)}`;
    const isText = keys.some(key => key[index]?.kind === 'text');
    if (!isText) return [`${columnSql(name)} IS ${value}`];
    return collation === 'BINARY' ? [byIndex] : [byIndex, `${columnSql(name)} IS ${value} COLLATE BINARY`];
  });
}

/** Whether a column still has the value that the user saw, in the same storage class. */
const isUnchanged = (column: string, base: string): string =>
  `${columnSql(column)} IS ${base} COLLATE BINARY AND typeof(${columnSql(column)}) = typeof(${base})`;

const allMatch = (table: EditableTable, matches: readonly string[]): string =>
  `(SELECT count(*) FROM edit JOIN ${quoteIdentifierIfNeeded(table.name)} AS ${target} ON ${matches.join('\n    AND ')}) = (SELECT count(*) FROM edit)`;

function deleteStep(table: EditableTable, rows: readonly DeletedRow[]): SaveStep {
  const { columns } = table.identity;
  const edit = new EditTable();
  const matches = matchKey(
    edit,
    columns,
    rows.map(row => row.key),
  );
  const known = [...new Set(rows.flatMap(row => row.known.map(({ column }) => column)))];
  for (const [index, column] of known.entries()) {
    const base = edit.add(`base${index + 1}`, row => knownValue(rows[row]!, column));
    matches.push(isUnchanged(column, base));
  }
  const json = edit.rows(rows.length);
  const keyList = columns.map(({ name }) => quoteIdentifierIfNeeded(name)).join(', ');
  const targetKeys = columns.map(({ name }) => columnSql(name)).join(', ');
  const name = quoteIdentifierIfNeeded(table.name);
  const sql = [
    edit.sql(json),
    `DELETE FROM ${name}`,
    `WHERE (${keyList}) IN (SELECT ${targetKeys} FROM edit JOIN ${name} AS ${target} ON ${matches.join('\n    AND ')})`,
    `  AND ${allMatch(table, matches)}`,
  ].join('\n');
  return {
    kind: 'delete',
    rowIds: rows.map(({ id }) => id),
    sql,
    json: jsonOfRows(json),
    returnsRows: false,
    remaining: [],
  };
}

function knownValue(row: DeletedRow, column: string): StoredValue {
  return row.known.find(known => known.column === column)?.value ?? { kind: 'null' };
}

interface Update {
  readonly id: string;
  readonly key: readonly StoredValue[];
  readonly cells: readonly CellEdit[];
}

/** A row whose key another edited row takes. */
interface Move {
  readonly row: UpdatedRow;
  /** The columns that it leaves first, with values that no row has. */
  readonly freeValues: ReadonlyMap<string, StoredValue>;
}

/** A row whose key another one takes is moved away first, because SQLite checks keys with each row. */
function updateSteps(table: EditableTable, rows: readonly UpdatedRow[]): SaveStep[] {
  const moves = movesOf(table, rows);
  const moveSteps = divided(
    [...moves.values()].map(({ row }) => row),
    part => ({
      ...updateStep(
        table,
        'moveKeys',
        part.map(row => moveAway(moves.get(row.id)!)),
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
  return [...moveSteps, ...updates];
}

function movesOf(table: EditableTable, rows: readonly UpdatedRow[]): Map<string, Move> {
  const moves = new Map<string, Move>();
  for (const key of table.uniqueKeys) {
    const names = key.map(({ name }) => name);
    const touched = rows.filter(row => row.cells.some(({ column }) => names.includes(column)));
    const holders = new Map(touched.map(row => [JSON.stringify(names.map(valuesBefore(table, row))), row]));
    for (const row of touched) {
      const holder = holders.get(JSON.stringify(names.map(valuesAfter(table, row))));
      if (!holder || holder === row) continue;
      const freeValues = moves.get(holder.id)?.freeValues ?? new Map<string, StoredValue>();
      const left = holder.cells.filter(({ column }) => names.includes(column));
      const isLeft = left.some(({ column }) => freeValues.has(column));
      const { column } = left.at(-1)!;
      moves.set(holder.id, {
        row: holder,
        freeValues: isLeft ? freeValues : new Map([...freeValues, [column, freeValue(table, column)]]),
      });
    }
  }
  return moves;
}

function moveAway({ row, freeValues }: Move): Update {
  const cells = row.cells.flatMap(edit => {
    const value = freeValues.get(edit.column);
    return value ? [{ ...edit, value }] : [];
  });
  return { id: row.id, key: row.key, cells };
}

/** The update of a row after it was moved away. */
function afterMove(table: EditableTable, row: UpdatedRow, moves: ReadonlyMap<string, Move>): UpdatedRow {
  const freeValues = moves.get(row.id)?.freeValues;
  if (!freeValues) return row;
  const key = table.identity.columns.map(({ name }, index) => freeValues.get(name) ?? row.key[index]!);
  const isOtherKey = table.identity.kind === 'key' && key.some((value, index) => value !== row.key[index]);
  const moved = row.cells.filter(({ column }) => freeValues.has(column));
  return {
    ...row,
    // The grid shows the row with its temporary key, and finds its edits by that.
    id: isOtherKey ? rowIdOfKey(key) : row.id,
    key,
    cells: row.cells.map(edit => ({ ...edit, base: freeValues.get(edit.column) ?? edit.base })),
    // A save that stopped before has left temporary values too. The oldest ones are the user's.
    moved: [
      ...(row.moved ?? []),
      ...moved
        .filter(({ column }) => !row.moved?.some(old => old.column === column))
        .map(({ column, base }) => ({ column, value: base })),
    ],
  };
}

/** A value that no row has, as far as chance can tell: it has 61 random bits or more. */
function freeValue({ columns }: EditableTable, name: string): StoredValue {
  const affinity = columns.find(column => column.name === name)?.affinity;
  const random = randomUUID().replaceAll('-', '');
  if (affinity === 'text') return { kind: 'text', text: `moving ${random}` };
  if (affinity === 'blob') return { kind: 'blob', hex: random };
  return { kind: 'integer', text: String(-(BigInt(`0x${random}`) % 2n ** 61n) - 2n ** 62n) };
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
    `UPDATE ${quoteIdentifierIfNeeded(table.name)} AS ${target}`,
    `SET ${assignments.join(',\n  ')}`,
    'FROM edit',
    `WHERE ${matches.join('\n  AND ')}`,
    `  AND ${allMatch(table, matches)}`,
  ].join('\n');
  return {
    kind,
    rowIds: rows.map(({ id }) => id),
    sql,
    json: jsonOfRows(json),
    returnsRows: false,
    remaining: [],
  };
}

/** New rows with values in the same columns share a statement. */
function insertSteps(table: EditableTable, rows: readonly InsertedRow[]): SaveStep[] {
  const columnsOf = (row: InsertedRow): string[] =>
    table.columns.flatMap(({ name }) => (givenValue(row, name) ? [name] : []));
  const groups = Map.groupBy(rows, row => JSON.stringify(columnsOf(row)));
  return [...groups.values()].flatMap(group => {
    const columns = columnsOf(group[0]!);
    if (columns.length === 0) return group.map(row => defaultsStep(table, row));
    return divided(group, part => insertStep(table, part, columns));
  });
}

/** The value of a column, if the user gave one and it is not the default. */
function givenValue(row: InsertedRow, name: string): StoredValue | undefined {
  const value = row.values.find(({ column }) => column === name)?.value;
  return value === undefined || value.kind === 'default' ? undefined : value;
}

const returning = ({ identity }: EditableTable): string =>
  `RETURNING ${identity.columns.map(({ name }) => quoteIdentifierIfNeeded(name)).join(', ')}`;

function insertStep(table: EditableTable, rows: readonly InsertedRow[], columns: readonly string[]): SaveStep {
  const json: EditRow[] = rows.map(row => columns.map(column => givenValue(row, column)!));
  const values = columns.map((_column, index) => jsonExpression(json, index));
  const sql = [
    `INSERT INTO ${quoteIdentifierIfNeeded(table.name)} (${columns.map(quoteIdentifierIfNeeded).join(', ')})`,
    `SELECT ${values.join(',\n  ')}`,
    'FROM json_each(?)',
    returning(table),
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
  const sql = `INSERT INTO ${quoteIdentifierIfNeeded(table.name)} DEFAULT VALUES\n${returning(table)}`;
  return {
    kind: 'insert',
    rowIds: [id],
    sql,
    json: '',
    returnsRows: true,
    remaining: [],
  };
}
