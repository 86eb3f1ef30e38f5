import type { QualifiedName } from 'sqlite3-parser';
import { isSameName, keyOf } from '../text/names.ts';
import type { SchemaColumn } from '../tables/schemaTable.ts';
import type { NamedTable, TableNames } from './tableNames.ts';

/** What columns at a place may come from, under the name that they go by there. */
export interface Source {
  /** Empty for a subquery without a name. */
  readonly alias: string;
  /** Absent for a subquery. */
  readonly table?: string;
  readonly kind: NamedTable['kind'] | 'subquery' | 'row';
  readonly columns: readonly SchemaColumn[];
  readonly hidden: readonly string[];
  /** Columns, by their keys, that a join made one with those of a source before. */
  readonly merged: ReadonlySet<string>;
  /** Its columns are only known with its name before them, as those of NEW. */
  readonly qualifiedOnly: boolean;
}

export const noColumns: ReadonlySet<string> = new Set();

/** The table that a statement changes. */
export function targetSource(name: QualifiedName, names: TableNames): Source {
  return tableSource(name, name.alias?.text, names);
}

/** A row that goes by a name of its own, as NEW, OLD and excluded. */
export function rowSource(alias: string, { table, columns }: Source): Source {
  const named = table === undefined ? {} : { table };
  return { alias, ...named, kind: 'row', columns, hidden: ['rowid'], merged: noColumns, qualifiedOnly: true };
}

/** The columns that a statement declares itself. */
export function declaredSource(alias: string, columns: readonly SchemaColumn[]): Source {
  return { alias, table: alias, kind: 'table', columns, hidden: [], merged: noColumns, qualifiedOnly: false };
}

export function columnOfSource({ columns }: Source, name: string): SchemaColumn | undefined {
  return columns.find(column => isSameName(column.name, name));
}

/** A table under its own name or another. */
export function tableSource(name: QualifiedName, alias: string | undefined, names: TableNames): Source {
  const table = name.objName.text;
  const { kind, columns, hidden } = names.find(name) ?? { kind: 'table', columns: [], hidden: [] };
  return { alias: alias ?? table, table, kind, columns, hidden, merged: noColumns, qualifiedOnly: false };
}

/** The names of all columns, as they are compared. */
export const namesOf = (sources: readonly Source[]): string[] =>
  sources.flatMap(({ columns }) => columns.map(({ name }) => keyOf(name)));

/** Those that are there on both sides. */
export function sharedColumns(one: readonly Source[], other: readonly Source[]): Set<string> {
  return new Set(namesOf(one)).intersection(new Set(namesOf(other)));
}
