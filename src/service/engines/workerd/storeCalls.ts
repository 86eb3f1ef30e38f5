import type { ServiceFault } from '../../../wire/serviceError.ts';
import type { Column } from '../../../wire/values.ts';
import type { EnginePage, EngineColumn } from '../../engine.ts';

/** The calls from the service to the store of a project that answer with a value. The types of both ends follow from this table. */
export interface StoreCalls {
  /** The answer is the id of the object, which its file is named by. */
  readonly create: { readonly params: Record<string, never>; readonly answer: string };
  readonly listTables: { readonly params: Record<string, never>; readonly answer: readonly string[] };
  readonly schema: { readonly params: { readonly table: string }; readonly answer: readonly EngineColumn[] };
  readonly integrityCheck: { readonly params: Record<string, never>; readonly answer: readonly string[] };
  readonly remove: { readonly params: Record<string, never>; readonly answer: null };
}

export type StoreMethod = keyof StoreCalls;

/** Calls that answer with an outcome. The body of `execute` is that of the request to the service. */
export const outcomeMethods = ['execute', 'browse'] as const;
export type OutcomeMethod = (typeof outcomeMethods)[number];
export type BrowseParams = EnginePage;

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
