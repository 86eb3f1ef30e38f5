import { quoteIdentifier } from '../text/quoting.ts';
import type { Breakers } from './breakers.ts';
import type { Definition } from './definition.ts';
import { dropWords } from './definitionChange.ts';
import { virtualTableStandIns } from './schemaChange.ts';
import { countsUp, sequences } from './ownTables.ts';
import type { Surroundings } from './schemaState.ts';
import type { SqliteConnection } from './sqliteConnection.ts';
import { missingFunction, mostStandIns } from './statementReport.ts';

/**
 * A database that holds no more of a schema than was asked about so far. What a statement needs is made before it is judged,
 * and what is in its way is dropped. So a change of the schema costs nothing until something is said of what it changed.
 */
export class ShadowDatabase {
  readonly #connection: SqliteConnection;
  readonly #held = new Map<string, Set<Definition>>();
  readonly #heldOn = new Map<string, Set<Definition>>();
  readonly #breakers: Breakers;
  #made = 0;
  #isSpoilt = false;
  /** Whether functions stay that nothing but the schema calls. They would hide from statements that they are not there. */
  readonly #keepsFunctions: boolean;

  constructor(connection: SqliteConnection, breakers: Breakers, keepFunctions?: 'keepFunctions') {
    this.#connection = connection;
    this.#breakers = breakers;
    this.#keepsFunctions = keepFunctions !== undefined;
  }

  /** How many things were made here so far. */
  get made(): number {
    return this.#made;
  }

  get connection(): SqliteConnection {
    return this.#connection;
  }

  /** Whether it holds something that it should not, which SQLite does not let go: it is of no more use. */
  get isSpoilt(): boolean {
    return this.#isSpoilt;
  }

  /** Makes what surrounds a statement what it is to be. */
  arrange({ names, definitions }: Surroundings): void {
    const wanted = new Set(definitions);
    const dropOthers = (held: ReadonlySet<Definition> | undefined): void => {
      for (const definition of held ?? []) if (!wanted.has(definition)) this.#drop(definition);
    };
    for (const name of names) dropOthers(this.#held.get(name));
    for (const { name } of definitions) dropOthers(this.#heldOn.get(name));
    const isMissing = (definition: Definition): boolean => !this.#held.get(definition.name)?.has(definition);
    const missing = definitions.filter(isMissing);
    if (missing.length === 0) return;
    for (const { owner, database } of missing)
      if (owner !== undefined && database === 'main') this.#dropTemporary(owner);
    for (const definition of definitions) if (isMissing(definition)) this.#make(definition);
  }

  /** An index would be made on the temporary table of two with one name, so that has to be the later one. */
  #dropTemporary(table: string): void {
    for (const held of this.#held.get(table) ?? [])
      if (held.database === 'temp' && held.owner === undefined) this.#drop(held);
  }

  #make(definition: Definition): void {
    this.#made++;
    // What cannot be made is not there, but need not be tried with each statement.
    this.#remember(definition);
    if (definition.isUncertain || this.#breakers.has(definition.sql)) return;
    const functions = new Set<string>();
    this.#executeWhole(definition, functions);
    // What it brings with it would be there for others as well.
    if (countsUp(definition)) this.#remember(sequences[definition.database]);
    if (!this.#keepsFunctions) for (const name of functions) this.#connection.removeFunction(name);
    if (this.#connection.isBroken) this.#breakers.add(definition.sql);
  }

  /** A virtual table that its module could not make is one that everything fails on, until that is taken back. */
  #executeWhole({ kind, sql }: Definition, functions: Set<string>): void {
    if (kind === 'virtual') this.#connection.execute('SAVEPOINT making');
    const isMade = this.#execute(sql, functions);
    if (kind === 'virtual') this.#connection.execute(isMade ? 'RELEASE making' : 'ROLLBACK TO making; RELEASE making');
  }

  /** Makes a thing, or what comes nearest to it. Tells whether it could. */
  #execute(sql: string, functions: Set<string>): boolean {
    for (;;) {
      const verdict = this.#connection.execute(sql);
      if (verdict.kind !== 'error') return verdict.kind === 'ok';
      if (verdict.message.startsWith('no such module')) {
        return virtualTableStandIns(sql).some(other => this.#connection.execute(other).kind === 'ok');
      }
      const missing = missingFunction.exec(verdict.message)?.[1];
      if (missing === undefined || functions.has(missing) || functions.size >= mostStandIns) return false;
      functions.add(missing);
      this.#connection.addFunction(missing, 'scalar');
    }
  }

  #drop(definition: Definition): void {
    const { kind, database, name, owner } = definition;
    // SQLite would drop them with their table, but not those of another one that has the same name elsewhere.
    if (owner === undefined) for (const owned of this.#heldOn.get(name) ?? []) this.#drop(owned);
    const verdict = this.#connection.execute(`DROP ${dropWords[kind]} IF EXISTS ${database}.${quoteIdentifier(name)}`);
    if (verdict.kind !== 'ok') this.#isSpoilt = true;
    this.#forget(definition);
  }

  #remember(definition: Definition): void {
    const add = (held: Map<string, Set<Definition>>, key: string): void => {
      const there = held.get(key);
      if (there) there.add(definition);
      else held.set(key, new Set([definition]));
    };
    add(this.#held, definition.name);
    if (definition.owner !== undefined) add(this.#heldOn, definition.owner);
  }

  #forget(definition: Definition): void {
    const remove = (held: Map<string, Set<Definition>>, key: string): void => {
      const there = held.get(key);
      there?.delete(definition);
      if (there?.size === 0) held.delete(key);
    };
    remove(this.#held, definition.name);
    if (definition.owner !== undefined) remove(this.#heldOn, definition.owner);
  }
}
