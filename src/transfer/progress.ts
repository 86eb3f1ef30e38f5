import type { Clock } from '../base/clock.ts';

type TransferStep = 'reading' | 'writing' | 'checking';

/** The shortest time between two lines. */
const lineMs = 5000;

/** Writes lines with the table, its rows, and the rows per second since the last line. */
export class TransferProgress {
  readonly #note: (line: string) => void;
  readonly #clock: Clock;
  #lineAt: number;
  #rowsSinceLine = 0;

  constructor(note: (line: string) => void, clock: Clock) {
    this.#note = note;
    this.#clock = clock;
    this.#lineAt = clock.now();
  }

  /** Call it when rows of a table are done. `total` is all rows that are done. */
  rows(step: TransferStep, table: string, { added, total }: { readonly added: number; readonly total: number }): void {
    this.#rowsSinceLine += added;
    const now = this.#clock.now();
    const elapsedMs = now - this.#lineAt;
    if (elapsedMs < lineMs) return;
    const rate = Math.round((1000 * this.#rowsSinceLine) / elapsedMs);
    this.#note(`${step} ${table}: ${total} rows, ${rate} rows/s`);
    this.#lineAt = now;
    this.#rowsSinceLine = 0;
  }

  table(step: TransferStep, table: string, total: number): void {
    this.#note(`${step} ${table}: ${total} rows`);
    this.#lineAt = this.#clock.now();
    this.#rowsSinceLine = 0;
  }

  note(line: string): void {
    this.#note(line);
  }
}
