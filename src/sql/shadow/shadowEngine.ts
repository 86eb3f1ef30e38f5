import type { FatalStatements } from './fatalStatements.ts';
import { alterationBy } from './schemaAlteration.ts';
import type { SchemaChange } from './schemaChange.ts';
import type { Dependencies } from './schemaState.ts';
import { ShadowDatabase } from './shadowDatabase.ts';
import type { SqliteConnection } from './sqliteConnection.ts';

/** SQLite reads its whole list of objects to create or drop one. A thousand objects take half the time in several databases. */
const maxCreationsPerRound = 100;
const maxDatabases = 40;

/** With more names the engine starts anew. Otherwise it would keep every name that was ever typed. */
const maxNames = 10_000;

/** A WebAssembly engine with several databases. Objects that a statement needs together are in the same database. */
export class ShadowEngine {
  readonly #connection: SqliteConnection;
  readonly #fatalStatements: FatalStatements;
  /** By the name of each object that the database has or had. */
  readonly #databaseByName = new Map<string, ShadowDatabase>();
  #databases: ShadowDatabase[];
  /** New names go to one database until it is full, then to the next one. */
  #rotation = 0;
  #alterationConnection: SqliteConnection | undefined;

  constructor(connection: SqliteConnection, fatalStatements: FatalStatements) {
    this.#connection = connection;
    this.#fatalStatements = fatalStatements;
    this.#databases = [new ShadowDatabase(connection, fatalStatements)];
  }

  get isBroken(): boolean {
    return this.#connection.isBroken;
  }

  connectionWith(dependencies: Dependencies): SqliteConnection {
    if (this.#databaseByName.size > maxNames) this.#reset();
    const database = this.#databaseFor(dependencies);
    database.load(dependencies);
    if (!database.isUnusable || this.isBroken) return database.connection;
    const replacement = this.#replace(database);
    replacement.load(dependencies);
    return replacement.connection;
  }

  /** A new database of this engine. The caller closes it. */
  open({ objects }: Dependencies): SqliteConnection {
    const connection = this.#connection.openAnother();
    const options = { keepsStubFunctions: true };
    new ShadowDatabase(connection, this.#fatalStatements, options).load({ names: new Set(), objects });
    return connection;
  }

  alterationBy(sql: string, dependencies: Dependencies): SchemaChange {
    this.#alterationConnection ??= this.#connection.openAnother();
    return alterationBy(sql, dependencies, this.#alterationConnection, this.#fatalStatements);
  }

  #databaseFor({ objects }: Dependencies): ShadowDatabase {
    const knownObject = objects.find(({ name }) => this.#databaseByName.has(name));
    const database = (knownObject && this.#databaseByName.get(knownObject.name)) ?? this.#databaseForNewNames();
    for (const { name } of objects) if (!this.#databaseByName.has(name)) this.#databaseByName.set(name, database);
    return database;
  }

  #databaseForNewNames(): ShadowDatabase {
    const current = this.#databases[this.#rotation % maxDatabases]!;
    const round = Math.floor(this.#rotation / maxDatabases);
    if (current.creationCount < maxCreationsPerRound * (1 + round)) return current;
    this.#rotation++;
    return (this.#databases[this.#rotation % maxDatabases] ??= this.#newDatabase());
  }

  #replace(unusable: ShadowDatabase): ShadowDatabase {
    const replacement = this.#newDatabase();
    this.#databases[this.#databases.indexOf(unusable)] = replacement;
    for (const [name, database] of this.#databaseByName) {
      if (database === unusable) this.#databaseByName.set(name, replacement);
    }
    unusable.connection.close();
    return replacement;
  }

  #reset(): void {
    for (const { connection } of this.#databases) connection.close();
    this.#databaseByName.clear();
    this.#rotation = 0;
    this.#databases = [this.#newDatabase()];
  }

  #newDatabase(): ShadowDatabase {
    return new ShadowDatabase(this.#connection.openAnother(), this.#fatalStatements);
  }
}
