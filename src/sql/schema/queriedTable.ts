import type { Select } from 'sqlite3-parser';
import { columnsOfSelect } from '../scope/query.ts';
import { TableNames } from '../scope/tableNames.ts';
import { lazyColumns } from '../tables/lazyColumns.ts';
import type { SchemaColumn, SchemaTable, TableLookup } from '../tables/schemaTable.ts';

interface TableQuery {
  readonly select: Select;
  readonly schema: TableLookup;
  /** The column names of CREATE VIEW name (…). */
  readonly columns?: readonly SchemaColumn[] | undefined;
}

/** A view, or a table that CREATE TABLE … AS made. */
export class QueriedTable implements SchemaTable {
  readonly name: string;
  readonly kind: 'view' | 'table';
  readonly hiddenColumns: readonly string[];
  readonly primaryKey = [];
  readonly foreignKeys = [];
  readonly #query: TableQuery;
  readonly #columns: () => readonly SchemaColumn[];

  constructor(name: string, kind: 'view' | 'table', query: TableQuery) {
    const { select, schema, columns } = query;
    this.name = name;
    this.kind = kind;
    this.hiddenColumns = kind === 'table' ? ['rowid'] : [];
    this.#query = query;
    this.#columns = lazyColumns(() => columns ?? columnsOfSelect(select, new TableNames(schema)).map(withoutAlias));
  }

  get columns(): readonly SchemaColumn[] {
    return this.#columns();
  }

  /** A view follows the changes of the tables that it reads. A table keeps the columns that it was created with. */
  inSchema(schema: TableLookup): QueriedTable {
    return this.kind === 'table' ? this : new QueriedTable(this.name, 'view', { ...this.#query, schema });
  }
}

/** Outside of the query, an alias is a column of the view or table. */
function withoutAlias(column: SchemaColumn): SchemaColumn {
  const { name, type, origin } = column;
  return origin && 'name' in origin ? { name, type } : column;
}
