import type { DatabaseSync } from 'node:sqlite';
import { messageOf, misuse } from '../../base/errors.ts';
import type { ObjectKind } from '../../sql/effect/namedChange.ts';
import { confine, createObject } from '../../sql/running/confine.ts';
import { isOfUser } from '../../sql/tables/userTables.ts';
import { splitStatements } from '../../sql/text/splitter.ts';
import { quoteIdentifier } from '../../sql/text/quoting.ts';
import { entryColumns, type SchemaEntry, schemaEntryIn } from '../catalog/schemaEntries.ts';

/** A longer schema takes seconds to load. */
const maxSchemaLength = 4 * 1024 * 1024;

type SqliteValue = string | number | null;

/**
 * An empty database on this machine with the schema of a project. A plan is tried here first: SQLite itself shows which of its
 * statements work, and how they change the views and triggers that name a table.
 */
export class Rehearsal implements Disposable {
  readonly #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  static async open(schema: readonly SchemaEntry[]): Promise<Rehearsal> {
    const sqlite = await import('node:sqlite');
    if (schema.reduce((length, { sql }) => length + sql.length, 0) > maxSchemaLength) {
      throw misuse(
        'schema_too_large',
        'The schema has more than 4 million characters, which is too many to plan a change.',
      );
    }
    const options = { valueBytes: maxSchemaLength, namesViews: true };
    const database = confine(new sqlite.DatabaseSync(':memory:', { enableForeignKeyConstraints: true }), options);
    const rehearsal = new Rehearsal(database);
    rehearsal.#load(schema);
    return rehearsal;
  }

  /** Creates an object of a schema. Returns SQLite's message if it refuses the definition. */
  create(entry: SchemaEntry): string | undefined {
    return refusalOf(() => createObject(this.#database, entry));
  }

  /** Runs a statement of a plan. Returns SQLite's message if it refuses the statement. */
  run(sql: string): string | undefined {
    // Expressions of a design are untrusted. SQLite would ignore a second statement here, but the project would run it.
    if (splitStatements(sql).length !== 1) return 'Not one statement.';
    return refusalOf(() => this.#database.prepare(sql).all());
  }

  /** Prepares a statement without running it. Returns SQLite's message if it refuses the statement. */
  prepare(sql: string): string | undefined {
    return refusalOf(() => this.#database.prepare(sql));
  }

  query(sql: string, ...params: readonly string[]): readonly Readonly<Record<string, SqliteValue>>[] {
    return this.#database.prepare(sql).all(...params) as Record<string, SqliteValue>[];
  }

  entries(): SchemaEntry[] {
    const sql = `SELECT ${entryColumns} FROM sqlite_schema WHERE sql IS NOT NULL AND ${isOfUser('name')} ORDER BY rowid`;
    return this.query(sql).map(schemaEntryIn);
  }

  entryOf(name: string, kind: ObjectKind): SchemaEntry | undefined {
    const sql = `SELECT ${entryColumns} FROM sqlite_schema WHERE sql IS NOT NULL AND type = ? AND name = ? COLLATE NOCASE`;
    return this.query(sql, kind, name).map(schemaEntryIn)[0];
  }

  /** Reverts the changes of `attempt` if it returns false. */
  attempt(attempt: () => boolean): boolean {
    this.#database.exec('SAVEPOINT attempt');
    const isKept = attempt();
    if (!isKept) this.#database.exec('ROLLBACK TO attempt');
    this.#database.exec('RELEASE attempt');
    return isKept;
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }

  /** Leaves out objects that this SQLite cannot create, such as a virtual table of another module. */
  #load(schema: readonly SchemaEntry[]): void {
    this.#database.exec('BEGIN');
    for (const entry of schema.toSorted((a, b) => placeOf(a) - placeOf(b))) this.create(entry);
    this.#database.exec('COMMIT');
    // A function or module of the service that is missing here must not fail every rename.
    for (const { kind, name } of this.entries()) {
      if (kind !== 'view') continue;
      const fault = this.prepare(`SELECT * FROM ${quoteIdentifier(name)}`);
      if (
        fault !== undefined &&
        /no such (?:function|module|collation)|table-valued function|unsafe use/i.test(fault)
      ) {
        this.#database.exec(`DROP VIEW ${quoteIdentifier(name)}`);
      }
    }
  }
}

/** The objects that a statement needs must exist before it. */
const kindOrder: readonly ObjectKind[] = ['table', 'index', 'view', 'trigger'];

/** Virtual tables come first: they create the tables for their rows themselves. */
const placeOf = ({ kind, sql }: SchemaEntry): number =>
  /^\s*create\s+virtual\b/i.test(sql) ? -1 : kindOrder.indexOf(kind);

function refusalOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (thrown) {
    return messageOf(thrown);
  }
}
