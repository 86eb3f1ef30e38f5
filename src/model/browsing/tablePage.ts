import type { Row } from '../../wire/values.ts';

/** The user scrolled past the page before it was fetched. */
export class PageSkipped extends DOMException {
  constructor() {
    super('The page was scrolled past.', 'AbortError');
  }
}

export class TablePage {
  readonly number: number;
  readonly rows: Row[] = [];
  readonly #firstChunk = Promise.withResolvers<void>();
  readonly #end = Promise.withResolvers<void>();
  #isComplete = false;
  #characters = 0;

  constructor(number: number) {
    this.number = number;
    // Nobody awaits a prefetched page, so its fault would be an unhandled rejection.
    this.#firstChunk.promise.catch(() => undefined);
    this.#end.promise.catch(() => undefined);
  }

  /** Whether all rows have arrived that the table had there when the page was fetched. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  get whenComplete(): Promise<void> {
    return this.#end.promise;
  }

  /** The length of all texts, for which the page needs memory. */
  get characters(): number {
    return this.#characters;
  }

  /** Settles with the rows when `count` of them have arrived, or all. */
  async rowsUpTo(count: number): Promise<readonly Row[]> {
    await this.#firstChunk.promise;
    if (this.rows.length < count) await this.#end.promise;
    return this.rows;
  }

  add(rows: readonly Row[]): void {
    this.rows.push(...rows);
    for (const row of rows) {
      for (const value of Object.values(row)) if (typeof value === 'string') this.#characters += value.length;
    }
  }

  publish(): void {
    this.#firstChunk.resolve();
  }

  complete(): void {
    this.#isComplete = true;
    this.#firstChunk.resolve();
    this.#end.resolve();
  }

  fail(thrown: unknown): void {
    this.#firstChunk.reject(thrown);
    this.#end.reject(thrown);
  }
}
