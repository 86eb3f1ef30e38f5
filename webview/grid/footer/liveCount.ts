import { element } from '../../ui/element.ts';

/** A screen reader that was told of each batch of rows would read nothing else. */
const pauseMs = 5000;

/** Tells a screen reader now and then how many rows have come, for as long as they do. */
export class LiveCount {
  readonly root = element('div', 'live');
  readonly #sentenceFor: (rows: number) => string;
  #rows = 0;
  #timer: number | undefined;

  constructor(sentenceFor: (rows: number) => string) {
    this.#sentenceFor = sentenceFor;
    this.root.setAttribute('aria-live', 'polite');
  }

  show(rows: number, streaming: boolean): void {
    // What came of it in the end is told by the result's own line.
    if (!streaming) return this.dispose();
    if (rows === this.#rows) return;
    this.#rows = rows;
    this.#timer ??= window.setTimeout(() => {
      this.#timer = undefined;
      this.root.textContent = this.#sentenceFor(this.#rows);
    }, pauseMs);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.root.textContent = '';
  }
}
