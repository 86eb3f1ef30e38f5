/** What the rows of all results take of the disk together. */
export class DiskBudget {
  readonly #limit: () => number;
  #used = 0;

  /** `limit` is asked with each frame of rows, since it is a setting. */
  constructor(limit: () => number) {
    this.#limit = limit;
  }

  get isFull(): boolean {
    return this.#used >= this.#limit();
  }

  take(bytes: number): void {
    this.#used += bytes;
  }

  giveBack(bytes: number): void {
    this.#used -= bytes;
  }
}
