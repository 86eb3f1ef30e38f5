import { Emitter } from '../../src/base/emitter.ts';
import type { RowQueries } from '../../src/model/results/rowQueries.ts';
import type { Run, RunControls, RunStorage } from '../../src/model/results/run.ts';
import type { WriteKey } from '../../src/model/results/writeKey.ts';
import { unsorted } from '../../src/protocol/rowQueries.ts';
import type { RunState, WriteOutcome } from '../../src/protocol/runState.ts';
import type { Column } from '../../src/wire/values.ts';

interface RunFields {
  state: RunState;
  rowCount: number;
  error: unknown;
  isWriting: boolean;
  writeKey: WriteKey | undefined;
  writeOutcome: WriteOutcome | undefined;
  storage: RunStorage;
  controls: RunControls;
  columns: readonly Column[];
}

export class TestRun implements Run {
  state: RunState = 'running';
  rowCount = 0;
  error: unknown;
  isWriting = false;
  writeKey: WriteKey | undefined;
  writeOutcome: WriteOutcome | undefined;
  isStarted = false;
  isDisposed = false;
  hasReleasedBudget = false;
  storage: RunStorage = {
    releaseBudget: () => void (this.hasReleasedBudget = true),
    save: () => Promise.resolve(),
  };
  columns: readonly Column[] = [];
  controls?: RunControls;
  readonly elapsedMs = 1;
  readonly #changes = new Emitter<void>();
  readonly onChange = this.#changes.on;

  constructor(fields: Partial<RunFields> = {}) {
    Object.assign(this, fields);
  }

  #arrangement = unsorted;

  /** Remembers an arrangement. There are no rows to query. */
  get queries(): RowQueries {
    return {
      arrangement: this.#arrangement,
      arrange: arrangement => {
        this.#arrangement = arrangement;
        this.#changes.fire();
        return Promise.resolve();
      },
    } as RowQueries;
  }

  change(fields: Partial<RunFields>): void {
    Object.assign(this, fields);
    this.#changes.fire();
  }

  start(): Promise<void> {
    this.isStarted = true;
    return Promise.resolve();
  }

  rows(): Promise<never[]> {
    return Promise.resolve([]);
  }

  dispose(): Promise<void> {
    this.isDisposed = true;
    return Promise.resolve();
  }
}
