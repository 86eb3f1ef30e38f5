import type { Row } from '../../wire/values.ts';
import { Page } from './page.ts';
import type { PagePiece, RowSource } from './rowSource.ts';
import { TableExtent } from './tableExtent.ts';

/** What is kept. Whoever scrolls back further asks the service for the pages again. */
const mostPages = 20;
const mostRows = 40_000;
const mostCharacters = 64 * 2 ** 20;
/** What is in view may stand in two pages, and each has one beside it. */
const fewestPages = 4;
/** Pages that are asked for at the same time, so that one who drags the scrollbar does not flood a service. */
const mostAtOnce = 2;
/** Pages that wait their turn. The oldest of more have been scrolled past. */
const mostWaiting = 8;

export interface TablePagesOptions {
  readonly source: RowSource;
  readonly pageSize: number;
  /** Rows that there are, for all that is known of earlier. */
  readonly atLeast: number;
  /** How many rows there are; asked where the pages cannot tell. */
  readonly count: (signal: AbortSignal) => Promise<number>;
  /** Called with each piece before anybody gets its rows. What it throws is the page's fault. */
  readonly onPiece: (page: Page, piece: PagePiece) => Promise<void> | void;
  /** A page has come, or could not; or it is known anew how many rows there are. */
  readonly onChange: () => void;
  readonly letGo: (page: number) => void;
}

/** The pages of a table, in any order: asked for when somebody looks, or is about to, and kept for a while. */
export class TablePages {
  readonly #options: TablePagesOptions;
  readonly #extent: TableExtent;
  /** Ends what is under way. */
  #controller = new AbortController();
  /** By number, in the order of their last use. */
  readonly #pages = new Map<number, Page>();
  /** The last of them is asked for next. */
  #waiting: Page[] = [];
  readonly #running = new Set<Promise<void>>();
  /** Pages that are on their way. */
  readonly #reading = new Set<Page>();
  /** Why pages could not be had that are in view or next to it, by their numbers. */
  readonly #faults = new Map<number, unknown>();

  constructor(options: TablePagesOptions) {
    this.#options = options;
    this.#extent = new TableExtent(options.atLeast);
  }

  get rowCount(): number {
    return this.#extent.rowCount;
  }

  get hasEnd(): boolean {
    return this.#extent.hasEnd;
  }

