import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { messageOf } from '../../../../base/errors.ts';
import { ServiceError } from '../../../../wire/serviceError.ts';
import { isReal, type SqlParameter } from '../../../../wire/values.ts';
import { deniedStatement } from '../../../faults.ts';
import { requireNothingAfter } from '../../common/callChecks.ts';
import { errorPlace } from '../../common/errorPlace.ts';
import { StatementGuard } from './statementGuard.ts';
import { sqliteFault } from './sqliteFault.ts';

export interface PreparedSql {
  readonly sql: string;
  readonly statement: StatementSync;
  readonly writes: boolean;
}

/** Programs send the same few short statements again and again. */
const maxCachedStatements = 32;
const maxCachedLength = 4096;

/** A guarded connection to a project's database. */
export class Connection {
  readonly database: DatabaseSync;
  readonly #guard: StatementGuard;
  readonly #cache = new Map<string, PreparedSql>();

  constructor(database: DatabaseSync) {
    this.database = database;
    this.#guard = new StatementGuard(database);
  }

  /** Prepares one statement without running it. */
  prepare(sql: string): PreparedSql {
    this.#guard.reset();
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

/** Values for the `?` of a statement. Integers become bigints, because SQLite takes a JavaScript number for a REAL. */
export function bindable(params: readonly SqlParameter[]): SQLInputValue[] {
  return params.map(value => {
    if (typeof value === 'boolean') return value ? 1n : 0n;
    if (typeof value === 'number') return Number.isSafeInteger(value) && !Object.is(value, -0) ? BigInt(value) : value;
    return isReal(value) ? value.real : value;
  });
}

/** Rows are arrays after setReturnArrays(), which the types do not know. */
export function rowsOf(statement: StatementSync, values: SQLInputValue[]): IterableIterator<SQLOutputValue[]> {
  return statement.iterate(...values) as unknown as IterableIterator<SQLOutputValue[]>;
}
