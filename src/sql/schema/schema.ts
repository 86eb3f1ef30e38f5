import type { Stmt } from 'sqlite3-parser';
import type { Steps } from '../../base/turns.ts';
import { parseStatement } from '../parser/parser.ts';
import type { SchemaTable, TableLookup } from '../tables/schemaTable.ts';
import { systemTable } from '../tables/systemTables.ts';
import { keyOf } from '../text/names.ts';
import { splitStatements } from '../text/splitter.ts';
import { QueriedTable } from './queriedTable.ts';
import { applyStatement } from './schemaStatements.ts';

interface IndexOrTrigger {
  readonly name: string;
  readonly table: string;
}

/** The objects of a schema by the keys of their names. */
export interface SchemaObjects {
  readonly tables: Map<string, SchemaTable>;
  readonly indexes: Map<string, IndexOrTrigger>;
  readonly triggers: Map<string, IndexOrTrigger>;
}

/** The tables, indexes and triggers of a database, as its DDL defines them. Immutable once it is read. */
export class Schema implements TableLookup {
  static readonly empty = new Schema({ tables: new Map(), indexes: new Map(), triggers: new Map() });

  readonly #objects: SchemaObjects;

  private constructor(objects: SchemaObjects) {
    this.#objects = objects;
  }

  /** Ignores statements that cannot be parsed. */
  static of(ddl: string): Schema {
    const statements = splitStatements(ddl).map(({ start, end }) => parseStatement(ddl, start, end).ast);
    return Schema.empty.after(statements.filter(statement => statement !== undefined));
  }

  /** Reads the statements of sqlite_schema, one in each step. Ignores those that cannot be parsed or create nothing. */
  static *read(statements: Iterable<string>): Steps<Schema> {
    const objects: SchemaObjects = { tables: new Map(), indexes: new Map(), triggers: new Map() };
    const schema = new Schema(objects);
    for (const statement of statements) {
      const tree = parseStatement(statement).ast;
      if (tree?.type.startsWith('Create')) applyStatement(tree, objects, schema);
      yield;
    }
    return schema;
  }

  /** Returns the schema after further statements. */
  after(statements: Iterable<Stmt>): Schema {
    const { tables, indexes, triggers } = this.#objects;
    const objects: SchemaObjects = {
      tables: new Map(tables),
      indexes: new Map(indexes),
      triggers: new Map(triggers),
    };
    const schema = new Schema(objects);
    for (const [name, table] of objects.tables) {
      if (table instanceof QueriedTable) objects.tables.set(name, table.inSchema(schema));
    }
    for (const statement of statements) applyStatement(statement, objects, schema);
    return schema;
  }

  /** A table or view of the schema, or a table of SQLite itself. */
  table(name: string): SchemaTable | undefined {
    return this.#objects.tables.get(keyOf(name)) ?? systemTable(name);
  }

  get tables(): Iterable<SchemaTable> {
    return this.#objects.tables.values();
  }

  get indexes(): Iterable<IndexOrTrigger> {
    return this.#objects.indexes.values();
  }

  get triggers(): Iterable<IndexOrTrigger> {
    return this.#objects.triggers.values();
  }
}
