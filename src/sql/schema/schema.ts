import type { Stmt } from 'sqlite3-parser';
import { keyOf } from '../text/names.ts';
import { parseStatement } from '../parser/parser.ts';
import { splitStatements } from '../text/splitter.ts';
import type { SchemaTable, TableLookup } from '../tables/schemaTable.ts';
import { systemTable } from '../tables/systemTables.ts';
import { changeBy, QueriedTable, type SchemaDraft } from './schemaStatements.ts';

/** An index or a trigger. */
export interface SchemaPart {
  readonly name: string;
  readonly table: string;
}

/** Which tables there are and what they are made of, as their DDL says. SQLite takes names in any case. */
export class Schema implements TableLookup {
  static readonly empty = new Schema({ tables: new Map(), indexes: new Map(), triggers: new Map() });

  readonly #parts: SchemaDraft;

  private constructor(parts: SchemaDraft) {
    this.#parts = parts;
  }

  /** The schema that the statements of a text build up. What does not parse builds nothing. */
  static of(ddl: string): Schema {
    const statements = splitStatements(ddl).map(({ start, end }) => parseStatement(ddl, start, end).ast);
    return Schema.empty.after(statements.filter(statement => statement !== undefined));
  }

  /** This schema as further statements leave it. */
  after(statements: Iterable<Stmt>): Schema {
    const { tables, indexes, triggers } = this.#parts;
    const draft = { tables: new Map(tables), indexes: new Map(indexes), triggers: new Map(triggers) };
    const schema = new Schema(draft);
    for (const [name, table] of draft.tables) {
      if (table instanceof QueriedTable) draft.tables.set(name, table.in(schema));
    }
    for (const statement of statements) changeBy(statement, draft, schema);
    return schema;
  }

  /** A table, a view, or what SQLite itself brings along under this name. */
  table(name: string): SchemaTable | undefined {
    return this.#parts.tables.get(keyOf(name)) ?? systemTable(name);
  }

  get tables(): Iterable<SchemaTable> {
    return this.#parts.tables.values();
  }

  get indexes(): Iterable<SchemaPart> {
    return this.#parts.indexes.values();
  }

  get triggers(): Iterable<SchemaPart> {
    return this.#parts.triggers.values();
  }
}
