import { misuse } from '../../base/errors.ts';
import type { Project } from '../../client/index.ts';
import { type ColumnLimits, columnLimits } from '../../sql/checks/columnLimits.ts';
import { isSameName, keyOf } from '../../sql/text/names.ts';
import { quoteIdentifier } from '../../sql/text/quoting.ts';
import { definitionsOf, type ObjectDefinition, rowCountOf } from '../catalog/catalogQueries.ts';
import { tablePageRequest, pageRow } from '../copying/pageStatement.ts';
import {
  binaryKey,
  type EditableColumn,
  type EditableTable,
  type TableForeignKey,
  type CollatedKeyColumn,
  readEditableTable,
} from '../catalog/editableTable.ts';
import { primaryKeyOf } from '../catalog/primaryKey.ts';
import type { ColumnChoice } from './columnChoice.ts';
import { type SourceValue, firstPlace } from '../importing/sourceRow.ts';

/** Rows of another table that a foreign key may refer to. */
interface ReferencedRows {
  readonly columns: readonly string[];
  readonly table: string;
  readonly targets: readonly string[];
  /** The values of some rows, in the order of `columns`. */
  readonly rows: readonly (readonly SourceValue[])[];
  /** Whether there are no rows, and the first one would need a row of the generated table. */
  readonly isCircle: boolean;
}

export interface UniqueKey {
  readonly columns: readonly CollatedKeyColumn[];
  /** The values that the rows of the table have, unless there are too many. */
  readonly takenKeys: readonly (readonly SourceValue[])[];
}

/** A table as generated rows depend on it, read before the first one is made. */
export interface GeneratedTable {
  readonly name: string;
  readonly columns: readonly EditableColumn[];
  readonly limits: ReadonlyMap<string, ColumnLimits>;
  /** By the key of the column's name. */
  readonly choices?: ReadonlyMap<string, ColumnChoice>;
  readonly rowIdColumn: string | undefined;
  readonly isStrict: boolean;
  readonly uniqueKeys: readonly UniqueKey[];
  readonly references: readonly ReferencedRows[];
  /** The largest integer in each column of a unique key, by the key of the column's name. */
  readonly largest: ReadonlyMap<string, bigint>;
  readonly rowCount: number;
  readonly definition: string;
  readonly uniqueIndexes: readonly ObjectDefinition[];
}

/** The most rows to read as samples of a referenced table, or as keys of the table: they are kept in memory. */
const maxReferencedRows = 1000;
const maxTakenKeys = 20_000;

export async function readGeneratedTable(project: Project, name: string): Promise<GeneratedTable> {
  const editable = await readEditableTable(project, name);
  if (typeof editable === 'string') {
    throw misuse('rows_not_generated', `Rows can be generated only for tables with a key, and '${name}' has none.`);
  }
  const definitions = await definitionsOf(project, 'table', name);
  const definition = definitions.find(({ kind }) => kind === 'table')?.sql;
  if (definition === undefined) {
    throw misuse('rows_not_generated', `The service does not say how the table '${name}' was created.`);
  }
  const { columns, rowIdColumn, isStrict, uniqueKeys, foreignKeys } = editable;
  const keyNames = new Set(uniqueKeys.flat().map(column => column.name));
  const largest = new Map<string, bigint>();
  for (const column of keyNames) largest.set(keyOf(column), await largestIn(project, name, column));
  return {
    name,
    columns,
    limits: columnLimits(definition),
    rowIdColumn,
    isStrict,
    uniqueKeys: await Promise.all(
      uniqueKeys.map(async key => ({
        columns: key,
        takenKeys: await rowsOf(project, name, key, maxTakenKeys),
      })),
    ),
    references: await Promise.all(foreignKeys.map(async key => referencedRows(project, editable, key))),
    largest,
    rowCount: Number(await rowCountOf(project, name)),
    definition,
    uniqueIndexes: definitions.filter(({ kind, sql }) => kind === 'index' && /^\s*CREATE\s+UNIQUE\b/i.test(sql)),
  };
}

async function largestIn(project: Project, table: string, column: string): Promise<bigint> {
  const name = quoteIdentifier(column);
  const sql = `SELECT max(${name}) AS n FROM ${quoteIdentifier(table)} WHERE typeof(${name}) = 'integer'`;
  const [value] = await project.query(sql, [], row => row['n']);
  return typeof value === 'bigint' || typeof value === 'number' ? BigInt(value) : 0n;
}

async function referencedRows(project: Project, table: EditableTable, key: TableForeignKey): Promise<ReferencedRows> {
  const targets = key.targets.length > 0 ? key.targets : await referencedKey(project, table, key.table);
  if (targets.length !== key.columns.length) {
    throw misuse('no_referenced_key', `A foreign key refers to '${key.table}', which has no primary key for it.`);
  }
  const rows = await rowsOf(project, key.table, binaryKey(targets), maxReferencedRows);
  return {
    columns: key.columns,
    table: key.table,
    targets,
    rows: rows.filter(row => !row.includes(null)),
    isCircle: rows.length === 0 && (await needsRowsOf(project, key.table, table.name)),
  };
}

async function needsRowsOf(project: Project, name: string, other: string): Promise<boolean> {
  const table = await readEditableTable(project, name);
  if (typeof table === 'string') return false;
  return table.foreignKeys.some(
    key => isSameName(key.table, other) && key.columns.every(column => isNotNull(table, column)),
  );
}

export const isNotNull = ({ columns }: Pick<GeneratedTable, 'columns'>, name: string): boolean =>
  columns.some(column => isSameName(column.name, name) && column.notNull);

async function referencedKey(project: Project, table: EditableTable, name: string): Promise<string[]> {
  const other = isSameName(table.name, name) ? table : await readEditableTable(project, name);
  if (typeof other === 'string')
    throw misuse('no_referenced_table', `A foreign key refers to '${name}', which is not a table.`);
  return primaryKeyOf(other.columns);
}

async function rowsOf(
  project: Project,
  table: string,
  key: readonly CollatedKeyColumn[],
  maxRows: number,
): Promise<SourceValue[][]> {
  const read = { table, columns: key.map(({ name }) => name), key };
  const rows: SourceValue[][] = [];
  const { sql, params } = tablePageRequest(read, firstPlace, maxRows);
  await using scanner = await project.stream(sql, params, { isReadOnly: true });
  for await (const row of scanner) rows.push([...(pageRow(read, row).cells as readonly SourceValue[])]);
  const fault = scanner.err();
  if (fault) throw fault;
  return rows;
}
