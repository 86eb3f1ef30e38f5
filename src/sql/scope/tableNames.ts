import type { CommonTableExpr, QualifiedName, Select, With } from 'sqlite3-parser';
import type { Schema, SchemaColumn, SchemaTable } from '../schema/schema.ts';

/** How deep subqueries are followed into one another. Hand-written SQL stays far below, and the call stack is not endless. */
const deepest = 50;

/** A table as a query sees it, also one that WITH gives. */
export interface NamedTable extends Pick<SchemaTable, 'name' | 'columns' | 'hidden'> {
  readonly kind: SchemaTable['kind'] | 'common';
}

type ColumnsOf = (select: Select, names: TableNames) => SchemaColumn[];

/** What a table's name stands for at a place in a query: what the WITHs around it give, and behind them the schema. */
export class TableNames {
  readonly schema: Schema;
  readonly #around: TableNames | undefined;
  readonly #given: readonly NamedTable[];
  readonly #depth: number;
  readonly #columnsOf: ColumnsOf;

  private constructor(
    schema: Schema,
    columnsOf: ColumnsOf,
    { around, clause }: { around?: TableNames; clause?: With | undefined },
  ) {
    this.schema = schema;
    this.#columnsOf = columnsOf;
    this.#around = around;
    this.#depth = around ? around.#depth + 1 : 0;
    this.#given = clause?.ctes.map(table => new CommonTable(table, () => columnsOf(table.select, this))) ?? [];
  }

  static of(schema: Schema, columnsOf: ColumnsOf): TableNames {
    return new TableNames(schema, columnsOf, {});
  }

  /** The names within what a WITH belongs to. They may be used in the WITH itself as well, in any order. */
  within(clause: With | undefined): TableNames {
    return new TableNames(this.schema, this.#columnsOf, { around: this, clause });
  }

  get isTooDeep(): boolean {
    return this.#depth > deepest;
  }

  find({ dbName, objName }: Pick<QualifiedName, 'dbName' | 'objName'>): NamedTable | undefined {
    const name = objName.text.toLowerCase();
    const given = dbName ? undefined : this.commonTables.find(table => table.name.toLowerCase() === name);
    return given ?? this.schema.table(name);
  }

  /** What WITH gives here, the nearest first. */
  get commonTables(): NamedTable[] {
    const found = [...this.#given];
    for (let names = this.#around; names; names = names.#around) found.push(...names.#given);
    return found;
  }
}

class CommonTable implements NamedTable {
  readonly kind = 'common';
  readonly name: string;
  readonly hidden = [];
  readonly #find: () => SchemaColumn[];
  #columns: readonly SchemaColumn[] | undefined;

  constructor({ tblName, columns }: CommonTableExpr, find: () => SchemaColumn[]) {
    this.name = tblName.text;
    this.#find = find;
    this.#columns = columns?.map(({ colName }) => ({ name: colName.text, type: '' }));
  }

  get columns(): readonly SchemaColumn[] {
    if (!this.#columns) {
      // A table that is made of itself has no column while they are being found.
      this.#columns = [];
      this.#columns = this.#find();
    }
    return this.#columns;
  }
}