  /** What is there, by the places of their first rows. */
  get loaded(): readonly Page[] {
    return [...this.#pages.values()].filter(({ rows }) => rows.length > 0).toSorted((a, b) => a.number - b.number);
  }

  /** Why rows are missing that somebody looks at or is about to; undefined while none are. */
  get fault(): { readonly thrown: unknown } | undefined {
    const faults = [...this.#faults.values()];
    return faults.length > 0 ? { thrown: faults.at(-1) } : undefined;
  }

  /** Somebody looks at these rows, and misses none that are far from them. */
  looksAt(start: number, end: number): void {
    const [first, last] = [this.#numberOf(start) - 1, this.#numberOf(end) + 1];
    const before = this.#faults.size;
    for (const number of this.#faults.keys()) if (number < first || number > last) this.#faults.delete(number);
    if (this.#faults.size < before) this.#options.onChange();
  }

  /** Settles when the page of a row has come. */
  async load(row: number): Promise<void> {
    await this.#wanted(this.#numberOf(row)).complete;
  }

  /** Asks again for what could not be had. Faults do not reject. */
  async retry(): Promise<void> {
    const failed = [...this.#faults.keys()];
    this.#faults.clear();
    await Promise.allSettled(failed.map(number => this.#wanted(number).complete));
  }

  /** The rows from one to before another, fewer where there are no more. */
  async rows(start: number, end: number): Promise<Row[]> {
    const { pageSize } = this.#options;
    const found: Row[] = [];
    for (let number = this.#numberOf(start); start + found.length < end; number++) {
      const page = this.#wanted(number);
      this.#lookAhead(number, start);
      const first = number * pageSize;
      const upTo = Math.min(pageSize, end - first);
      const rows = await page.until(upTo);
      found.push(...rows.slice(start + found.length - first, upTo));
      // The table shrank meanwhile, so that what follows would not stand where it stood.
      if (rows.length < upTo) break;
    }
    return found;
  }

  async countAll(signal: AbortSignal): Promise<void> {
    this.#extent.endsAt(await this.#options.count(AbortSignal.any([signal, this.#controller.signal])));
    this.#options.onChange();
  }

  /** Ends what is under way. What came stays, and whoever looks again asks again. */
  giveUp(): void {
    this.stop();
    this.#controller = new AbortController();
  }

  /** Ends what is under way, for good. */
  stop(): void {
    this.#controller.abort();
    for (const page of [...this.#reading, ...this.#waiting.splice(0)]) this.#fail(page, this.#controller.signal.reason);
    this.#reading.clear();
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  #numberOf(row: number): number {
    return Math.floor(row / this.#options.pageSize);
  }

  #wanted(number: number): Page {
    const kept = this.#pages.get(number);
    const known = kept && !this.#lacksRows(kept) ? kept : undefined;
    const page = known ?? new Page(number);
    const waits = !known || this.#waiting.includes(page);
    this.#keep(page);
    if (waits) {
      this.#waiting = [...this.#waiting.filter(other => other !== page), page];
      this.#proceed();
    }
    return page;
  }

  /** It was the last page when it came, and the table has grown since. */
  #lacksRows({ number, rows, hasEnded }: Page): boolean {
    const { pageSize } = this.#options;
    return hasEnded && rows.length < pageSize && number * pageSize + rows.length < this.rowCount;
  }

  /** The page behind the one that is looked at, and the one before it when its beginning is near. */
  #lookAhead(number: number, row: number): void {
    const { pageSize } = this.#options;
    if (!this.hasEnd || (number + 1) * pageSize < this.rowCount) this.#ahead(number + 1);
    if (number > 0 && row - number * pageSize < pageSize / 2) this.#ahead(number - 1);
  }

  #ahead(number: number): void {
    if (this.#pages.has(number)) return;
    const page = new Page(number);
    this.#keep(page);
    this.#waiting.unshift(page);
    this.#proceed();
  }

  #proceed(): void {
    for (const page of this.#waiting.splice(0, this.#waiting.length - mostWaiting)) {
      this.#pages.delete(page.number);
      page.giveUp();
    }
    while (this.#running.size < mostAtOnce) {
      const page = this.#waiting.pop();
      if (!page) return;
      const running = this.#read(page).finally(() => {
        this.#running.delete(running);
        this.#proceed();
      });
      this.#running.add(running);
    }
  }

  async #read(page: Page): Promise<void> {
    const { source, pageSize, onPiece, onChange } = this.#options;
    const { signal } = this.#controller;
    const offset = page.number * pageSize;
    this.#reading.add(page);
    try {
      signal.throwIfAborted();
      const pieces = source.read({ offset, limit: pageSize }, signal);
      let next = await pieces.next();
      for (; !next.done; next = await pieces.next()) {
        page.add(next.value.rows);
        await onPiece(page, next.value);
        if (page.rows.length > 0) this.#extent.reaches(offset + page.rows.length);
        page.began();
        if (page.rows.length < pageSize) onChange();
      }
      if (next.value) await this.#ends(offset + page.rows.length, page.rows.length === 0);
      signal.throwIfAborted();
      this.#faults.delete(page.number);
      page.ended();
      this.#makeRoom();
      onChange();
    } catch (thrown) {
      // One that was given up has failed already.
      if (this.#reading.has(page)) this.#fail(page, thrown);
    } finally {
      this.#reading.delete(page);
    }
  }

  #fail(page: Page, thrown: unknown): void {
    if (this.#pages.get(page.number) === page) this.#pages.delete(page.number);
    // The latest is the one that is told.
    this.#faults.delete(page.number);
    this.#faults.set(page.number, thrown);
    page.fail(thrown);
    this.#options.onChange();
  }

  /** A page without rows tells where the end is only when it begins there. */
  async #ends(end: number, empty: boolean): Promise<void> {
    if (!empty || end === 0 || end === this.#extent.rowCount) return this.#extent.endsAt(end);
    try {
      this.#extent.endsAt(await this.#options.count(this.#controller.signal));
    } catch {
      // A service that does not count leaves it to be found by looking.
      this.#extent.endsBefore(end);
    }
  }

  #keep(page: Page): void {
    this.#pages.delete(page.number);
    this.#pages.set(page.number, page);
    this.#makeRoom();
  }

  /** Lets go of what was looked at the longest time ago. */
  #makeRoom(): void {
    const most = Math.max(fewestPages, Math.min(mostPages, Math.floor(mostRows / this.#options.pageSize)));
    let characters = 0;
    for (const page of this.#pages.values()) characters += page.characters;
    for (const [number, page] of this.#pages) {
      const isEnough = this.#pages.size <= most && characters <= mostCharacters;
      if (isEnough || this.#pages.size <= fewestPages) break;
      this.#pages.delete(number);
      characters -= page.characters;
      this.#options.letGo(number);
    }
  }
}
