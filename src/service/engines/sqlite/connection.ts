import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { messageOf } from '../../../base/errors.ts';
import { asRecord } from '../../../base/shape.ts';
import { serviceCodes, ServiceError } from '../../../wire/serviceError.ts';
import type { SqlParameter } from '../../../wire/values.ts';
import { Guard } from './guard.ts';

export interface Prepared {
  readonly statement: StatementSync;
  readonly writes: boolean;
}

/** One guarded connection to one project's database. */
export class Connection {
  readonly #database: DatabaseSync;
  readonly #guard: Guard;

  constructor(file: string, options: { readOnly: boolean }) {
    this.#database = new DatabaseSync(file, { readOnly: options.readOnly, timeout: 5000 });
    if (!options.readOnly) this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    this.#guard = new Guard(this.#database);
  }

  /** Prepares one statement without running it. */
  prepare(sql: string): Prepared {
    this.#guard.reset();
    return this.attempt(() => {
      const statement = this.#database.prepare(sql);
      statement.setReadBigInts(true);
      statement.setReturnArrays(true);
      return { statement, writes: this.#guard.writes };
    });
  }

  /** Runs something on the engine, and turns what SQLite throws into what the caller is to see. */
  attempt<T>(run: () => T): T {
    try {
      return run();
    } catch (thrown) {
      throw this.#fault(thrown);
    }
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }

  #fault(thrown: unknown): unknown {
    if (thrown instanceof ServiceError) return thrown;
    if (this.#guard.refusal !== undefined) {
      return new ServiceError({ status: 422, code: serviceCodes.deniedStatement, message: this.#guard.refusal });
    }
    const code = asRecord(thrown)?.['code'];
    if (code !== 'ERR_SQLITE_ERROR') return thrown;
    const message = messageOf(thrown);
    const tooLarge = /too big|too large/.test(message);
    return tooLarge
      ? new ServiceError({ status: 413, code: serviceCodes.tooLarge, message })
      : new ServiceError({ status: 400, code: serviceCodes.sqlError, message });
  }
}

/** Values for the `?` of a statement. Integers are bound as such: a JavaScript number would arrive as REAL. */
export function bindable(params: readonly SqlParameter[]): SQLInputValue[] {
  return params.map((value, i) => {
    if (typeof value === 'boolean') return value ? 1n : 0n;
    if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
    if (typeof value === 'bigint' && BigInt.asIntN(64, value) !== value) {
      const message = `Parameter ${i + 1} does not fit into a 64-bit integer.`;
      throw new ServiceError({ status: 400, code: serviceCodes.badRequest, message });
    }
    return value;
  });
}

/** Rows of a statement as arrays: what setReturnArrays() promises and the types do not say. */
export function rowsOf(statement: StatementSync, values: SQLInputValue[]): IterableIterator<SQLOutputValue[]> {
  return statement.iterate(...values) as unknown as IterableIterator<SQLOutputValue[]>;
}
