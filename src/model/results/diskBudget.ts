/** The disk space that the rows of all results share. */
export class DiskBudget {
  readonly #limit: () => number;
  #used = 0;

  /** `limit` is a setting. It is read with every row batch. */
  constructor(limit: () => number) {
    this.#limit = limit;
  }

  get isFull(): boolean {
    return this.#used >= this.#limit();
  }

  take(bytes: number): void {
    this.#used += bytes;
  }

  release(bytes: number): void {
    this.#used -= bytes;
  }
}
