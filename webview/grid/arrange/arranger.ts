import { type Arrangement, unsorted, type ColumnFilter, type SortKey } from '../../../src/protocol/rowQueries.ts';
import { toggleSort, withSort } from './sorting.ts';

export interface ArrangerOptions {
  readonly arrange: (arrangement: Arrangement, signal: AbortSignal) => Promise<unknown>;
  readonly failed: (thrown: unknown) => void;
  /** Heard when another arrangement is wished for, is there, or could not be had. */
  readonly changed: () => void;
}

/** How rows are sorted and filtered, and how they shall be: the host needs a while for many rows. */
export class Arranger {
  readonly #options: ArrangerOptions;
  #inForce: Arrangement = unsorted;
  #pending: { readonly arrangement: Arrangement; readonly controller: AbortController } | undefined;

  constructor(options: ArrangerOptions) {
    this.#options = options;
  }

  /** What the user asked for last, also while it is still under way. */
  get wanted(): Arrangement {
    return this.#pending?.arrangement ?? this.#inForce;
  }

  get inForce(): Arrangement {
    return this.#inForce;
  }

  get isPending(): boolean {
    return this.#pending !== undefined;
  }

  /** What the host says is in force. */
  show(arrangement: Arrangement): void {
    if (JSON.stringify(arrangement) === JSON.stringify(this.#inForce)) return;
    this.#inForce = arrangement;
    this.#options.changed();
  }

  toggleSort(column: number, add: boolean): void {
    void this.#ask({ ...this.wanted, sort: toggleSort(this.wanted.sort, column, add) });
  }

  sort(column: number, key: SortKey | undefined, add: boolean): void {
    void this.#ask({ ...this.wanted, sort: withSort(this.wanted.sort, column, key, add) });
  }

  filterOf(column: number): ColumnFilter | undefined {
    return this.wanted.filters.find(filter => filter.column === column);
  }

  /** A column has one filter at most; without one, all of its values pass. */
  filter(column: number, filter: ColumnFilter | undefined): void {
    const { filters } = this.wanted;
    const stands = filters.some(other => other.column === column);
    const replaced = filters.flatMap(other => (other.column === column ? (filter ? [filter] : []) : [other]));
    void this.#ask({ ...this.wanted, filters: stands || !filter ? replaced : [...filters, filter] });
  }

  clearFilters(): void {
    void this.#ask({ ...this.wanted, filters: [] });
  }

  /** Leaves the rows as they are. */
  cancel(): void {
    this.#pending?.controller.abort();
  }

  async #ask(arrangement: Arrangement): Promise<void> {
    this.cancel();
    const mine = { arrangement, controller: new AbortController() };
    this.#pending = mine;
    this.#options.changed();
    try {
      await this.#options.arrange(arrangement, mine.controller.signal);
      if (this.#pending === mine) this.#inForce = arrangement;
    } catch (thrown) {
      if (!mine.controller.signal.aborted) this.#options.failed(thrown);
    }
    if (this.#pending !== mine) return;
    this.#pending = undefined;
    this.#options.changed();
  }
}
