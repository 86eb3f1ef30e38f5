import type { FindQuery, FindStep, Found } from '../../../src/protocol/rowQueries.ts';

export interface FinderOptions {
  readonly ask: (step: FindStep, signal: AbortSignal) => Promise<Found>;
  /** Where to look from, and in which columns. */
  readonly place: () => { readonly row: number; readonly column: number; readonly columns: readonly number[] };
  readonly found: (place: { readonly row: number; readonly column: number }) => void;
  readonly failed: (thrown: unknown) => void;
  readonly changed: (state: FindState) => void;
}

export type FindState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'looking' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'found'; readonly count: number; readonly index: number | undefined };

export interface FindDirection {
  readonly backwards?: boolean;
  /** Whether a match at the place itself counts. */
  readonly including?: boolean;
  /** Whether to stay where one is, and only say how many matches there are. */
  readonly staying?: boolean;
}

/** Asks the host, which looks through all rows. A newer question ends the one under way. */
export class Finder {
  readonly #options: FinderOptions;
  #query: FindQuery = { text: '', matchCase: false };
  #controller = new AbortController();
  /** What was asked last and has no answer yet. */
  #asked: FindDirection | undefined;

  constructor(options: FinderOptions) {
    this.#options = options;
  }

  get query(): FindQuery {
    return this.#query;
  }

  setQuery(query: FindQuery): void {
    this.#query = query;
  }

  get isAsking(): boolean {
    return this.#asked !== undefined && !this.#controller.signal.aborted;
  }

  /** Whether somebody waits for what it finds. Counting matches among rows that have come is nobody's wait. */
  get isLooking(): boolean {
    return this.isAsking && this.#asked?.staying !== true;
  }

  /**
   * Asks what was asked and has no answer, or else only counts: rows stand elsewhere or have come, so that what was known
   * of them counts no more. Meanwhile that stays to be read.
   */
  async again(): Promise<void> {
    await this.find(this.#asked ?? { including: true, staying: true });
  }

  /** Whether a question was ended by a newer one is nobody's concern but the newer one's. */
  async find(direction: FindDirection = {}): Promise<void> {
    this.stop();
    const { backwards = false, including = false, staying = false } = direction;
    const { ask, place, found, failed, changed } = this.#options;
    if (this.#query.text === '') return changed({ kind: 'idle' });
    const { signal } = (this.#controller = new AbortController());
    this.#asked = direction;
    if (!staying) changed({ kind: 'looking' });
    try {
      const from = place();
      const { count, place: match } = await ask({ ...this.#query, ...from, backwards, including }, signal);
      if (signal.aborted) return;
      this.#asked = undefined;
      if (match && !staying) found(match);
      const isThere = match && (!staying || (match.row === from.row && match.column === from.column));
      changed({ kind: 'found', count, index: isThere ? match.index : undefined });
    } catch (thrown) {
      if (signal.aborted) return;
      this.#controller.abort();
      changed({ kind: 'failed' });
      failed(thrown);
    }
  }

  stop(): void {
    this.#controller.abort();
    this.#asked = undefined;
  }
}
