import type { FindQuery, FindStep, FindResult } from '../../../src/protocol/rowQueries.ts';

/** A cell by its row in the order shown, and its column in the result. */
interface FoundCell {
  readonly row: number;
  readonly column: number;
}

export interface FindSessionOptions {
  readonly find: (step: FindStep, signal: AbortSignal) => Promise<FindResult>;
  readonly start: () => FoundCell & { readonly columns: readonly number[] };
  readonly onFound: (cell: FoundCell) => void;
  readonly onFailed: (thrown: unknown) => void;
  readonly onChanged: (state: FindState) => void;
}

export type FindState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'searching' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'found'; readonly count: number; readonly index: number | undefined };

interface FindDirection {
  readonly backwards?: boolean;
  /** Whether a match in the start cell counts. */
  readonly including?: boolean;
  /** Counts the matches without going to one. */
  readonly countOnly?: boolean;
}

/** The host searches all rows. A new search aborts the pending one. */
export class FindSession {
  readonly #options: FindSessionOptions;
  query: FindQuery = { text: '', matchCase: false };
  #controller = new AbortController();
  #pending: FindDirection | undefined;

  constructor(options: FindSessionOptions) {
    this.#options = options;
  }

  get isPending(): boolean {
    return this.#pending !== undefined && !this.#controller.signal.aborted;
  }

  /** Whether the user waits for a match. Nobody waits for a count of new rows. */
  get isSearching(): boolean {
    return this.isPending && this.#pending?.countOnly !== true;
  }

  /** Repeats the pending search after rows moved or arrived, or else counts again. The old count stays meanwhile. */
  async repeat(): Promise<void> {
    await this.find(this.#pending ?? { including: true, countOnly: true });
  }

  async find(direction: FindDirection): Promise<void> {
    this.stop();
    const { backwards = false, including = false, countOnly = false } = direction;
    const { find, start, onFound, onFailed, onChanged } = this.#options;
    if (this.query.text === '') return onChanged({ kind: 'idle' });
    this.#controller = new AbortController();
    const { signal } = this.#controller;
    this.#pending = direction;
    if (!countOnly) onChanged({ kind: 'searching' });
    try {
      const from = start();
      const { count, place: match } = await find({ ...this.query, ...from, backwards, including }, signal);
      if (signal.aborted) return;
      this.#pending = undefined;
      if (match && !countOnly) onFound(match);
      const isAtMatch = match && (!countOnly || (match.row === from.row && match.column === from.column));
      onChanged({ kind: 'found', count, index: isAtMatch ? match.index : undefined });
    } catch (thrown) {
      // A new search has taken over.
      if (signal.aborted) return;
      this.#controller.abort();
      onChanged({ kind: 'failed' });
      onFailed(thrown);
    }
  }

  stop(): void {
    this.#controller.abort();
    this.#pending = undefined;
  }
}
