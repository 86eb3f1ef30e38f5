import type { Row } from '../../wire/values.ts';

/** Nobody looks at the page any more. */
export class ScrolledPast extends DOMException {
  constructor() {
    super('The page was scrolled past.', 'AbortError');
  }
}

/** A page of a table on its way, in one piece or several. */
export class Page {
  readonly number: number;
  readonly rows: Row[] = [];
  readonly #beginning = Promise.withResolvers<void>();
  readonly #end = Promise.withResolvers<void>();
  #hasEnded = false;
  #characters = 0;

  constructor(number: number) {
    this.number = number;
    // Who waits hears of faults. Pages that were asked for ahead have nobody who does.
    this.#beginning.promise.catch(() => undefined);
    this.#end.promise.catch(() => undefined);
  }

  /** It has all the rows that were there when it was asked for. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  get complete(): Promise<void> {
    return this.#end.promise;
  }

  /** Its rows, once there are that many of them, or all. */
  async until(count: number): Promise<readonly Row[]> {
    await this.#beginning.promise;
    if (this.rows.length < count) await this.#end.promise;
    return this.rows;
  }

  /** How much memory its texts take, in characters. */
  get characters(): number {
    return this.#characters;
  }

  add(rows: readonly Row[]): void {
    this.rows.push(...rows);
    for (const row of rows) {
      for (const value of Object.values(row)) if (typeof value === 'string') this.#characters += value.length;
    }
  }

  /** Some of it has come. */
  began(): void {
    this.#beginning.resolve();
  }

  ended(): void {
    this.#hasEnded = true;
    this.#beginning.resolve();
    this.#end.resolve();
  }

  fail(thrown: unknown): void {
    this.#beginning.reject(thrown);
    this.#end.reject(thrown);
  }

  /** It was scrolled past before it was asked for. */
  giveUp(): void {
    this.fail(new ScrolledPast());
  }
}
