import type { ForeignKey, TableLookup } from '../tables/schemaTable.ts';
import { isSameName } from '../text/names.ts';
import { quoteIdentifierIfNeeded } from '../text/quoting.ts';
import type { Source } from './sources.ts';

/** The foreign keys of the table that a source reads. */
export const foreignKeysOfSource = ({ table }: Source, schema: TableLookup): readonly ForeignKey[] =>
  (table === undefined ? undefined : schema.table(table))?.foreignKeys ?? [];

/** The columns that a foreign key references: those that it names, or else the primary key. */
export const referencedColumns = ({ references, table }: ForeignKey, schema: TableLookup): readonly string[] =>
  references.length > 0 ? references : (schema.table(table)?.primaryKey ?? []);

export interface ColumnKeyRole {
  readonly isKey: boolean;
  /** The target of the column's foreign key. */
  readonly references: ReferenceRole | undefined;
}

export interface ReferenceRole {
  readonly table: string;
  /** Undefined if the foreign key names no column: then the target is the primary key of the table. */
  readonly column: string | undefined;
  /** Set for a key of several columns: all of them with their targets, in the order of the key. */
  readonly parts?: readonly { readonly column: string; readonly target: string | undefined }[];
}

/** Undefined for a column of no known table, such as an expression. */
export function columnKeyOf(
  { table: tableName, column }: { readonly table: string | undefined; readonly column: string | undefined },
  schema: TableLookup,
): ColumnKeyRole | undefined {
  const table = tableName === undefined ? undefined : schema.table(tableName);
  if (!table || column === undefined) return undefined;
  const isColumn = (name: string): boolean => isSameName(name, column);
  const foreignKey = table.foreignKeys.find(({ columns }) => columns.some(isColumn));
  return {
    isKey: table.primaryKey.some(isColumn),
    references: foreignKey && {
      table: foreignKey.table,
      column: foreignKey.references[foreignKey.columns.findIndex(isColumn)],
      ...(foreignKey.columns.length > 1 && {
        parts: foreignKey.columns.map((name, index) => ({ column: name, target: foreignKey.references[index] })),
      }),
    },
  };
}

/** The conditions by which foreign keys of either side connect a table with earlier ones. `and` is the keyword to write. */
export function joinConditions(
  joined: Source,
  before: readonly Source[],
  { schema, and = 'AND' }: { readonly schema: TableLookup; readonly and?: string },
): string[] {
  const directed = (from: Source, to: Source): string[] =>
    foreignKeysOfSource(from, schema).flatMap(key => {
      const targets = referencedColumns(key, schema);
      if (!isSameName(to.table ?? '', key.table) || targets.length !== key.columns.length) return [];
      return key.columns
        .map((name, index) => `${qualifiedColumn(from, name)} = ${qualifiedColumn(to, targets[index]!)}`)
        .join(` ${and} `);
    });
  return before.flatMap(earlier => [...directed(joined, earlier), ...directed(earlier, joined)]);
}

const qualifiedColumn = ({ alias }: Source, name: string): string =>
  `${quoteIdentifierIfNeeded(alias)}.${quoteIdentifierIfNeeded(name)}`;
