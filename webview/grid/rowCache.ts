import type { RowWindow } from '../../src/protocol/results.ts';
import type { TaggedValue } from '../../src/wire/values.ts';

export type GridRow = readonly TaggedValue[];

export type FetchRows = (start: number, count: number, signal: AbortSignal) => Promise<RowWindow>;

const blockRows = 100;
/** Bounds the memory of wide results as well as of long ones. */
const mostCells = 100_000;

/** The rows around what is looked at. Others are forgotten and pulled again when somebody comes back. */
export class RowCache {
  readonly #fetch: FetchRows;
  readonly #onLoad: () => void;
  readonly #columnCount: number;
  /** In the order of their last use. */
  readonly #blocks = new Map<number, readonly GridRow[]>();
  readonly #pulling = new Map<number, AbortController>();

  constructor(columnCount: number, fetch: FetchRows, onLoad: () => void) {
    this.#columnCount = columnCount;
    this.#fetch = fetch;
    this.#onLoad = onLoad;
  }

  get(row: number): GridRow | undefined {
    return this.#blocks.get(Math.floor(row / blockRows))?.[row % blockRows];
  }

  /** Rows that came unasked, from the beginning of the result. */
  offer({ start, rows }: RowWindow): void {
    if (start === 0) this.#keep(0, rows.slice(0, blockRows));
  }

  /** Sees to it that the rows in view are there or on their way, and that nothing else is. */
  want(first: number, end: number, rowCount: number): void {
    const wanted = new Set<number>();
    for (let block = Math.floor(first / blockRows); block * blockRows < end; block++) wanted.add(block);
    for (const [block, controller] of this.#pulling) {
      if (!wanted.has(block)) controller.abort();
    }
    for (const block of wanted) {
      const have = this.#blocks.get(block);
      if (have) this.#keep(block, have);
      const complete = Math.min(blockRows, rowCount - block * blockRows);
      if ((have?.length ?? 0) < complete && !this.#pulling.has(block)) void this.#pull(block);
    }
  }

  dispose(): void {
    for (const controller of this.#pulling.values()) controller.abort();
    this.#blocks.clear();
  }

  async #pull(block: number): Promise<void> {
    const controller = new AbortController();
    this.#pulling.set(block, controller);
    try {
      const { rows } = await this.#fetch(block * blockRows, blockRows, controller.signal);
      this.#keep(block, rows);
    } catch {
      // Aborted because it went out of view, or the result is gone: whoever looks there again asks again.
      return;
    } finally {
      this.#pulling.delete(block);
    }
    this.#onLoad();
  }

  #keep(block: number, rows: readonly GridRow[]): void {
    this.#blocks.delete(block);
    this.#blocks.set(block, rows);
    const most = Math.max(4, Math.floor(mostCells / (blockRows * Math.max(1, this.#columnCount))));
    for (const oldest of this.#blocks.keys()) {
      if (this.#blocks.size <= most) break;
      this.#blocks.delete(oldest);
    }
  }
}
