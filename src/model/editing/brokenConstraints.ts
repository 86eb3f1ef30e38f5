import { asCount, asString } from '../../base/decode.ts';
import type { Project } from '../../client/index.ts';
import { checkConstraintsOf, columnsIn } from '../../sql/tables/checkConstraints.ts';
import { isSameName } from '../../sql/text/names.ts';
import { quoteIdentifierIfNeeded } from '../../sql/text/quoting.ts';
import type { StoredValue } from '../../protocol/editValues.ts';
import type { Row } from '../../wire/values.ts';
import { readReferencingKeys } from '../catalog/referencingKeys.ts';
import { maxProblems } from './cellProblems.ts';
import { type EditableTable, readEditableTable, tableSql } from '../catalog/editableTable.ts';
import { primaryKeyOf } from '../catalog/primaryKey.ts';
import { allOf, collationSql, columnSql, EditCte, matchKey, target } from './editCte.ts';
import { keyIn, keySelection, refuseRow } from './exactRows.ts';
import { type DeletedRow, editedValue, type PendingRow, type UpdatedRow, type WrittenRow } from './pendingEdits.ts';
import { rowIdOfKey } from './rowIds.ts';
import { valuesAfter } from './saveOrder.ts';
import { keyText } from './storedAs.ts';

/** SQLite itself finds the rows that would break a constraint. These statements only read. */

interface ConstrainedTable {
  readonly project: Pick<Project, 'query'>;
  readonly table: EditableTable;
  readonly signal?: AbortSignal | undefined;
}

/** The column with the index of the edit of a row. No column of a table has this name. */
const editIndexColumn = 'index of the edit';
const quotedEditIndex = quoteIdentifierIfNeeded(editIndexColumn);
const quoted = quoteIdentifierIfNeeded;

interface TakenKey {
  readonly row: WrittenRow;
  readonly otherRows: readonly string[];
}

/** Rows that would get the key of another row, in the table or among the edits. */
export async function rowsWithTakenKeys(
  { project, table, signal }: ConstrainedTable,
  columns: readonly string[],
  rows: readonly WrittenRow[],
): Promise<TakenKey[]> {
  const wanted = rows.flatMap(row => {
    const valueOf = valuesAfter(table)(row);
    const values = columns.map(valueOf).filter(value => value !== undefined);
    const isWhole = values.length === columns.length && values.every(({ kind }) => kind !== 'null');
    return isWhole ? [{ row, values }] : [];
  });
  if (wanted.length === 0) return [];
  const unique = table.uniqueKeys.find(key => key.every(({ name }, index) => name === columns[index]));
  const key = columns.map((name, index) => ({ name, collation: unique?.[index]?.collation ?? 'BINARY' }));
  const textOf = ({ values }: (typeof wanted)[number]): string | undefined =>
    keyText(table, key, column => values[columns.indexOf(column)]);
  const sameKey = Map.groupBy(wanted, textOf);
  const edit = new EditCte(editIndexColumn);
  const matches = key.map(({ name, collation }, index) => {
    const value = edit.add(`value${index + 1}`, row => wanted[row]!.values[index]!);
    return `${columnSql(name)} = ${value} COLLATE ${collationSql(collation)}`;
  });
  const identity = keySelection(table.identity.columns.map(({ name }) => columnSql(name)));
  const { cte, json } = edit.build(wanted.length);
  const sql = [
    cte,
    `SELECT edit.${quotedEditIndex}, ${identity.join(', ')}`,
    `FROM edit CROSS JOIN ${tableSql(table.name)} AS ${target} ON ${allOf(matches)} LIMIT ${maxProblems + wanted.length}`,
  ].join('\n');
  const present = await project.query(sql, [json], {
    decode: row => ({ index: editIndexOf(row), rowId: rowIdOfKey(keyIn(table, row)) }),
    isReadOnly: true,
    signal,
  });
  return wanted.flatMap((taker, index): TakenKey[] => {
    const { row } = taker;
    const others = sameKey.get(textOf(taker))!.flatMap(other => (other.row === row ? [] : [other.row.id]));
    // SQLite checks keys row by row. A row that gives up its key in the same statement may still have it then.
    const own = row.kind === 'update' ? rowIdOfKey(row.key) : undefined;
    const isTaken = present.some(({ index: taken, rowId }) => taken === index && rowId !== own);
    return isTaken || others.length > 0 ? [{ row, otherRows: others }] : [];
  });
}

