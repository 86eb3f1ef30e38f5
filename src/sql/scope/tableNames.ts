import type { CommonTableExpr, QualifiedName, Select, With } from 'sqlite3-parser';
import { keyOf } from '../text/names.ts';
import { LazyColumns, plainColumn } from '../tables/lazyColumns.ts';
import type { SchemaColumn, SchemaTable, TableLookup } from '../tables/schemaTable.ts';

/** How deep subqueries are followed into one another. Hand-written SQL stays far below, and the call stack is not endless. */
const deepest = 50;

/** A table as a query sees it, also one that WITH gives. */
export interface NamedTable extends Pick<SchemaTable, 'name' | 'columns' | 'hidden'> {
  readonly kind: SchemaTable['kind'] | 'common';
}

type ColumnsOf = (select: Select, names: TableNames) => SchemaColumn[];

/** What a table's name stands for at a place in a query: what the WITHs around it give, and behind them the schema. */
export class TableNames {
  readonly #schema: TableLookup;
  readonly #around: TableNames | undefined;
  readonly #given = new Map<string, NamedTable>();
  readonly #depth: number;
  readonly #columnsOf: ColumnsOf;

  private constructor(
    schema: TableLookup,
    columnsOf: ColumnsOf,
    { around, clause }: { around?: TableNames; clause?: With | undefined },
  ) {
    this.#schema = schema;
    this.#columnsOf = columnsOf;
    this.#around = around;
    this.#depth = around ? around.#depth + 1 : 0;
    for (const table of clause?.ctes ?? []) {
      const key = keyOf(table.tblName.text);
      if (!this.#given.has(key)) this.#given.set(key, new CommonTable(table, () => columnsOf(table.select, this)));
    }
  }

  static of(schema: TableLookup, columnsOf: ColumnsOf): TableNames {
    return new TableNames(schema, columnsOf, {});
  }

  /** The names within what a WITH belongs to. They may be used in the WITH itself as well, in any order. */
  within(clause: With | undefined): TableNames {
    return new TableNames(this.#schema, this.#columnsOf, { around: this, clause });
  }

  get isTooDeep(): boolean {
    return this.#depth > deepest;
  }

  find({ dbName, objName }: Pick<QualifiedName, 'dbName' | 'objName'>): NamedTable | undefined {
    const key = keyOf(objName.text);
    const given = dbName ? undefined : (this.#given.get(key) ?? this.#aroundAs(key));
    return given ?? this.#schema.table(objName.text);
  }

  /** What WITH gives here, the nearest first. */
  get commonTables(): NamedTable[] {
    const found = [...this.#given.values()];
    for (let names = this.#around; names; names = names.#around) found.push(...names.#given.values());
    return found;
  }

  #aroundAs(key: string): NamedTable | undefined {
    for (let names = this.#around; names; names = names.#around) {
      const given = names.#given.get(key);
      if (given) return given;
    }
    return undefined;
  }
}

class CommonTable implements NamedTable {
  readonly kind = 'common';
  readonly name: string;
  readonly hidden = [];
  readonly #columns: LazyColumns;

  constructor({ tblName, columns }: CommonTableExpr, find: () => SchemaColumn[]) {
    this.name = tblName.text;
    this.#columns = new LazyColumns(columns ? () => columns.map(({ colName }) => plainColumn(colName.text)) : find);
  }

  get columns(): readonly SchemaColumn[] {
    return this.#columns.get();
  }
}
