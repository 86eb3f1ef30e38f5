import type { ForeignKey, TableLookup } from '../tables/schemaTable.ts';
import type { Source } from './sources.ts';

/** The foreign keys of the table that a source reads. */
export const foreignKeysOf = ({ table }: Source, schema: TableLookup): readonly ForeignKey[] =>
  (table === undefined ? undefined : schema.table(table))?.foreignKeys ?? [];

/** The columns that a foreign key references: those that it names, or else the primary key. */
export const referencedColumns = ({ references, table }: ForeignKey, schema: TableLookup): readonly string[] =>
  references.length > 0 ? references : (schema.table(table)?.primaryKey ?? []);
