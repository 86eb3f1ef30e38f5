/** The disk space that the rows of all results share. */
export class DiskBudget {
  readonly #limit: () => number;
  #usedBytes = 0;

  /** `limit` is a setting. It is read with every row batch. */
  constructor(limit: () => number) {
    this.#limit = limit;
  }

  get isFull(): boolean {
    return this.#usedBytes >= this.#limit();
  }

  take(bytes: number): void {
    this.#usedBytes += bytes;
  }
}
