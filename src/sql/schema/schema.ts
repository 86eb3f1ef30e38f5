import type { Stmt } from 'sqlite3-parser';
import { keyOf } from '../names.ts';
import { parseStatement } from '../parser.ts';
import { splitStatements } from '../splitter.ts';
import { systemTable } from './systemTables.ts';
import { changeBy, QueriedTable, type SchemaDraft } from './schemaStatements.ts';

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

/** An index or a trigger. */
export interface SchemaPart {
  readonly name: string;
  readonly table: string;
}

/** Which tables there are and what they are made of, as their DDL says. SQLite takes names in any case. */
export class Schema {
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
