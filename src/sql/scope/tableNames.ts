import type { CommonTableExpr, Name, QualifiedName, With } from 'sqlite3-parser';
import { lazyColumns } from '../tables/lazyColumns.ts';
import type { SchemaColumn, SchemaTable, TableLookup } from '../tables/schemaTable.ts';
import { keyOf } from '../text/names.ts';
import { columnsOfSelect } from './query.ts';

/** Deeper subqueries have no columns. Handwritten SQL stays far below, and the call stack is limited. */
const maxDepth = 50;

/** A table of the schema, or a common table. */
export interface NamedTable extends Pick<SchemaTable, 'name' | 'columns' | 'hiddenColumns'> {
  readonly kind: SchemaTable['kind'] | 'common';
  /** Where the statement declares a common table. */
  readonly declaration?: Name;
}

/** Resolves the names of tables within a query: first by the WITH clauses around it, then by the schema. */
export class TableNames {
  readonly #schema: TableLookup;
  readonly #outer: TableNames | undefined;
  readonly #commonTables = new Map<string, NamedTable>();
  readonly #depth: number;

  /** Without `outer`, only the tables of the schema have names. */
  constructor(schema: TableLookup, outer?: TableNames, clause?: With) {
    this.#schema = schema;
    this.#outer = outer;
    this.#depth = outer ? outer.#depth + 1 : 0;
    for (const table of clause?.ctes ?? []) {
      const key = keyOf(table.tblName.text);
      if (this.#commonTables.has(key)) continue;
      this.#commonTables.set(
        key,
        commonTable(table, () => columnsOfSelect(table.select, this)),
      );
    }
  }

  /** The names within the query that a WITH clause belongs to. They hold in the clause itself as well, in any order. */
  within(clause: With | undefined): TableNames {
    return new TableNames(this.#schema, this, clause);
  }

  get isTooDeep(): boolean {
    return this.#depth > maxDepth;
  }

  find({ dbName, objName }: Pick<QualifiedName, 'dbName' | 'objName'>): NamedTable | undefined {
    return (dbName ? undefined : this.#commonTable(keyOf(objName.text))) ?? this.#schema.table(objName.text);
  }

  /** All common tables, the innermost first. */
  get commonTables(): NamedTable[] {
    const tables = [...this.#commonTables.values()];
    for (let names = this.#outer; names; names = names.#outer) tables.push(...names.#commonTables.values());
    return tables;
  }

  #commonTable(key: string): NamedTable | undefined {
    const ownTable = this.#commonTables.get(key);
    if (ownTable) return ownTable;
    for (let names = this.#outer; names; names = names.#outer) {
      const table = names.#commonTables.get(key);
      if (table) return table;
    }
    return undefined;
  }
}

function commonTable({ tblName, columns }: CommonTableExpr, columnsOfQuery: () => SchemaColumn[]): NamedTable {
  const resolve = columns ? () => columns.map(({ colName }) => declaredColumn(colName)) : columnsOfQuery;
  const resolvedColumns = lazyColumns(resolve);
  return {
    kind: 'common',
    name: tblName.text,
    declaration: tblName,
    hiddenColumns: [],
    get columns() {
      return resolvedColumns();
    },
  };
}

const declaredColumn = (name: Name): SchemaColumn => ({ name: name.text, type: '', origin: { name } });