export async function rowsThatBreakCheck(
  { project, table, signal }: ConstrainedTable,
  constraint: string,
  rows: readonly WrittenRow[],
) {
  const sql = `SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE`;
  const [createTable = ''] = await project.query(sql, [table.name], row => asString(row['sql']) ?? '');
  const check = checkConstraintsOf(createTable).find(({ name }) => name === constraint);
  if (!check || rows.length === 0) return [];
  const columns = columnsIn(
    check.expression,
    table.columns.map(({ name }) => name),
  );
  const broken = new Set<WrittenRow>();
  for (const group of byKind(rows)) {
    const after = rowsAfterSave(table, group);
    const found = await project.query(
      `${after.sql}\nSELECT ${quotedEditIndex} FROM after_save AS ${quoted(table.name)} WHERE NOT (${check.expression}) LIMIT ${maxProblems}`,
      [after.json],
      { decode: editIndexOf, isReadOnly: true, signal },
    );
    for (const index of found) broken.add(group[index]!);
  }
  return rows.map(row => ({ row, columns, isBroken: broken.has(row) }));
}

interface BrokenReference<R extends PendingRow> {
  readonly row: R;
  readonly columns: readonly string[];
  readonly table: string;
}

export async function brokenReferences(
  { project, table, signal }: ConstrainedTable,
  rows: readonly WrittenRow[],
): Promise<BrokenReference<WrittenRow>[]> {
  const found: BrokenReference<WrittenRow>[] = [];
  for (const { columns, table: parent, targets } of table.foreignKeys) {
    const keys = targets.length > 0 ? targets : await primaryKeyIn(project, parent, signal);
    const matches = (from: string): string =>
      keys.map((key, index) => `${from}.${quoted(key)} = child.${quoted(columns[index]!)}`).join(' AND ');
    // Rows of the same statement may refer to each other.
    const isOwn = isSameName(parent, table.name);
    const inEdits = isOwn ? `AND NOT EXISTS (SELECT 1 FROM after_save AS other WHERE ${matches('other')})` : '';
    for (const group of byKind(rows)) {
      const after = rowsAfterSave(table, group);
      const sql = [
        after.sql,
        `SELECT ${quotedEditIndex} FROM after_save AS child`,
        `WHERE ${columns.map(column => `child.${quoted(column)} IS NOT NULL`).join(' AND ')}`,
        `  AND NOT EXISTS (SELECT 1 FROM ${tableSql(parent)} AS parent WHERE ${matches('parent')}) ${inEdits}`,
        `LIMIT ${maxProblems}`,
      ].join('\n');
      const indexes = await project.query(sql, [after.json], { decode: editIndexOf, isReadOnly: true, signal });
      found.push(...indexes.map(index => ({ row: group[index]!, columns, table: parent })));
    }
  }
  return found;
}

