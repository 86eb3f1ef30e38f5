import type { Breakers } from './breakers.ts';
import type { DefinitionChange } from './definitionChange.ts';
import { alterationOf } from './schemaAlteration.ts';
import type { Surroundings } from './schemaState.ts';
import { ShadowDatabase } from './shadowDatabase.ts';
import type { SqliteConnection } from './sqliteConnection.ts';

/**
 * How many things are made in a database before there is another one. SQLite reads its whole list of them whenever it makes
 * or drops one, so a thousand are made in half the time when they are spread over some databases.
 */
const mostMade = 100;
const mostDatabases = 40;

/** How many names there may be in them. All that was ever typed would stay in the engine's memory otherwise. */
const mostNames = 10_000;

/** One engine with as many databases as the schema needs. What is asked about together is held together. */
export class ShadowEngine {
  readonly #connection: SqliteConnection;
  readonly #functions: readonly string[];
  readonly #breakers: Breakers;
  /** By the names of what they hold or held. */
  readonly #databases = new Map<string, ShadowDatabase>();
  #all: ShadowDatabase[];
  /** How often another database was begun with. */
  #turns = 0;
  /** Where ALTER TABLE is run. */
  #workshop: SqliteConnection | undefined;

  constructor(connection: SqliteConnection, functions: readonly string[], breakers: Breakers) {
    this.#connection = connection;
    this.#functions = functions;
    this.#breakers = breakers;
    this.#all = [new ShadowDatabase(this.#withFunctions(connection), breakers)];
  }

  get isBroken(): boolean {
    return this.#connection.isBroken;
  }

  /** A database in which what surrounds a statement is as it is to be. */
  arranged(surroundings: Surroundings): SqliteConnection {
    if (this.#databases.size > mostNames) this.#startOver();
    const database = this.#databaseFor(surroundings);
    database.arrange(surroundings);
    if (!database.isSpoilt || this.isBroken) return database.connection;
    const another = this.#replaced(database);
    another.arrange(surroundings);
    return another.connection;
  }

  alteration(sql: string, surroundings: Surroundings): DefinitionChange {
    this.#workshop ??= this.#withFunctions(this.#connection.beside());
    return alterationOf(sql, surroundings, this.#workshop, this.#breakers);
  }

  #databaseFor({ definitions }: Surroundings): ShadowDatabase {
    const known = definitions.find(({ name }) => this.#databases.has(name));
    const database = (known && this.#databases.get(known.name)) ?? this.#withRoom();
    for (const { name } of definitions) if (!this.#databases.has(name)) this.#databases.set(name, database);
    return database;
  }

  /** The one whose turn it is, until enough was made in that turn. */
  #withRoom(): ShadowDatabase {
    const current = this.#all[this.#turns % mostDatabases]!;
    if (current.made < mostMade * (1 + Math.floor(this.#turns / mostDatabases))) return current;
    const next = ++this.#turns % mostDatabases;
    return (this.#all[next] ??= this.#newDatabase());
  }

  #replaced(spoilt: ShadowDatabase): ShadowDatabase {
    const another = this.#newDatabase();
    this.#all[this.#all.indexOf(spoilt)] = another;
    for (const [name, database] of this.#databases) if (database === spoilt) this.#databases.set(name, another);
    spoilt.connection.close();
    return another;
  }

  #startOver(): void {
    for (const { connection } of this.#all) connection.close();
    this.#databases.clear();
    this.#turns = 0;
    this.#all = [this.#newDatabase()];
  }

  #newDatabase(): ShadowDatabase {
    return new ShadowDatabase(this.#withFunctions(this.#connection.beside()), this.#breakers);
  }

  #withFunctions(connection: SqliteConnection): SqliteConnection {
    for (const name of this.#functions) connection.addFunction(name, 'scalar');
    return connection;
  }
}
