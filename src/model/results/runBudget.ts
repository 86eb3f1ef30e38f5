import type { DiskBudget } from './diskBudget.ts';
import type { PauseReason } from '../../protocol/runState.ts';

/** How much of a result is kept before somebody has to say whether it goes on. */
export interface RunLimits {
  readonly maxRows: number;
  readonly maxBytes: number;
}

interface Kept {
  readonly rowCount: number;
  readonly size: number;
}

/** What a run may still take, until it is asked to go on and may take as much again. */
export class RunBudget {
  readonly #limits: RunLimits;
  readonly #disk: DiskBudget | undefined;
  #rows: number;
  #bytes: number;

  constructor(limits: RunLimits, disk: DiskBudget | undefined) {
    this.#limits = limits;
    this.#disk = disk;
    this.#rows = limits.maxRows;
    this.#bytes = limits.maxBytes;
  }

  /** Rows come in batches, and those beyond this many wait unseen until the run goes on. */
  get rows(): number {
    return this.#rows;
  }

  /** Whole batches arrive, so that it is known only afterwards that there are more than shall be kept. */
  usedUp({ rowCount, size }: Kept): PauseReason | undefined {
    if (rowCount > this.#rows) return 'rows';
    if (size > this.#bytes) return 'bytes';
    return this.#disk?.isFull ? 'disk' : undefined;
  }

  /** Only what was used up: of a disk that is full, somebody else has to give back. */
  extend(reason: PauseReason, { size }: Kept): void {
    if (reason === 'rows') this.#rows += this.#limits.maxRows;
    if (reason === 'bytes') this.#bytes = size + this.#limits.maxBytes;
  }
}