/** Deleted rows, and rows that get another key, to which rows still refer. */
export async function rowsWithChildren(
  { project, table, signal }: ConstrainedTable,
  rows: readonly (UpdatedRow | DeletedRow)[],
): Promise<BrokenReference<UpdatedRow | DeletedRow>[]> {
  const found: BrokenReference<UpdatedRow | DeletedRow>[] = [];
  const primaryKey = primaryKeyOf(table.columns);
  for (const { table: owner, parts } of await readReferencingKeys(project, table.name)) {
    const columns = parts.flatMap(({ target: named }, index) => named ?? primaryKey[index] ?? []);
    const touched = rows.filter(
      row => row.kind === 'delete' || row.cells.some(cell => columns.some(name => isSameName(name, cell.column))),
    );
    if (touched.length === 0) continue;
    const keys = rowsByKey(
      table,
      touched.map(({ key }) => key),
    );
    const matches = columns.map((column, index) => `target.${quoted(column)} = child.${quoted(parts[index]!.column)}`);
    // Children that the same statement deletes do not keep their parents.
    const identity = table.identity.columns.map(
      ({ name }, index) => `child.${quoted(name)} IS edit.key${index + 1} COLLATE BINARY`,
    );
    const isOwn = isSameName(owner, table.name);
    const others = isOwn ? ` AND NOT EXISTS (SELECT 1 FROM edit WHERE ${identity.join(' AND ')})` : '';
    const sql = [
      keys.sql,
      `SELECT target.${quotedEditIndex} FROM target`,
      `WHERE EXISTS (SELECT 1 FROM ${tableSql(owner)} AS child WHERE ${matches.join(' AND ')}${others})`,
      `LIMIT ${maxProblems}`,
    ].join('\n');
    const indexes = await project.query(sql, [keys.json], { decode: editIndexOf, isReadOnly: true, signal });
    found.push(...indexes.map(index => ({ row: touched[index]!, columns, table: owner })));
  }
  return found;
}

/** A CTE `after_save` on which SQLite can evaluate constraints. Either all rows are new, or all are rows of the table. */
function rowsAfterSave(table: EditableTable, rows: readonly WrittenRow[]) {
  const edit = new EditCte(editIndexColumn);
  const keys = rows.flatMap(row => (row.kind === 'update' ? [row.key] : []));
  const matches = keys.length > 0 ? matchKey(edit, table.identity.columns, keys) : [];
  const columns = table.columns.filter(({ isGenerated }) => !isGenerated);
  const values = columns.map(({ name, defaultValue }, index) => {
    const edited = rows.map(row => editedValue(row, name));
    const isGiven = edit.add(`is_given${index + 1}`, row => edited[row] !== undefined);
    const value = edit.add(`value${index + 1}`, row => edited[row] ?? { kind: 'null' });
    const unchanged = keys.length > 0 ? columnSql(name) : `(${defaultValue ?? 'NULL'})`;
    return `CASE WHEN ${isGiven} THEN ${value} ELSE ${unchanged} END AS ${quoted(name)}`;
  });
  const { cte, json } = edit.build(rows.length);
  const sql = [
    `${cte},`,
    `after_save AS (SELECT edit.${quotedEditIndex}, ${values.join(',\n  ')}`,
    keys.length > 0 ? `FROM edit CROSS JOIN ${tableSql(table.name)} AS ${target} ON ${allOf(matches)})` : 'FROM edit)',
  ].join('\n');
  return { sql, json };
}

/** A CTE `edit` with the keys of rows, and their rows of the table as `target`. */
function rowsByKey(table: EditableTable, keys: readonly (readonly StoredValue[])[]) {
  const edit = new EditCte(editIndexColumn);
  const matches = matchKey(edit, table.identity.columns, keys, 'row');
  const { cte, json } = edit.build(keys.length);
  const sql = [
    `${cte},`,
    `${target} AS (SELECT edit.${quotedEditIndex}, row.* FROM edit CROSS JOIN ${tableSql(table.name)} AS row`,
    `  ON ${allOf(matches)})`,
  ].join('\n');
  return { sql, json };
}

async function primaryKeyIn(
  project: Pick<Project, 'query'>,
  name: string,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const table = await readEditableTable(project, name, signal);
  return typeof table === 'string' ? [] : primaryKeyOf(table.columns);
}

/** New rows and rows of the table, each in a statement of their own. */
function byKind(rows: readonly WrittenRow[]): WrittenRow[][] {
  return [...Map.groupBy(rows, ({ kind }) => kind).values()];
}

const editIndexOf = (row: Row): number => asCount(row[editIndexColumn]) ?? refuseRow();
