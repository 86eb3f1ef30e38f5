import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { planChange } from '../../src/model/shaping/changePlan.ts';
import type { ChangePlan } from '../../src/model/shaping/plan.ts';
import { readTableDesign } from '../../src/model/shaping/readTableDesign.ts';
import type { SchemaEntry } from '../../src/model/catalog/schemaEntries.ts';
import type { TableDesign } from '../../src/protocol/tableDesign.ts';

/** A database that is used as a service is: one committed statement a call, with foreign keys enforced. */
export class ShapedDatabase implements Disposable {
  readonly sqlite = new DatabaseSync(':memory:', { enableForeignKeyConstraints: true });

  constructor(script: string) {
    this.sqlite.enableDefensive(true);
    this.sqlite.exec(script);
  }

  get schema(): SchemaEntry[] {
    const sql = `SELECT type AS kind, name, tbl_name AS "table", sql FROM sqlite_schema
      WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*' ORDER BY rowid`;
    return this.sqlite.prepare(sql).all() as unknown as SchemaEntry[];
  }

  design(table: string): TableDesign {
    const design = readTableDesign(this.schema, table);
    if (typeof design === 'string') throw new Error(`${table} cannot be designed: ${design}`);
    return design;
  }

  plan(before: TableDesign | undefined, after: TableDesign): Promise<ChangePlan> {
    return planChange({ before, after, schema: this.schema });
  }

  run(sql: string): void {
    this.sqlite.prepare(sql).all();
  }

  apply({ steps, refusals }: ChangePlan): void {
    assert.deepEqual(refusals, []);
    for (const { sql } of steps) this.run(sql);
  }

  query(sql: string): unknown[][] {
    const statement = this.sqlite.prepare(sql);
    statement.setReturnArrays(true);
    statement.setReadBigInts(true);
    return statement.all() as unknown as unknown[][];
  }

  count(sql: string): number {
    return Number(this.query(sql)[0]?.[0]);
  }

  /** The values of each row, exactly and with their storage classes, in the order of the texts. */
  exactRows(table: string, columns: readonly string[]): string[] {
    const cells = columns.map(name => exactCell(`"${name}"`));
    return this.query(`SELECT ${cells.join(" || ' ' || ")} FROM "${table}"`)
      .map(([row]) => String(row))
      .toSorted();
  }

  [Symbol.dispose](): void {
    this.sqlite.close();
  }
}

const exactCell = (column: string): string =>
  `typeof(${column}) || ':' || CASE WHEN typeof(${column}) IN ('text', 'blob') THEN hex(${column}) ELSE quote(${column}) END`;
