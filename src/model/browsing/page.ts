import type { Row } from '../../wire/values.ts';

/** A page of a table on its way, in one piece or several. */
export class Page {
  readonly number: number;
  readonly rows: Row[] = [];
  readonly #beginning = Promise.withResolvers<void>();
  readonly #end = Promise.withResolvers<void>();

  constructor(number: number) {
    this.number = number;
    // Who waits hears of faults. Pages that were asked for ahead have nobody who does.
    this.#beginning.promise.catch(() => undefined);
    this.#end.promise.catch(() => undefined);
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

  add(rows: readonly Row[]): void {
    this.rows.push(...rows);
  }

  /** Some of it has come. */
  began(): void {
    this.#beginning.resolve();
  }

  ended(): void {
    this.#beginning.resolve();
    this.#end.resolve();
  }

  fail(thrown: unknown): void {
    this.#beginning.reject(thrown);
    this.#end.reject(thrown);
  }

  /** It was scrolled past before it was asked for. */
  giveUp(): void {
    this.fail(new DOMException('The page was scrolled past.', 'AbortError'));
  }
}
