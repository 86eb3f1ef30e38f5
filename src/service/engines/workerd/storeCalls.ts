import type { CallTypes, NoParams } from '../../../base/callTable.ts';
import type { ServiceFault } from '../../../wire/serviceError.ts';
import type { Column } from '../../../wire/values.ts';
import type { EngineColumn } from '../../engine.ts';

/** The calls from the service to the store of a project that answer with a value. The types of both ends follow from this table. */
export interface StoreCalls {
  /** The answer is the id of the object, which its file is named by. */
  readonly create: CallTypes<NoParams, string>;
  readonly listTables: CallTypes<NoParams, readonly string[]>;
  readonly schema: CallTypes<{ readonly table: string }, readonly EngineColumn[]>;
  readonly integrityCheck: CallTypes<NoParams, readonly string[]>;
  readonly remove: CallTypes<NoParams, null>;
}

export type StoreMethod = keyof StoreCalls;

/**
 * Calls that answer with an outcome, whose rows are streamed. The body of `execute` is that of the request to the service, and
 * the body of `browse` is an `EnginePage`.
 */
export type OutcomeMethod = 'execute' | 'browse';

export const storeHeaders = {
  /** Proves that the caller is the service: the port is open to every program of the machine. */
  secret: 'x-store-secret',
  idempotencyKey: 'x-idempotency-key',
  /** A `KeyScope`. */
  scope: 'x-store-scope',
  /** `value`, `count`, `rows` or `fault`. */
  kind: 'x-store-kind',
  replayed: 'x-store-replayed',
} as const;

/** Comes after the rows. */
export interface RowsTail {
  readonly columns?: readonly Column[];
  readonly fault?: ServiceFault & { readonly retryAfter?: number | undefined };
}

/** A batch of rows begins with its length. The tail begins with this length, and continues to the end. */
export const tailMark = 0xffffffff;
