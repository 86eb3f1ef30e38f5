/** Does one piece of work after another, in the order in which they were added. */
export class WorkQueue {
  #lastWork: Promise<unknown> = Promise.resolve();
  #length = 0;

  get isIdle(): boolean {
    return this.#length === 0;
  }

  /** Does the work when all earlier work has settled, also if that failed. */
  run<T>(work: () => Promise<T>): Promise<T> {
    this.#length++;
    const result = this.#lastWork.then(async () => {
      try {
        return await work();
      } finally {
        this.#length--;
      }
    });
    this.#lastWork = result.catch(() => undefined);
    return result;
  }
}
