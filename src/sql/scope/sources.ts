import type { Name, QualifiedName } from 'sqlite3-parser';
import { isSameName, keyOf } from '../text/names.ts';
import type { ColumnOrigin, SchemaColumn } from '../tables/schemaTable.ts';
import type { NamedTable, TableNames } from './tableNames.ts';

/** A table, subquery or row in a query, from which columns may come. */
export interface Source {
  /** Empty for a subquery without an alias. */
  readonly alias: string;
  /** Undefined for a subquery. */
  readonly table?: string;
  /** The table of that name. Undefined for a subquery and for an unknown table. */
  readonly namedTable?: NamedTable;
  /** Where the statement declares the alias. Undefined if it uses the name of the table itself. */
  readonly aliasName?: Name;
  readonly kind: NamedTable['kind'] | 'subquery' | 'row';
  readonly columns: readonly SchemaColumn[];
  readonly hiddenColumns: readonly string[];
  /** The keys of the columns that a join merges with those of an earlier source. */
  readonly mergedColumns: ReadonlySet<string>;
  /** Whether its columns need a qualifier, such as those of NEW. */
  readonly qualifiedOnly: boolean;
}

export const noColumnKeys: ReadonlySet<string> = new Set();

/** The table that INSERT, UPDATE or DELETE changes. `names` has no common tables, because SQLite looks for none there. */
export function targetSource(name: QualifiedName, names: TableNames): Source {
  return tableSource(name, name.alias, names);
}

const sourceDefaults = {
  hiddenColumns: [],
  mergedColumns: noColumnKeys,
  qualifiedOnly: false,
} as const;

/** NEW, OLD or excluded. */
export function rowSource(alias: string, { table, namedTable, columns }: Source): Source {
  return {
    ...sourceDefaults,
    alias,
    ...(table !== undefined && { table }),
    ...(namedTable && { namedTable }),
    kind: 'row',
    columns,
    hiddenColumns: ['rowid'],
    qualifiedOnly: true,
  };
}

/** The table that a CREATE TABLE statement defines, for its own constraints. */
export const declaredSource = (alias: string, columns: readonly SchemaColumn[]): Source => ({
  ...sourceDefaults,
  alias,
  table: alias,
  kind: 'table',
  columns,
});

export const subquerySource = (alias: Name | undefined, columns: readonly SchemaColumn[]): Source => ({
  ...sourceDefaults,
  alias: alias?.text ?? '',
  ...(alias && { aliasName: alias }),
  kind: 'subquery',
  columns,
});

export function columnOfSource({ columns }: Source, name: string): SchemaColumn | undefined {
  return columns.find(column => isSameName(column.name, name));
}

/** A table in FROM. An unknown table has no columns. */
export function tableSource(name: QualifiedName, alias: Name | undefined, names: TableNames): Source {
  const table = name.objName.text;
  const namedTable = names.find(name);
  const { kind, columns, hiddenColumns } = namedTable ?? { kind: 'table', columns: [], hiddenColumns: [] };
  return {
    ...sourceDefaults,
    alias: alias?.text ?? table,
    table,
    ...(namedTable && { namedTable }),
    ...(alias && { aliasName: alias }),
    kind,
    columns,
    hiddenColumns,
  };
}

export const columnKeysOf = (sources: readonly Source[]): string[] =>
  sources.flatMap(({ columns }) => columns.map(({ name }) => keyOf(name)));

/** The keys of the columns that both sides of a join have. */
export function sharedColumnKeys(left: readonly Source[], right: readonly Source[]): Set<string> {
  return new Set(columnKeysOf(left)).intersection(new Set(columnKeysOf(right)));
}

/** The source of a column's name: a column of a table, or an alias. Undefined for a column of VALUES, which SQLite names. */
export function columnOrigin(column: SchemaColumn, { kind, table, namedTable }: Source): ColumnOrigin | undefined {
  if (column.origin || table === undefined || kind === 'common') return column.origin;
  return { table: namedTable?.name ?? table, column: column.name };
}
