import { Emitter } from '../../base/emitter.ts';
import type { RunState } from '../../protocol/runState.ts';
import type { ShownValue } from '../../protocol/shownValues.ts';
import type { Column } from '../../wire/values.ts';
import type { DiskBudget } from './diskBudget.ts';
import type { RowsThread } from './queries/rowsThread.ts';
import { SpoolQueries } from './queries/spoolQueries.ts';
import { hasEnded, type Run, type RunStorage } from './run.ts';
import type { Spool } from './spool.ts';
import { saveSpool } from './spool/savedSpool.ts';

export abstract class SpooledRun implements Run {
  readonly queries: SpoolQueries;
  readonly storage: RunStorage = {
    releaseBudget: () => this.charge(0),
    save: async file => this.spool && saveSpool(this.spool, file, this.columns),
  };
  protected readonly changes = new Emitter<void>();
  readonly onChange = this.changes.on;
  abstract readonly columns: readonly Column[];
  abstract readonly rowCount: number;
  abstract readonly elapsedMs: number;
  /** Undefined until it is opened. */
  protected abstract readonly spool: Spool | undefined;
  protected currentState: RunState = 'running';
  protected fault: unknown;
  readonly #disk: DiskBudget | undefined;
  #chargedBytes = 0;

  /** Without `disk`, the rows are too few to be counted. */
  constructor(thread: RowsThread, disk?: DiskBudget) {
    this.#disk = disk;
    this.queries = new SpoolQueries({
      thread,
      spool: () => this.spool,
      columns: () => this.columns,
      rowCount: () => this.rowCount,
      mayGrow: () => !hasEnded(this),
      onChange: () => this.changes.fire(),
    });
    this.onChange(() => this.queries.rowsArrived());
  }

  get state(): RunState {
    return this.currentState;
  }

  get error(): unknown {
    return this.fault;
  }

  get sizeBytes(): number {
    return this.spool?.size ?? 0;
  }

  rows(start: number, count: number): Promise<ShownValue[][]> {
    return this.queries.rows(start, count);
  }

  /** Takes the size of the rows from the disk budget. */
  protected charge(bytes = this.sizeBytes): void {
    this.#disk?.take(bytes - this.#chargedBytes);
    this.#chargedBytes = bytes;
  }

  protected async disposeRows(): Promise<void> {
    this.changes.dispose();
    this.queries.dispose();
    await this.spool?.delete();
    this.charge(0);
  }

  abstract start(): Promise<void>;
  abstract dispose(): Promise<void>;
}
