import type { Clock } from '../../base/clock.ts';
import type { ImportRun } from './importRun.ts';

type MeasuredRun = Pick<ImportRun, 'share' | 'state' | 'progress'>;

/** Measures the speed of an import, without the time in which it is paused or waits. */
export class ImportRate {
  readonly #run: MeasuredRun;
  readonly #clock: Clock;
  readonly #firstShare: number;
  readonly #firstRows: number;
  #activeMs = 0;
  #lastAt: number;

  constructor(run: MeasuredRun, clock: Clock) {
    this.#run = run;
    this.#clock = clock;
    this.#firstShare = run.share ?? 0;
    this.#firstRows = run.progress.counts.sentRows;
    this.#lastAt = clock.now();
  }

  /** Rows a second and the time left, in milliseconds. Undefined until they are known. */
  read(): { readonly rate: number | undefined; readonly remainingMs: number | undefined } {
    const now = this.#clock.now();
    if (this.#run.state === 'running') this.#activeMs += now - this.#lastAt;
    this.#lastAt = now;
    const rows = this.#run.progress.counts.sentRows - this.#firstRows;
    const share = this.#run.share ?? 0;
    const done = share - this.#firstShare;
    return {
      rate: rows > 0 && this.#activeMs > 0 ? (1000 * rows) / this.#activeMs : undefined,
      remainingMs: done > 0 ? ((1 - share) / done) * this.#activeMs : undefined,
    };
  }
}
