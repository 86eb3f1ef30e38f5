import type { ForeignKey, TableLookup } from '../tables/schemaTable.ts';
import { isSameName } from '../text/names.ts';
import type { Source } from './sources.ts';

/** The foreign keys of the table that a source reads. */
export const foreignKeysOfSource = ({ table }: Source, schema: TableLookup): readonly ForeignKey[] =>
  (table === undefined ? undefined : schema.table(table))?.foreignKeys ?? [];

/** The columns that a foreign key references: those that it names, or else the primary key. */
export const referencedColumns = ({ references, table }: ForeignKey, schema: TableLookup): readonly string[] =>
  references.length > 0 ? references : (schema.table(table)?.primaryKey ?? []);

/** The part of a column in the keys of its table. */
export interface ColumnKeyRole {
  readonly isKey: boolean;
  /** Where a foreign key of the column refers to. Without a column, it is the primary key of the table. */
  readonly references: ReferenceRole | undefined;
}

export interface ReferenceRole {
  readonly table: string;
  readonly column: string | undefined;
  /** All columns of a key of several, in its order, with those that they refer to. */
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
