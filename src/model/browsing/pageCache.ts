import type { Row } from '../../wire/values.ts';
import type { PageChunk, PageSource } from './pageSource.ts';
import { PageSkipped, TablePage } from './tablePage.ts';

/** Limits of the cache. Pages that it drops are fetched again when the user scrolls back. */
const maxPages = 20;
const maxRows = 40_000;
const maxCharacters = 64 * 2 ** 20;
/** The rows in view may span two pages, and each has a prefetched neighbour. */
const minPages = 4;
/** Dragging the scrollbar must not flood the service. */
const maxFetches = 2;
/** If more fetches wait, the first of the queue are skipped: the user has scrolled past their pages. */
const maxQueuedFetches = 8;

interface PageCacheOptions {
  readonly source: PageSource;
  readonly pageSize: number;
  readonly minRowCount: number;
  /** Whether these are all rows, as far as is known. Pages that show otherwise correct it. */
  readonly isWholeCount: boolean;
  /** Counts the rows. Called if the pages do not show how many there are. */
  readonly countRows: (signal: AbortSignal) => Promise<number>;
  /** Called with each chunk before readers get its rows. If it throws, the page fails with that error. */
  readonly onChunk: (chunk: PageChunk) => void;
  readonly onChange: () => void;
}

/** Fetches the pages of a table in any order, prefetches their neighbours, and caches them. */
export class PageCache {
  readonly #options: PageCacheOptions;
  #controller = new AbortController();
  /** By number, the least recently used first. */
  readonly #pages = new Map<number, TablePage>();
  /** The last one is fetched next. */
  #queue: TablePage[] = [];
  readonly #fetches = new Set<Promise<void>>();
  readonly #pagesInFetch = new Set<TablePage>();
  /** Why pages in or near the viewport are missing, by page number, the latest fault last. */
  readonly #faults = new Map<number, unknown>();
  #rowCount: number;
  #hasEnd: boolean;

  constructor(options: PageCacheOptions) {
    this.#options = options;
    this.#rowCount = options.minRowCount;
    this.#hasEnd = options.isWholeCount;
  }

  /** How many rows are known. There may be more unless {@link hasEnd}. */
  get rowCount(): number {
    return this.#rowCount;
  }

  get hasEnd(): boolean {
    return this.#hasEnd;
  }

