import { Debouncer } from '../../../src/base/debouncer.ts';
import type { CellRange, Summary } from '../../../src/protocol/rowQueries.ts';

/** A dragged selection is summarized when it rests. */
const selectionPauseMs = 120;
/** A selection with arriving rows is summarized this often. */
const growthIntervalMs = 1000;

export interface SummarizerOptions {
  readonly summarize: (ranges: readonly CellRange[], signal: AbortSignal) => Promise<Summary>;
  /** Called with the figures, and with undefined when there are none. */
  readonly onChanged: (summary: Summary | undefined) => void;
  readonly onFailed: (thrown: unknown) => void;
}

/** Has the host summarize the selection shortly after it changed. A new selection aborts the pending call. */
export class Summarizer {
  readonly #options: SummarizerOptions;
  readonly #start = new Debouncer({ run: () => void this.#summarize(), delayMs: selectionPauseMs });
  #ranges: readonly CellRange[] = [];
  #controller: AbortController | undefined;
  #hasGrown = false;

  constructor(options: SummarizerOptions) {
    this.#options = options;
  }

  /** Takes another selection. Old figures stay until the new ones are there, unless nothing is to be summarized. */
  select(ranges: readonly CellRange[]): void {
    this.stop();
    this.#ranges = ranges;
    if (ranges.length === 0) this.#options.onChanged(undefined);
    else this.#start.schedule();
  }

  /** Takes the same selection with more rows. A pending call continues: its answer is worth having. */
  grow(ranges: readonly CellRange[]): void {
    this.#ranges = ranges;
    if (this.#controller) this.#hasGrown = true;
    else this.#start.schedule(growthIntervalMs);
  }

  stop(): void {
    this.#start.cancel();
    this.#controller?.abort();
    this.#controller = undefined;
    this.#hasGrown = false;
  }

  async #summarize(): Promise<void> {
    const controller = new AbortController();
    this.#controller = controller;
    const { summarize, onChanged, onFailed } = this.#options;
    try {
      const summary = await summarize(this.#ranges, controller.signal);
      if (!controller.signal.aborted) onChanged(summary);
    } catch (thrown) {
      if (controller.signal.aborted) return;
      onChanged(undefined);
      onFailed(thrown);
    }
    if (this.#controller !== controller) return;
    this.#controller = undefined;
    if (this.#hasGrown) this.#start.schedule(growthIntervalMs);
    this.#hasGrown = false;
  }
}
