import type { Column } from '../../../../wire/values.ts';
import { type BatchSource, maxBatchMs } from './rowBatches.ts';
import type { CallResult } from './writeQueue.ts';

/** Answers are stored for a day, so large ones would fill the disk for all projects. */
const maxRememberedBytes = 1024 * 1024;

/** A batch of a source that has no rows yet. */
const noRows = new Uint8Array();

/**
 * A read with an idempotency key. Its rows are collected, so that its answer is remembered before anyone sees a part of it.
 * Rows beyond the limit are sent as they come, and no answer is remembered: a repeated call reads again. An error instead
 * would keep a caller whose connection broke from ever reading them.
 */
export class KeyedRead implements BatchSource {
  readonly #rows: BatchSource;
  readonly #batches: Uint8Array[] = [];
  #sizeBytes = 0;
  /** Takes the answer, or undefined for one that is not remembered. Undefined after its call. */
  #settle: ((answer: CallResult | undefined) => void) | undefined;

  constructor(rows: BatchSource, settle: (answer: CallResult | undefined) => void) {
    this.#rows = rows;
    this.#settle = settle;
  }

  next(): Uint8Array | undefined {
    if (this.#settle && !this.#collect()) return noRows;
    return this.#batches.shift() ?? this.#rows.next();
  }

  columns(): readonly Column[] {
    return this.#rows.columns();
  }

  close(): void {
    this.#rows.close();
    this.#end(undefined);
  }

  /** Collects rows for a turn. Returns whether there are enough. */
  #collect(): boolean {
    const startedAt = performance.now();
    try {
      while (performance.now() - startedAt < maxBatchMs) {
        const batch = this.#rows.next();
        if (!batch)
          return this.#end({ kind: 'rows', columns: this.columns(), batches: this.#batches, replayed: false });
        this.#batches.push(batch);
        this.#sizeBytes += batch.length;
        if (this.#sizeBytes > maxRememberedBytes) return this.#end(undefined);
      }
      return false;
    } catch (thrown) {
      this.#end({ kind: 'fault', thrown });
      throw thrown;
    }
  }

  #end(answer: CallResult | undefined): true {
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.(answer);
    return true;
  }
}
