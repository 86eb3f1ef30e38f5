import { type Arrangement, type ColumnFilter, type SortKey, unsorted } from '../../../src/protocol/rowQueries.ts';

interface ArrangerOptions {
  readonly arrange: (arrangement: Arrangement, signal: AbortSignal) => Promise<void>;
  readonly onFailed: (thrown: unknown) => void;
  readonly onChanged: () => void;
}

/** Sorts and filters the rows through the host. With many rows, the requested arrangement is pending for a while. */
export class Arranger {
  readonly #options: ArrangerOptions;
  #currentArrangement: Arrangement = unsorted;
  #pending: { readonly arrangement: Arrangement; readonly controller: AbortController } | undefined;

  constructor(options: ArrangerOptions) {
    this.#options = options;
  }

  /** The arrangement that the user chose last. It may be pending. */
  get latest(): Arrangement {
    return this.#pending?.arrangement ?? this.#currentArrangement;
  }

  get isPending(): boolean {
    return this.#pending !== undefined;
  }

  /** Takes the host's present arrangement. */
  show(arrangement: Arrangement): void {
    if (JSON.stringify(arrangement) === JSON.stringify(this.#currentArrangement)) return;
    this.#currentArrangement = arrangement;
    this.#options.onChanged();
  }

  toggleSort(column: number, add: boolean): void {
    void this.#arrange({ ...this.latest, sort: toggleSort(this.latest.sort, column, add) });
  }

  sort(column: number, key: SortKey | undefined, add: boolean): void {
    void this.#arrange({ ...this.latest, sort: withSort(this.latest.sort, column, key, add) });
  }

  filterOf(column: number): ColumnFilter | undefined {
    return this.latest.filters.find(filter => filter.column === column);
  }

  /** A column has at most one filter. */
  filter(column: number, filter: ColumnFilter | undefined): void {
    const { filters } = this.latest;
    const hasFilter = filters.some(other => other.column === column);
    const replaced = filters.flatMap(other => (other.column === column ? (filter ? [filter] : []) : [other]));
    void this.#arrange({ ...this.latest, filters: hasFilter || !filter ? replaced : [...filters, filter] });
  }

  /** Keeps the rows that contain a text in any column. An empty text keeps all rows. */
  search(text: string): void {
    const { sort, filters } = this.latest;
    void this.#arrange({ sort, filters, ...(text !== '' && { search: text }) });
  }

  /** Shows all rows in the same order. */
  clearFilters(): void {
    void this.#arrange({ sort: this.latest.sort, filters: [] });
  }

  /** The rows stay as they are. */
  cancel(): void {
    this.#pending?.controller.abort();
  }

  async #arrange(arrangement: Arrangement): Promise<void> {
    this.cancel();
    const pending = { arrangement, controller: new AbortController() };
    const { signal } = pending.controller;
    this.#pending = pending;
    this.#options.onChanged();
    try {
      await this.#options.arrange(arrangement, signal);
      if (this.#pending === pending) this.#currentArrangement = arrangement;
    } catch (thrown) {
      if (!signal.aborted) this.#options.onFailed(thrown);
    }
    if (this.#pending !== pending) return;
    this.#pending = undefined;
    this.#options.onChanged();
  }
}

/** A click on a column's name sorts ascending, the next one descending, the third one not by this column. */
export function toggleSort(sort: readonly SortKey[], column: number, add: boolean): SortKey[] {
  const key = sort.find(other => other.column === column);
  const next = key ? (key.descending ? undefined : { column, descending: true }) : { column, descending: false };
  return withSort(sort, column, next, add);
}

/** With `add`, the other keys stay, and the column keeps its rank. */
export function withSort(sort: readonly SortKey[], column: number, next: SortKey | undefined, add: boolean): SortKey[] {
  if (!add) return next ? [next] : [];
  if (!next) return sort.filter(key => key.column !== column);
  const hasKey = sort.some(key => key.column === column);
  return hasKey ? sort.map(key => (key.column === column ? next : key)) : [...sort, next];
}
