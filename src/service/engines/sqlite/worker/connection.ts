import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { serviceCodes, ServiceError } from '../../../../wire/serviceError.ts';
import { isReal, type SqlParameter } from '../../../../wire/values.ts';
import { Guard } from './guard.ts';
import { requireNothingBehind } from './callCheck.ts';
import { sqliteFault } from './sqliteFault.ts';

export interface Prepared {
  readonly statement: StatementSync;
  readonly writes: boolean;
}

/** Statements that are kept ready: a program sends the same few again and again. */
const keptStatements = 32;
/** A statement that is longer is no program's habit. */
const keptLength = 4096;

/** One guarded connection to one project's database. */
export class Connection {
  readonly database: DatabaseSync;
  readonly #guard: Guard;
  readonly #kept = new Map<string, Prepared>();

  constructor(database: DatabaseSync) {
    this.database = database;
    this.#guard = new Guard(database);
  }

  /** Prepares one statement without running it. */
  prepare(sql: string): Prepared {
    this.#guard.reset();
    const known = this.#kept.get(sql);
    if (known) return known;
    const prepared = this.attempt(() => {
      const statement = this.database.prepare(sql);
      // SQLite leaves unread what follows the first statement; the splitter must have seen the same end.
      requireNothingBehind(sql.slice(statement.sourceSQL.length));
      statement.setReadBigInts(true);
      statement.setReturnArrays(true);
      return { statement, writes: this.#guard.writes };
    });
    if (sql.length <= keptLength) this.#kept.set(sql, prepared);
    if (this.#kept.size > keptStatements) this.#kept.delete(this.#kept.keys().next().value ?? '');
    return prepared;
  }

  /** Runs something on the engine, and turns what SQLite throws into what the caller is to see. */
  attempt<T>(run: () => T): T {
    try {
      return run();
    } catch (thrown) {
      throw this.#fault(thrown);
    }
  }

  /** Runs what the service itself needs and a tenant may not. */
  trusted<T>(run: (database: DatabaseSync) => T): T {
    return this.#guard.trust(() => run(this.database));
  }

  close(): void {
    if (this.database.isOpen) this.database.close();
  }

  #fault(thrown: unknown): unknown {
    if (thrown instanceof ServiceError) return thrown;
    const refusal = this.#guard.takeRefusal();
    if (refusal === undefined) return sqliteFault(thrown);
    return new ServiceError({ status: 422, code: serviceCodes.deniedStatement, message: refusal });
  }
}

/** Values for the `?` of a statement. Integers are bound as such: a JavaScript number would arrive as REAL. */
export function bindable(params: readonly SqlParameter[]): SQLInputValue[] {
  return params.map((value, i) => {
    if (typeof value === 'boolean') return value ? 1n : 0n;
    if (typeof value === 'number') return Number.isSafeInteger(value) && !Object.is(value, -0) ? BigInt(value) : value;
    if (typeof value === 'bigint' && BigInt.asIntN(64, value) !== value) {
      const message = `Parameter ${i + 1} does not fit into a 64-bit integer.`;
      throw new ServiceError({ status: 400, code: serviceCodes.badRequest, message });
    }
    return isReal(value) ? value.real : value;
  });
}

/** Rows of a statement as arrays: what setReturnArrays() promises and the types do not say. */
export function rowsOf(statement: StatementSync, values: SQLInputValue[]): IterableIterator<SQLOutputValue[]> {
  return statement.iterate(...values) as unknown as IterableIterator<SQLOutputValue[]>;
}
