import type { Column } from '../../../wire/values.ts';
import type { RowsOutcome } from '../../engine.ts';

/** Rows on their way from a project's process to whoever reads them, who takes them one batch at a time. */
export class RowStream implements RowsOutcome {
  readonly kind = 'rows';
  readonly replayed: boolean;
  readonly batches: AsyncIterable<Uint8Array>;
  readonly #taken: (bytes: number) => void;
  readonly #left: () => void;
  #waiting: Uint8Array[] = [];
  #columns: readonly Column[] = [];
  #end: { readonly thrown?: unknown } | undefined;
  #wake: (() => void) | undefined;

  /** `taken` hears of the bytes that the reader took, `left` of a reader that does not want the rest. */
  constructor(replayed: boolean, { taken, left }: { taken: (bytes: number) => void; left: () => void }) {
    this.replayed = replayed;
    this.#taken = taken;
    this.#left = left;
    this.batches = { [Symbol.asyncIterator]: () => ({ next: () => this.#next(), return: () => this.#return() }) };
  }

  columns(): readonly Column[] {
    return this.#columns;
  }

  push(batch: Uint8Array): void {
    if (this.#end) return;
    this.#waiting.push(batch);
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

  async #next(): Promise<IteratorResult<Uint8Array>> {
    while (this.#waiting.length === 0 && !this.#end) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
    const batch = this.#waiting.shift();
    if (batch) {
      this.#taken(batch.length);
      return { done: false, value: batch };
    }
    if (this.#end && 'thrown' in this.#end) throw this.#end.thrown;
    return { done: true, value: undefined };
  }

  async #return(): Promise<IteratorResult<Uint8Array>> {
    this.#waiting = [];
    if (!this.#end) {
      this.#end = {};
      this.#left();
    }
    return { done: true, value: undefined };
  }
}
