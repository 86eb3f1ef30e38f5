export interface SchemaColumn {
  readonly name: string;
  /** As it is declared; empty where nothing is. */
  readonly type: string;
  /** SQLite works out its value, so that nobody may set it. */
  readonly generated?: true;
}

/** Columns that point to those of another table, one by one. */
export interface ForeignKey {
  readonly columns: readonly string[];
  readonly table: string;
  /** Empty when they point to its primary key. */
  readonly references: readonly string[];
}

export type TableKind = 'table' | 'view' | 'virtual' | 'function';

export interface SchemaTable {
  readonly name: string;
  readonly kind: TableKind;
  readonly columns: readonly SchemaColumn[];
  /** Columns that are there and that `*` leaves out, as the rowid. */
  readonly hidden: readonly string[];
  readonly primaryKey: readonly string[];
  readonly foreignKeys: readonly ForeignKey[];
}

/** Finds a table by its name; SQLite takes names in any case. */
export interface TableLookup {
  table(name: string): SchemaTable | undefined;
}
