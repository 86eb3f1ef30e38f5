import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { messageOf } from '../../../../base/errors.ts';
import { ServiceError } from '../../../../wire/serviceError.ts';
import { deniedStatement } from '../../../faults.ts';
import { requireNothingAfter } from '../../common/callChecks.ts';
import { errorPlace } from '../../common/errorPlace.ts';
import type { StatementRows } from './rowBatches.ts';
import { feedingSql, RowFeed } from './rowFeed.ts';
import { StatementGuard } from './statementGuard.ts';
import { sqliteFault } from './sqliteFault.ts';

export interface PreparedSql {
  readonly sql: string;
  readonly statement: StatementSync;
  readonly writes: boolean;
  /** The statement that gives the rows of a query to JavaScript. Null if there is none, undefined before the first rows. */
  feeding?: StatementSync | null;
}

/** Programs send the same few short statements again and again. */
const maxCachedStatements = 32;
const maxCachedLength = 4096;

/** A guarded connection to a project's database. */
export class Connection {
  readonly database: DatabaseSync;
  readonly #guard: StatementGuard;
  readonly #cache = new Map<string, PreparedSql>();
  readonly #feed: RowFeed;
  readonly #schemaVersion: StatementSync;
  /** The schema that the cached statements were prepared for. */
  #preparedVersion: unknown;

  constructor(database: DatabaseSync) {
    this.database = database;
    this.#guard = new StatementGuard(database);
    this.#feed = new RowFeed(database);
    this.#schemaVersion = database.prepare('PRAGMA schema_version');
  }

  /** Forgets the statements of an earlier schema. SQLite notices a change only when they run, after their columns were read. */
  followSchema(): void {
    const version = this.attempt(() => this.#schemaVersion.get()?.['schema_version']);
    if (version === this.#preparedVersion) return;
    this.#preparedVersion = version;
    this.#cache.clear();
    // SQLite reads a changed schema when a statement runs, and not when one is prepared.
    this.attempt(() => this.trusted(database => database.exec('SELECT 1 FROM sqlite_schema LIMIT 1')));
  }

  /** Prepares one statement without running it. */
  prepare(sql: string): PreparedSql {
    this.#guard.writes = false;
    const cached = this.#cache.get(sql);
    if (cached) return cached;
    const prepared = this.attempt(() => {
      const statement = this.database.prepare(sql);
      requireNothingAfter(sql.slice(statement.sourceSQL.length));
      statement.setReadBigInts(true);
      statement.setReturnArrays(true);
      return { sql, statement, writes: this.#guard.writes };
    }, sql);
    if (sql.length <= maxCachedLength) this.#cache.set(sql, prepared);
    if (this.#cache.size > maxCachedStatements) this.#cache.delete(this.#cache.keys().next().value ?? '');
    return prepared;
  }

  /** The rows of a statement that was prepared for the schema of now. The first of them must be taken before a write. */
  rows(prepared: PreparedSql, values: SQLInputValue[]): StatementRows {
    const { statement } = prepared;
    if (prepared.feeding === undefined) prepared.feeding = this.#feedingStatement(statement);
    if (!prepared.feeding) return cursorRows(statement, values);
    const source = this.#feed.open(prepared.feeding, values);
    // SQLite prepares a statement again after a change of the schema.
    return { give: take => this.#guard.feed(() => source.give(take)), close: () => source.close() };
  }

  #feedingStatement(statement: StatementSync): StatementSync | null {
    try {
      return this.#guard.feed(() => this.database.prepare(feedingSql(statement.sourceSQL, statement.columns().length)));
    } catch {
      // It is a PRAGMA, an EXPLAIN, or too long to be a part of another statement.
      return null;
    }
  }

  /** Turns SQLite's errors into those for the caller, with their place in the statement. */
  attempt<T>(work: () => T, sql = ''): T {
    try {
      return work();
    } catch (thrown) {
      throw this.#fault(thrown, sql);
    }
  }

  /** Runs work of the service itself, without the limits of a tenant. */
  trusted<T>(work: (database: DatabaseSync) => T): T {
    return this.#guard.trust(() => work(this.database));
  }

  close(): void {
    if (this.database.isOpen) this.database.close();
  }

  #fault(thrown: unknown, sql: string): unknown {
    if (thrown instanceof ServiceError) return thrown;
    const refusal = this.#guard.takeRefusal();
    if (refusal !== undefined) return deniedStatement(refusal);
    return sqliteFault(thrown, message => this.#placeOf(message, sql));
  }

  #placeOf(message: string, sql: string): number | undefined {
    return errorPlace(sql, message, text => {
      try {
        this.database.prepare(text);
        return undefined;
      } catch (thrown) {
        this.#guard.takeRefusal();
        return messageOf(thrown);
      }
    });
  }
}

/** The rows of any statement, such as a write that returns rows. */
export function cursorRows(statement: StatementSync, values: SQLInputValue[]): StatementRows {
  const cursor = rowsOf(statement, values);
  return {
    give(take) {
      for (let step = cursor.next(); !step.done; step = cursor.next()) if (take(step.value)) return true;
      return false;
    },
    close: () => void cursor.return?.(),
  };
}

/** All rows of a short answer. A cursor does not reset a statement that fails, and the next use of it would fail as well. */
export const allRows = (statement: StatementSync, values: SQLInputValue[]): SQLOutputValue[][] =>
  statement.all(...values) as unknown as SQLOutputValue[][];

/** Rows are arrays after setReturnArrays(), which the types do not know. */
function rowsOf(statement: StatementSync, values: SQLInputValue[]): IterableIterator<SQLOutputValue[]> {
  return statement.iterate(...values) as unknown as IterableIterator<SQLOutputValue[]>;
}
