/**
 * Does work once before the next paint, however often it is requested. Work that measures elements makes the browser lay
 * out the page; several changes of one event then cost one layout.
 */
export class BeforePaint {
  readonly #work: () => void;
  #isRequested = false;

  constructor(work: () => void) {
    this.#work = work;
  }

  request(): void {
    if (this.#isRequested) return;
    this.#isRequested = true;
    requestAnimationFrame(() => {
      this.#isRequested = false;
      this.#work();
    });
  }
}
