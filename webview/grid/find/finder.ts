import type { FindQuery, FindStep, Found } from '../../../src/wire/rowQueries.ts';

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

  constructor(options: FinderOptions) {
    this.#options = options;
  }

  get query(): FindQuery {
    return this.#query;
  }

  setQuery(query: FindQuery): void {
    this.#query = query;
  }

  /** Whether a question was ended by a newer one is nobody's concern but the newer one's. */
  async find({ backwards = false, including = false, staying = false }: FindDirection = {}): Promise<void> {
    this.stop();
    const { ask, place, found, failed, changed } = this.#options;
    if (this.#query.text === '') return changed({ kind: 'idle' });
    const { signal } = (this.#controller = new AbortController());
    changed({ kind: 'looking' });
    try {
      const answer = await ask({ ...this.#query, ...place(), backwards, including }, signal);
      if (signal.aborted) return;
      if (answer.place && !staying) found(answer.place);
      changed({ kind: 'found', count: answer.count, index: answer.place?.index });
    } catch (thrown) {
      if (signal.aborted) return;
      changed({ kind: 'failed' });
      failed(thrown);
    }
  }

  stop(): void {
    this.#controller.abort();
  }
}
