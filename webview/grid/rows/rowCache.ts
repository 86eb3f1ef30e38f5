import type { RowEdits } from '../../../src/protocol/browsing.ts';
import type { RowWindow } from '../../../src/protocol/results.ts';
import type { ShownValue } from '../../../src/protocol/shownValues.ts';

export type GridRow = readonly ShownValue[];

/** The edits of a row as the page shows them. The host has not checked the typed texts of the `sent` columns yet. */
export type ShownEdits = RowEdits & { readonly sent?: readonly number[] };

export type FetchRows = (start: number, count: number, signal: AbortSignal) => Promise<RowWindow>;

interface RowCacheOptions {
  readonly columnCount: number;
  readonly orderVersion: number;
  readonly fetch: FetchRows;
  readonly onLoaded: () => void;
}

type RowBlock = Omit<RowWindow, 'start' | 'edits'> & { readonly edits?: readonly ShownEdits[] };

/** A typed text. It is shown until rows come that the host read after it took the text. */
interface TypedCell {
  readonly id: string;
  readonly column: number;
  readonly text: string;
  isTaken: boolean;
}

/** Wide rows are fetched in smaller blocks, because reading a large window takes long. */
const maxBlockRows = 100;
const minBlockRows = 20;
const cellsPerBlock = 5000;
const minBlocks = 4;
const maxCachedCells = 100_000;

const outdated = -1;

/** Caches the blocks of rows around the view. Other blocks are dropped, and fetched again when they come into view. */
export class RowCache {
  readonly #fetch: FetchRows;
  readonly #onLoaded: () => void;
  readonly #blockRows: number;
  readonly #maxBlocks: number;
  /** The block that was used last is the last one. */
  readonly #blocks = new Map<number, RowBlock>();
  readonly #pending = new Map<number, AbortController>();
  /** Failed blocks are not fetched again while they stay in view, unless `retry` is called. */
  readonly #failedBlocks = new Set<number>();
  #wantedBlocks: ReadonlySet<number> = new Set();
  readonly #typed = new Set<TypedCell>();
  #orderVersion: number;
  /** Counts the calls of `refetch`: an answer to an earlier fetch has outdated rows. */
  #refetches = 0;

  constructor(options: RowCacheOptions) {
    const columnCount = Math.max(1, options.columnCount);
    this.#blockRows = Math.max(minBlockRows, Math.min(maxBlockRows, Math.floor(cellsPerBlock / columnCount)));
    this.#maxBlocks = Math.max(minBlocks, Math.floor(maxCachedCells / (this.#blockRows * columnCount)));
    this.#orderVersion = options.orderVersion;
    this.#fetch = options.fetch;
    this.#onLoaded = options.onLoaded;
  }

  get(row: number): GridRow | undefined {
    return this.#blockOf(row)?.rows[row % this.#blockRows];
  }

  present([first, end]: readonly [first: number, end: number]): GridRow[] {
    const rows = Array.from({ length: end - first }, (_, i) => this.get(first + i));
    return rows.filter(row => row !== undefined);
  }

  hasError(row: number): boolean {
    return this.#blockOf(row)?.errors?.includes(row) ?? false;
  }

  idOf(row: number): string | undefined {
    return this.#blockOf(row)?.ids?.[row % this.#blockRows];
  }

  /** The present row with an id, if it is loaded. */
  rowOf(id: string): number | undefined {
    for (const [block, { orderVersion, ids = [] }] of this.#blocks) {
      const index = orderVersion === this.#orderVersion ? ids.indexOf(id) : -1;
      if (index !== -1) return block * this.#blockRows + index;
    }
    return undefined;
  }