  /** The cached pages that have rows, in the table's order. */
  get loadedPages(): readonly TablePage[] {
    return [...this.#pages.values()].filter(({ rows }) => rows.length > 0).toSorted((a, b) => a.number - b.number);
  }

  get fault(): { readonly thrown: unknown } | undefined {
    const faults = [...this.#faults.values()];
    return faults.length > 0 ? { thrown: faults.at(-1) } : undefined;
  }

  /** Forgets the faults of pages that are far from the viewport. */
  setViewport(start: number, end: number): void {
    const first = this.#pageOf(start) - 1;
    const last = this.#pageOf(end) + 1;
    const faultCount = this.#faults.size;
    for (const number of this.#faults.keys()) if (number < first || number > last) this.#faults.delete(number);
    if (this.#faults.size < faultCount) this.#options.onChange();
  }

  async load(row: number): Promise<void> {
    await this.#request(this.#pageOf(row)).whenComplete;
  }

  /** Fetches failed pages again. Faults do not reject. */
  async retry(): Promise<void> {
    const failed = [...this.#faults.keys()];
    this.#faults.clear();
    await Promise.allSettled(failed.map(number => this.#request(number).whenComplete));
  }

  /** The rows of a range; fewer where the table ends. */
  async rows(start: number, end: number): Promise<Row[]> {
    const { pageSize } = this.#options;
    const found: Row[] = [];
    for (let number = this.#pageOf(start); start + found.length < end; number++) {
      const page = this.#request(number);
      this.#prefetchNeighbours(number, start);
      const firstRow = number * pageSize;
      const endInPage = Math.min(pageSize, end - firstRow);
      const rows = await page.rowsUpTo(endInPage);
      found.push(...rows.slice(start + found.length - firstRow, endInPage));
      // The table shrank during the fetch: later rows are no longer where the caller expects them.
      if (rows.length < endInPage) break;
    }
    return found;
  }

  async countAll(signal: AbortSignal): Promise<void> {
    this.#endsAt(await this.#options.countRows(AbortSignal.any([signal, this.#controller.signal])));
    this.#options.onChange();
  }

  /** Aborts all fetches. Cached rows stay, and later reads fetch again. */
  cancel(): void {
    this.close();
    this.#controller = new AbortController();
  }

  /** Aborts all fetches, now and later. */
  close(): void {
    this.#controller.abort();
    const unfinished = [...this.#pagesInFetch, ...this.#queue.splice(0)];
    for (const page of unfinished) this.#fail(page, this.#controller.signal.reason);
    this.#pagesInFetch.clear();
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.#fetches);
  }

  #pageOf(row: number): number {
    return Math.floor(row / this.#options.pageSize);
  }

  /** Gives a page from the cache, or fetches it before those that are queued. */
  #request(number: number): TablePage {
    const cached = this.#pages.get(number);
    const current = cached && !this.#isOutdated(cached) ? cached : undefined;
    const page = current ?? new TablePage(number);
    const isQueued = !current || this.#queue.includes(page);
    this.#cache(page);
    if (isQueued) {
      this.#queue = [...this.#queue.filter(other => other !== page), page];
      this.#startFetches();
    }
    return page;
  }

  /** Whether the page was the last one when it was fetched, and the table has grown since. */
  #isOutdated({ number, rows, isComplete }: TablePage): boolean {
    const { pageSize } = this.#options;
    return isComplete && rows.length < pageSize && number * pageSize + rows.length < this.rowCount;
  }

  /** Prefetches the next page, and the previous one if `row` is near it. */
  #prefetchNeighbours(number: number, row: number): void {
    const { pageSize } = this.#options;
    if (!this.hasEnd || (number + 1) * pageSize < this.rowCount) this.#prefetch(number + 1);
    if (number > 0 && row - number * pageSize < pageSize / 2) this.#prefetch(number - 1);
  }

  #prefetch(number: number): void {
    if (this.#pages.has(number)) return;
    const page = new TablePage(number);
    this.#cache(page);
    this.#queue.unshift(page);
    this.#startFetches();
  }

  #startFetches(): void {
    for (const page of this.#queue.splice(0, this.#queue.length - maxQueuedFetches)) {
      this.#pages.delete(page.number);
      page.fail(new PageSkipped());
    }
    while (this.#fetches.size < maxFetches) {
      const page = this.#queue.pop();
      if (!page) return;
      const fetch = this.#fetch(page).finally(() => {
        this.#fetches.delete(fetch);
        this.#startFetches();
      });
      this.#fetches.add(fetch);
    }
  }

  async #fetch(page: TablePage): Promise<void> {
    const { source, pageSize, onChunk, onChange } = this.#options;
    const { signal } = this.#controller;
    const offset = page.number * pageSize;
    this.#pagesInFetch.add(page);
    try {
      signal.throwIfAborted();
      const chunks = source.fetch({ offset, limit: pageSize }, signal);
      let next = await chunks.next();
      for (; !next.done; next = await chunks.next()) {
        page.add(next.value.rows);
        onChunk(next.value);
        if (page.rows.length > 0) this.#reachesTo(offset + page.rows.length);
        page.publish();
        if (page.rows.length < pageSize) onChange();
      }
      const endsHere = next.value;
      if (endsHere) await this.#foundEnd(offset + page.rows.length, page.rows.length === 0);
      signal.throwIfAborted();
      this.#faults.delete(page.number);
      page.complete();
      this.#evict();
      onChange();
    } catch (thrown) {
      // A cancelled page has failed already.
      if (this.#pagesInFetch.has(page)) this.#fail(page, thrown);
    } finally {
      this.#pagesInFetch.delete(page);
    }
  }

  #fail(page: TablePage, thrown: unknown): void {
    if (this.#pages.get(page.number) === page) this.#pages.delete(page.number);
    // Deleted first, so that the latest fault is the last one of the map.
    this.#faults.delete(page.number);
    this.#faults.set(page.number, thrown);
    page.fail(thrown);
    this.#options.onChange();
  }

  /** Notes that there are rows up to `end`. Rows past the known end invalidate it. */
  #reachesTo(end: number): void {
    if (end <= this.#rowCount) return;
    this.#rowCount = end;
    this.#hasEnd = false;
  }

  #endsAt(end: number): void {
    this.#rowCount = end;
    this.#hasEnd = true;
  }

  /** An empty page shows where the table ends only if the last known row is right before it. */
  async #foundEnd(end: number, isEmptyPage: boolean): Promise<void> {
    if (!isEmptyPage || end === 0 || end === this.#rowCount) {
      this.#endsAt(end);
      return;
    }
    try {
      this.#endsAt(await this.#options.countRows(this.#controller.signal));
    } catch {
      // A service that does not count leaves the end to be found by scrolling.
      this.#rowCount = Math.min(this.#rowCount, end);
      this.#hasEnd = false;
    }
  }

  #cache(page: TablePage): void {
    this.#pages.delete(page.number);
    this.#pages.set(page.number, page);
    this.#evict();
  }

  #evict(): void {
    const { pageSize } = this.#options;
    const pageLimit = Math.max(minPages, Math.min(maxPages, Math.floor(maxRows / pageSize)));
    let characters = 0;
    for (const page of this.#pages.values()) characters += page.characters;
    for (const [number, page] of this.#pages) {
      const fits = this.#pages.size <= pageLimit && characters <= maxCharacters;
      if (fits || this.#pages.size <= minPages) break;
      this.#pages.delete(number);
      characters -= page.characters;
    }
  }
}
