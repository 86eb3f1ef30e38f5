import type { Expr, Name } from 'sqlite3-parser';

/**
 * The source of the name of a query's column: a column of a table, or an alias in the same statement. The alias of a result
 * stands for an expression.
 */
export type ColumnOrigin =
  { readonly table: string; readonly column: string } | { readonly name: Name; readonly expr?: Expr };

export type ColumnRule = 'NOT NULL' | 'UNIQUE';

export interface SchemaColumn {
  readonly name: string;
  /** The declared type, or an empty text without one. */
  readonly type: string;
  /** Whether SQLite computes the value, so that no statement may set it. */
  readonly generated?: boolean;
  /** `NOT NULL`, `UNIQUE` or both, as its definition or a key of one column says. */
  readonly rules?: readonly ColumnRule[];
  /** The values that a CHECK lists for the column, as literals of SQL. Undefined without such a list. */
  readonly listedValues?: readonly string[];
  /** Undefined for a column of a table. */
  readonly origin?: ColumnOrigin;
}

/** Columns that reference those of another table, in the same order. */
export interface ForeignKey {
  readonly columns: readonly string[];
  readonly table: string;
  /** Empty if the columns reference the primary key. */
  readonly references: readonly string[];
}

type TableKind = 'table' | 'view' | 'virtual' | 'function';

export interface SchemaTable {
  readonly name: string;
  readonly kind: TableKind;
  readonly columns: readonly SchemaColumn[];
  /** Columns that `*` leaves out, such as the rowid. */
  readonly hiddenColumns: readonly string[];
  readonly primaryKey: readonly string[];
  /** The columns of each UNIQUE constraint with several columns. */
  readonly uniqueKeys?: readonly (readonly string[])[];
  readonly foreignKeys: readonly ForeignKey[];
}

/** Finds a table by its name, in any case. */
export interface TableLookup {
  table(name: string): SchemaTable | undefined;
}
