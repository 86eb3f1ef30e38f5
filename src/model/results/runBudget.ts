import type { PauseReason } from '../../protocol/runState.ts';
import type { DiskBudget } from './diskBudget.ts';

export interface RunLimits {
  readonly maxRows: number;
  readonly maxBytes: number;
}

interface StoredSize {
  readonly rowCount: number;
  readonly size: number;
}

/** The storage that is left for a run. Resuming the run grants as much again. */
export class RunBudget {
  readonly #limits: RunLimits;
  readonly #disk: DiskBudget | undefined;
  #maxRows: number;
  #maxBytes: number;
  /** Counts the calls of `extend`. */
  extensions = 0;

  constructor(limits: RunLimits, disk: DiskBudget | undefined) {
    this.#limits = limits;
    this.#disk = disk;
    this.#maxRows = limits.maxRows;
    this.#maxBytes = limits.maxBytes;
  }

  /** Rows arrive in batches. The rows of a batch beyond this number stay hidden until the run resumes. */
  get maxRows(): number {
    return this.#maxRows;
  }

  /** The budget that the stored rows exceed. Rows arrive in whole batches, so this is checked after storing one. */
  exceededBy({ rowCount, size }: StoredSize): PauseReason | undefined {
    if (rowCount > this.#maxRows) return 'rows';
    if (size > this.#maxBytes) return 'bytes';
    return this.#disk?.isFull ? 'disk' : undefined;
  }

  /** Extends the budget that was exceeded. A full disk stays full until another result is closed. */
  extend(reason: PauseReason, { size }: StoredSize): void {
    this.extensions++;
    if (reason === 'rows') this.#maxRows += this.#limits.maxRows;
    if (reason === 'bytes') this.#maxBytes = size + this.#limits.maxBytes;
  }
}
