import type { Column } from '../../../wire/values.ts';
import type { RowsOutcome } from '../../engine.ts';
import { rowCreditBytes } from './projectBridge.ts';

interface RowStreamEvents {
  readonly onTaken: (bytes: number) => void;
  /** The process has used up its credit, so its statement waits for the reader; or that wait has ended. */
  readonly onWaiting: (isWaiting: boolean) => void;
  /** The reader stops before the end. */
  readonly onLeft: () => void;
}

/** Rows from a project's process. Their reader takes one batch at a time. */
export class RowStream implements RowsOutcome {
  readonly kind = 'rows';
  readonly replayed: boolean;
  readonly batches: AsyncIterable<Uint8Array>;
  readonly #events: RowStreamEvents;
  #pendingBytes = 0;
  #pendingBatches: Uint8Array[] = [];
  #columns: readonly Column[] = [];
  #end: { readonly thrown?: unknown } | undefined;
  #wakeReader: (() => void) | undefined;

  constructor(replayed: boolean, events: RowStreamEvents) {
    this.replayed = replayed;
    this.#events = events;
    this.batches = { [Symbol.asyncIterator]: () => ({ next: () => this.#next(), return: () => this.#return() }) };
  }

  columns(): readonly Column[] {
    return this.#columns;
  }

  push(batch: Uint8Array): void {
    if (this.#end) return;
    this.#pendingBatches.push(batch);
    this.#changePending(batch.length);
    this.#wakeReader?.();
  }

  end(columns: readonly Column[]): void {
    this.#columns = columns;
    this.#end ??= {};
    this.#wakeReader?.();
  }

  /** Ends the stream after the rows that have arrived. */
  fail(thrown: unknown): void {
    this.#end ??= { thrown };
    this.#wakeReader?.();
  }

  #changePending(bytes: number): void {
    const wasWaiting = this.#pendingBytes >= rowCreditBytes;
    this.#pendingBytes += bytes;
    const isWaiting = this.#pendingBytes >= rowCreditBytes;
    if (isWaiting !== wasWaiting && !this.#end) this.#events.onWaiting(isWaiting);
  }

  async #next(): Promise<IteratorResult<Uint8Array>> {
    while (this.#pendingBatches.length === 0 && !this.#end) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wakeReader = resolve;
      await promise;
    }
    const batch = this.#pendingBatches.shift();
    if (batch) {
      this.#events.onTaken(batch.length);
      this.#changePending(-batch.length);
      return { done: false, value: batch };
    }
    if (this.#end && 'thrown' in this.#end) throw this.#end.thrown;
    return { done: true, value: undefined };
  }

  async #return(): Promise<IteratorResult<Uint8Array>> {
    this.#pendingBatches = [];
    if (!this.#end) {
      this.#end = {};
      this.#events.onLeft();
    }
    return { done: true, value: undefined };
  }
}
