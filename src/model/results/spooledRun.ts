import { Emitter } from '../../base/emitter.ts';
import type { RunState } from '../../protocol/runState.ts';
import type { ShownValue } from '../../protocol/shownValues.ts';
import type { Column } from '../../wire/values.ts';
import type { RowsThread } from './queries/rowsThread.ts';
import { SpoolQueries } from './queries/spoolQueries.ts';
import { hasEnded, type Run } from './run.ts';
import type { Spool } from './spool.ts';

export abstract class SpooledRun implements Run {
  readonly queries: SpoolQueries;
  protected readonly changes = new Emitter<void>();
  readonly onChange = this.changes.on;
  abstract readonly state: RunState;
  abstract readonly error: unknown;
  abstract readonly columns: readonly Column[];
  abstract readonly rowCount: number;
  abstract readonly elapsedMs: number;
  /** Undefined until it is opened. */
  protected abstract readonly spool: Spool | undefined;

  constructor(thread: RowsThread) {
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

  get sizeBytes(): number {
    return this.spool?.size ?? 0;
  }

  rows(start: number, count: number): Promise<ShownValue[][]> {
    return this.queries.rows(start, count);
  }

  abstract start(): Promise<void>;
  abstract dispose(): Promise<void>;
}
