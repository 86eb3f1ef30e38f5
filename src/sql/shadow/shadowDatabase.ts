import { quoteIdentifier } from '../text/quoting.ts';
import { hasAutoincrement, sequenceTables } from './automaticTables.ts';
import type { FatalStatements } from './fatalStatements.ts';
import { type SchemaObject, schemaTypeOf } from './schemaObject.ts';
import { type Dependencies, keysOf, ownerKey } from './schemaState.ts';
import type { SqliteConnection } from './sqliteConnection.ts';
import { maxStubFunctions, missingFunction } from './statementReport.ts';
import { virtualTableSubstitutes } from './virtualTables.ts';

/**
 * A database with the part of a schema that statements needed so far. Before each check it creates the missing dependencies,
 * and drops other objects with their names. So a change of the schema costs nothing until a statement depends on it.
 */
export class ShadowDatabase {
  readonly connection: SqliteConnection;
  /** By the {@link keysOf} the objects. */
  readonly #objects = new Map<string, Set<SchemaObject>>();
  readonly #fatalStatements: FatalStatements;
  /** Whether stubs of the schema's functions stay. In a database for checks, they would hide that a function is unknown. */
  readonly #keepsStubFunctions: boolean;
  /** Includes the objects that were dropped again. */
  creationCount = 0;
  /** Whether SQLite refused to drop an object. */
  isUnusable = false;

  constructor(
    connection: SqliteConnection,
    fatalStatements: FatalStatements,
    { keepsStubFunctions = false }: { readonly keepsStubFunctions?: boolean } = {},
  ) {
    this.connection = connection;
    this.#fatalStatements = fatalStatements;
    this.#keepsStubFunctions = keepsStubFunctions;
  }

  /** Creates the dependencies of a statement, and drops other objects with their names. */
  load({ names, objects }: Dependencies): void {
    const required = new Set(objects);
    const dropOthers = (present: ReadonlySet<SchemaObject> | undefined): void => {
      for (const object of present ?? []) if (!required.has(object)) this.#drop(object);
    };
    for (const name of names) dropOthers(this.#objects.get(name));
    for (const { name } of objects) dropOthers(this.#objects.get(ownerKey(name)));
    const isMissing = (object: SchemaObject): boolean => !this.#objects.get(object.name)?.has(object);
    const missing = objects.filter(isMissing);
    if (missing.length === 0) return;
    for (const { owner, database } of missing) {
      if (owner !== undefined && database === 'main') this.#dropTemporaryTable(owner);
    }
    // A dropped temporary table may have taken other required objects along.
    for (const object of objects) if (isMissing(object)) this.#create(object);
  }

  /** If two tables have one name, SQLite creates an index on the temporary one. So the index must be created first. */
  #dropTemporaryTable(name: string): void {
    for (const object of this.#objects.get(name) ?? []) {
      if (object.database === 'temp' && object.owner === undefined) this.#drop(object);
    }
  }

  #create(object: SchemaObject): void {
    this.creationCount++;
    // An object that cannot be created counts as present. Otherwise each statement would try it again.
    this.#add(object);
    if (object.isUncertain || this.#fatalStatements.has(object.sql)) return;
    const stubs = new Set<string>();
    this.#executeAtomically(object, stubs);
    // AUTOINCREMENT creates this table as well. Statements that do not depend on it must not see it.
    if (hasAutoincrement(object)) this.#add(sequenceTables[object.database]);
    if (!this.#keepsStubFunctions) for (const name of stubs) this.connection.removeFunction(name);
    if (this.connection.isBroken) this.#fatalStatements.add(object.sql);
  }

  /** A virtual table that its module fails to create would stay in the schema, and every statement would fail. */
  #executeAtomically({ kind, sql }: SchemaObject, stubs: Set<string>): void {
    if (kind !== 'virtual') {
      this.#execute(sql, stubs);
      return;
    }
    this.connection.execute('SAVEPOINT creation');
    const isCreated = this.#execute(sql, stubs);
    this.connection.execute(isCreated ? 'RELEASE creation' : 'ROLLBACK TO creation; RELEASE creation');
  }

  /** Creates an object or its nearest substitute. Returns whether that succeeded. */
  #execute(sql: string, stubs: Set<string>): boolean {
    for (;;) {
      const result = this.connection.execute(sql);
      if (result.kind !== 'error') return result.kind === 'ok';
      if (result.message.startsWith('no such module')) {
        return virtualTableSubstitutes(sql).some(substitute => this.connection.execute(substitute).kind === 'ok');
      }
      const name = missingFunction.exec(result.message)?.[1];
      if (name === undefined || stubs.has(name) || stubs.size >= maxStubFunctions) return false;
      stubs.add(name);
      this.connection.addFunction(name, 'scalar');
    }
  }

  #drop(object: SchemaObject): void {
    const { kind, database, name, owner } = object;
    // SQLite drops them with their table, except those of the table with this name in the other database.
    if (owner === undefined) for (const owned of this.#objects.get(ownerKey(name)) ?? []) this.#drop(owned);
    const sql = `DROP ${schemaTypeOf(kind)} IF EXISTS ${database}.${quoteIdentifier(name)}`;
    if (this.connection.execute(sql).kind !== 'ok') this.isUnusable = true;
    for (const key of keysOf(object)) {
      const objects = this.#objects.get(key);
      objects?.delete(object);
      if (objects?.size === 0) this.#objects.delete(key);
    }
  }

  #add(object: SchemaObject): void {
    for (const key of keysOf(object)) {
      const objects = this.#objects.get(key) ?? new Set();
      this.#objects.set(key, objects.add(object));
    }
  }
}
