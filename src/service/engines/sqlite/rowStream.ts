import type { Column } from '../../../wire/values.ts';
import type { RowsOutcome } from '../../engine.ts';
import { rowWindow } from './messages.ts';

interface Hearers {
  /** Hears of the bytes that the reader took. */
  readonly taken: (bytes: number) => void;
  /** Hears whether the process has sent all that it may, so that its statement waits for the reader. */
  readonly waits: (waits: boolean) => void;
  /** Hears of a reader that does not want the rest. */
  readonly left: () => void;
}

/** Rows on their way from a project's process to whoever reads them, who takes them one batch at a time. */
export class RowStream implements RowsOutcome {
  readonly kind = 'rows';
  readonly replayed: boolean;
  readonly batches: AsyncIterable<Uint8Array>;
  readonly #hearers: Hearers;
  #ahead = 0;
  #waiting: Uint8Array[] = [];
  #columns: readonly Column[] = [];
  #end: { readonly thrown?: unknown } | undefined;
  #wake: (() => void) | undefined;

  constructor(replayed: boolean, hearers: Hearers) {
    this.replayed = replayed;
    this.#hearers = hearers;
    this.batches = { [Symbol.asyncIterator]: () => ({ next: () => this.#next(), return: () => this.#return() }) };
  }

  columns(): readonly Column[] {
    return this.#columns;
  }

  push(batch: Uint8Array): void {
    if (this.#end) return;
    this.#waiting.push(batch);
    this.#move(batch.length);
    this.#wake?.();
  }

  end(columns: readonly Column[]): void {
    this.#columns = columns;
    this.#end ??= {};
    this.#wake?.();
  }

  /** Ends the stream behind the rows that are here already. */
  fail(thrown: unknown): void {
    this.#end ??= { thrown };
    this.#wake?.();
  }

  #move(bytes: number): void {
    const waited = this.#ahead >= rowWindow;
    this.#ahead += bytes;
    const waits = this.#ahead >= rowWindow;
    if (waits !== waited && !this.#end) this.#hearers.waits(waits);
  }

  async #next(): Promise<IteratorResult<Uint8Array>> {
    while (this.#waiting.length === 0 && !this.#end) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
    const batch = this.#waiting.shift();
    if (batch) {
      this.#hearers.taken(batch.length);
      this.#move(-batch.length);
      return { done: false, value: batch };
    }
    if (this.#end && 'thrown' in this.#end) throw this.#end.thrown;
    return { done: true, value: undefined };
  }

  async #return(): Promise<IteratorResult<Uint8Array>> {
    this.#waiting = [];
    if (!this.#end) {
      this.#end = {};
      this.#hearers.left();
    }
    return { done: true, value: undefined };
  }
}
