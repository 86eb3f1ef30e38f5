/**
 * Writes what may have changed: at once, unless it was written a moment ago. A page may be hidden or its window reloaded at any
 * time, and is gone then without a word.
 */
export class PacedWrite {
  readonly #write: () => void;
  readonly #pauseMs: number;
  #timer: number | undefined;
  #isBehind = false;

  constructor(write: () => void, pauseMs: number) {
    this.#write = write;
    this.#pauseMs = pauseMs;
  }

  /** Something may be different. */
  note(): void {
    this.#isBehind = true;
    if (this.#timer === undefined) this.#catchUp();
  }

  /** Something is different that somebody did once, who may leave right after it. */
  now(): void {
    clearTimeout(this.#timer);
    this.#isBehind = true;
    this.#catchUp();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    if (this.#isBehind) this.#write();
  }

  #catchUp(): void {
    this.#timer = this.#isBehind ? window.setTimeout(() => this.#catchUp(), this.#pauseMs) : undefined;
    if (!this.#isBehind) return;
    this.#isBehind = false;
    this.#write();
  }
}
