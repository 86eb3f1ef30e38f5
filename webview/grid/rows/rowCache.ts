import type { RowWindow } from '../../../src/protocol/results.ts';
import type { ShownValue } from '../../../src/wire/values.ts';

export type GridRow = readonly ShownValue[];

export type FetchRows = (start: number, count: number, signal: AbortSignal) => Promise<RowWindow>;

interface Block {
  readonly orderVersion: number;
  readonly rows: readonly GridRow[];
  readonly repeated?: readonly number[];
}

/** Rows asked for at a time, and fewer of wide results, whose windows would take long to read. */
const mostBlockRows = 100;
const fewestBlockRows = 20;
const blockCells = 5000;
/** Bounds the memory of wide results as well as of long ones. */
const mostCells = 100_000;

/** The rows around what is looked at. Others are forgotten and pulled again when somebody comes back. */
export class RowCache {
  readonly #fetch: FetchRows;
  readonly #onLoad: () => void;
  readonly #blockRows: number;
  readonly #mostBlocks: number;
  /** In the order of their last use. */
  readonly #blocks = new Map<number, Block>();
  readonly #pulling = new Map<number, AbortController>();
  /** Blocks that could not be had. As long as they stay in view, they are asked for again only when somebody says so. */
  readonly #failed = new Set<number>();
  #wanted: ReadonlySet<number> = new Set();
  #orderVersion: number;

  constructor(options: { columnCount: number; orderVersion: number; fetch: FetchRows; onLoad: () => void }) {
    const columnCount = Math.max(1, options.columnCount);
    this.#blockRows = Math.max(fewestBlockRows, Math.min(mostBlockRows, Math.floor(blockCells / columnCount)));
    this.#mostBlocks = Math.max(4, Math.floor(mostCells / (this.#blockRows * columnCount)));
    this.#orderVersion = options.orderVersion;
    this.#fetch = options.fetch;
    this.#onLoad = options.onLoad;
  }

  get(row: number): GridRow | undefined {
    return this.#blocks.get(Math.floor(row / this.#blockRows))?.rows[row % this.#blockRows];
  }

  /** Whether the row stands elsewhere as well. */
  isRepeated(row: number): boolean {
    return this.#blocks.get(Math.floor(row / this.#blockRows))?.repeated?.includes(row) ?? false;
  }

  /** Rows that came unasked, from the beginning of the result. */
  offer({ orderVersion, start, rows }: RowWindow): void {
    if (start !== 0 || orderVersion !== this.#orderVersion) return;
    for (let first = 0; first < rows.length; first += this.#blockRows) {
      this.#keep(first / this.#blockRows, { orderVersion, rows: rows.slice(first, first + this.#blockRows) });
    }
  }

  /** Rows stand elsewhere from now on. Those in view stay until what stands there instead has come. */
  setOrderVersion(orderVersion: number): void {
    if (orderVersion === this.#orderVersion) return;
    this.#orderVersion = orderVersion;
    this.#failed.clear();
    this.#forgetStale();
  }

  /** What could not be had is asked for again when it is next wanted. */
  tryAgain(): void {
    this.#failed.clear();
  }

  /** Sees to it that the rows in view are there or on their way, and one besides that is read elsewhere, but no others. */
  want([first, end]: readonly [number, number], rowCount: number, also?: number): void {
    const wanted = new Set<number>();
    if (also !== undefined && also < rowCount) wanted.add(Math.floor(also / this.#blockRows));
    for (let block = Math.floor(first / this.#blockRows); block * this.#blockRows < end; block++) wanted.add(block);
    this.#wanted = wanted;
    this.#forgetStale();
    for (const [block, controller] of this.#pulling) {
      if (!wanted.has(block)) controller.abort();
    }
    for (const block of this.#failed) {
      if (!wanted.has(block)) this.#failed.delete(block);
    }
    for (const block of wanted) {
      const have = this.#blocks.get(block);
      if (have) this.#keep(block, have);
      const complete = Math.min(this.#blockRows, rowCount - block * this.#blockRows);
      const fresh = have?.orderVersion === this.#orderVersion && have.rows.length >= complete;
      if (!fresh && !this.#pulling.has(block) && !this.#failed.has(block)) void this.#pull(block);
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
      const start = block * this.#blockRows;
      const window = await this.#fetch(start, this.#blockRows, controller.signal);
      // Rows of elsewhere would stand where they do not belong, and asking again would hardly bring others.
      if (window.start !== start) return void this.#failed.add(block);
      // The message that tells of a later order is on its way, and has the rows pulled again.
      if (window.orderVersion > this.#orderVersion) return;
      if (window.orderVersion === this.#orderVersion) this.#keep(block, window);
    } catch {
      // Whoever looks there again asks again.
      if (!controller.signal.aborted) this.#failed.add(block);
      return;
    } finally {
      if (this.#pulling.get(block) === controller) this.#pulling.delete(block);
    }
    this.#onLoad();
  }

  #forgetStale(): void {
    for (const [block, { orderVersion }] of this.#blocks) {
      if (orderVersion !== this.#orderVersion && !this.#wanted.has(block)) this.#blocks.delete(block);
    }
  }

  #keep(block: number, { orderVersion, rows, repeated = [] }: Block): void {
    this.#blocks.delete(block);
    this.#blocks.set(block, { orderVersion, rows, repeated });
    for (const oldest of this.#blocks.keys()) {
      if (this.#blocks.size <= this.#mostBlocks) break;
      // What is in view would be asked for again at once, however much that is.
      if (!this.#wanted.has(oldest)) this.#blocks.delete(oldest);
    }
  }
}
