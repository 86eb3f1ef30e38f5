import type { CellRange, Summary } from '../../../src/protocol/rowQueries.ts';

/** So that a selection which is dragged is summed up when it rests. */
const pauseMs = 120;
/** A selection that grows by itself, as rows come, is summed up now and then. */
const growingPauseMs = 1000;

export interface SummarizerOptions {
  readonly ask: (ranges: readonly CellRange[], signal: AbortSignal) => Promise<Summary>;
  /** Heard with the figures, and with undefined while there are none. */
  readonly changed: (summary: Summary | undefined) => void;
  readonly failed: (thrown: unknown) => void;
}

/** Has the host sum up what is selected, a little after it was. A newer selection ends the question about an older one. */
export class Summarizer {
  readonly #options: SummarizerOptions;
  #controller: AbortController | undefined;
  #timer: number | undefined;
  #grown: readonly CellRange[] | undefined;

  constructor(options: SummarizerOptions) {
    this.#options = options;
  }

  /** What is selected is another. The figures before stay until the new ones are there, unless there are none. */
  watch(ranges: readonly CellRange[]): void {
    this.stop();
    if (ranges.length === 0) this.#options.changed(undefined);
    else this.#schedule(ranges, pauseMs);
  }

  /** What is selected has more rows than before. A question under way is worth its answer nevertheless. */
  grow(ranges: readonly CellRange[]): void {
    if (this.#timer !== undefined || this.#controller) this.#grown = ranges;
    else this.#schedule(ranges, growingPauseMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#controller?.abort();
    this.#timer = this.#controller = this.#grown = undefined;
  }

  #schedule(ranges: readonly CellRange[], ms: number): void {
    this.#timer = window.setTimeout(() => {
      this.#timer = undefined;
      void this.#ask(ranges);
    }, ms);
  }

  async #ask(ranges: readonly CellRange[]): Promise<void> {
    const controller = new AbortController();
    this.#controller = controller;
    const { ask, changed, failed } = this.#options;
    try {
      const summary = await ask(ranges, controller.signal);
      if (!controller.signal.aborted) changed(summary);
    } catch (thrown) {
      if (controller.signal.aborted) return;
      changed(undefined);
      failed(thrown);
    }
    if (this.#controller !== controller) return;
    const grown = this.#grown;
    this.#controller = this.#grown = undefined;
    if (grown) this.#schedule(grown, growingPauseMs);
  }
}