  /** Whether a row is shown as the host has it, or cannot be fetched. */
  isCurrent(row: number): boolean {
    const block = Math.floor(row / this.#blockRows);
    return this.#failedBlocks.has(block) || this.#blocks.get(block)?.orderVersion === this.#orderVersion;
  }

  /** Shows a typed text in cells. Call the returned function when the host has taken the text. */
  showTyped(ids: readonly string[], columns: readonly number[], text: string): () => void {
    const typed = ids.flatMap(id => columns.map(column => ({ id, column, text, isTaken: false })));
    for (const cell of typed) this.#typed.add(cell);
    for (const [block, cached] of this.#blocks) this.#blocks.set(block, this.#withTyped(block, cached));
    return () => {
      for (const cell of typed) cell.isTaken = true;
      this.refetch();
    };
  }

  editsOf(row: number): ShownEdits | undefined {
    return this.#blockOf(row)?.edits?.find(edits => edits.row === row);
  }

  /** The host sends the first rows without a request. */
  addFirstRows(window: RowWindow): void {
    const { orderVersion, start, rows, ids } = window;
    if (start !== 0 || orderVersion !== this.#orderVersion) return;
    for (let first = 0; first < rows.length; first += this.#blockRows) {
      const end = first + this.#blockRows;
      const block = { ...window, rows: rows.slice(first, end), ...(ids && { ids: ids.slice(first, end) }) };
      this.#store(first / this.#blockRows, block);
    }
  }

  /** The old rows in view stay until the new ones have come. */
  setOrderVersion(orderVersion: number): void {
    if (orderVersion === this.#orderVersion) return;
    this.#orderVersion = orderVersion;
    this.#failedBlocks.clear();
    this.#dropStale();
  }

  retry(): void {
    this.#failedBlocks.clear();
  }

  /** Fetches the rows in view again, and drops the others. The rows in view stay until the new ones have come. */
  refetch(): void {
    this.#refetches++;
    for (const [block, cached] of this.#blocks) this.#blocks.set(block, { ...cached, orderVersion: outdated });
    this.#dropStale();
  }

  /** Fetches the missing rows in view, and one row outside of it. Aborts all other fetches. */
  fetchView([first, end]: readonly [first: number, end: number], rowCount: number, extraRow?: number): void {
    const wantedBlocks = new Set<number>();
    if (extraRow !== undefined && extraRow < rowCount) wantedBlocks.add(Math.floor(extraRow / this.#blockRows));
    for (let block = Math.floor(first / this.#blockRows); block * this.#blockRows < end; block++) {
      wantedBlocks.add(block);
    }
    this.#wantedBlocks = wantedBlocks;
    this.#dropStale();
    for (const [block, controller] of this.#pending) {
      if (!wantedBlocks.has(block)) controller.abort();
    }
    for (const block of this.#failedBlocks) {
      if (!wantedBlocks.has(block)) this.#failedBlocks.delete(block);
    }
    for (const block of wantedBlocks) {
      const cached = this.#blocks.get(block);
      if (cached) this.#store(block, cached);
      const fullLength = Math.min(this.#blockRows, rowCount - block * this.#blockRows);
      const isComplete = cached?.orderVersion === this.#orderVersion && cached.rows.length >= fullLength;
      if (!isComplete && !this.#pending.has(block) && !this.#failedBlocks.has(block)) void this.#load(block);
    }
  }

  dispose(): void {
    for (const controller of this.#pending.values()) controller.abort();
    this.#blocks.clear();
  }

  async #load(block: number): Promise<void> {
    const controller = new AbortController();
    const refetches = this.#refetches;
    this.#pending.set(block, controller);
    try {
      const start = block * this.#blockRows;
      const window = await this.#fetch(start, this.#blockRows, controller.signal);
      // The host sent other rows than requested. Another request would hardly help.
      if (window.start !== start) throw new Error('The host sent other rows.');
      // An event with the newer order follows. It fetches these rows again.
      if (window.orderVersion > this.#orderVersion) return;
      const isCurrent = refetches === this.#refetches;
      for (const cell of isCurrent ? this.#typed : []) {
        if (cell.isTaken && window.ids?.includes(cell.id)) this.#typed.delete(cell);
      }
      if (window.orderVersion === this.#orderVersion)
        this.#store(block, isCurrent ? window : { ...window, orderVersion: outdated });
    } catch {
      if (controller.signal.aborted) return;
      // `onLoaded` is called for a failure, too: keys may wait for these rows.
      this.#failedBlocks.add(block);
    } finally {
      if (this.#pending.get(block) === controller) this.#pending.delete(block);
    }
    this.#onLoaded();
  }

  #dropStale(): void {
    for (const [block, { orderVersion }] of this.#blocks) {
      if (orderVersion !== this.#orderVersion && !this.#wantedBlocks.has(block)) this.#blocks.delete(block);
    }
  }

  #withTyped(block: number, cached: RowBlock): RowBlock {
    let rows = cached.rows;
    let edits = (cached.edits ?? []).map(({ sent: _sent, ...others }): ShownEdits => others);
    for (const { id, column, text } of this.#typed) {
      const index = cached.ids?.indexOf(id) ?? -1;
      const cells = rows[index];
      if (!cells) continue;
      const row = block * this.#blockRows + index;
      const former: ShownEdits = edits.find(other => other.row === row) ?? { row, state: 'updated', columns: [] };
      const state = former.state === 'unchanged' ? 'updated' : former.state;
      const defaults = former.defaults?.filter(other => other !== column) ?? [];
      const problems = former.problems?.filter(problem => problem.column !== column) ?? [];
      rows = rows.with(index, cells.with(column, { kind: 'text', text }));
      edits = [
        ...edits.filter(other => other !== former),
        {
          row,
          state,
          columns: [...former.columns, column],
          defaults,
          problems,
          sent: [...(former.sent ?? []), column],
        },
      ];
    }
    return { ...cached, rows, edits };
  }

  #blockOf(row: number): RowBlock | undefined {
    return this.#blocks.get(Math.floor(row / this.#blockRows));
  }

  #store(block: number, cached: RowBlock): void {
    this.#blocks.delete(block);
    this.#blocks.set(block, this.#withTyped(block, cached));
    for (const oldest of this.#blocks.keys()) {
      if (this.#blocks.size <= this.#maxBlocks) break;
      // A block in view stays even if there are too many: it would be fetched again at once.
      if (!this.#wantedBlocks.has(oldest)) this.#blocks.delete(oldest);
    }
  }
}
