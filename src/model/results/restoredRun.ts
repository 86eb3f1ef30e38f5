import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { misuse } from '../../base/errors.ts';
import type { RunState, WriteOutcome } from '../../protocol/runState.ts';
import type { Column, ShownValue } from '../../wire/values.ts';
import type { DiskBudget } from './diskBudget.ts';
import { type RunFacts } from './runFacts.ts';
import type { RowsThread } from './queries/rowsThread.ts';
import { SpoolQueries } from './queries/spoolQueries.ts';
import type { Run } from './run.ts';
import { hasEnded } from './runEvents.ts';
import type { Spool } from './spool.ts';
import { openSavedSpool } from './spool/savedSpool.ts';
import { WriteKey } from './writeKey.ts';

export interface KeptRunParts {
  /** Where its rows were kept. Whoever keeps them removes them. */
  readonly file: string;
  readonly facts: RunFacts;
  readonly worker: RowsThread;
  readonly disk: DiskBudget;
  readonly clock: Clock;
}

/** A run of an earlier window, as it ended, with the rows that were kept of it. */
export class RestoredRun implements Run {
  readonly #parts: KeptRunParts;
  readonly #changes = new Emitter<void>();
  /** Set when nobody knows what became of it. */
  readonly writeKey: WriteKey | undefined;
  readonly queries: SpoolQueries;
  #spool: Spool | undefined;
  #columns: readonly Column[] = [];
  #fault: unknown;
  #opened: Promise<void> | undefined;

  readonly onChange: (listener: () => void) => Disposable = this.#changes.on;

  constructor(parts: KeptRunParts) {
    this.#parts = parts;
    this.writeKey = parts.facts.writeKey && new WriteKey(parts.clock, parts.facts.writeKey);
    this.queries = new SpoolQueries({
      thread: parts.worker,
      spool: () => this.#spool,
      columns: () => this.columns,
      rowCount: () => this.rowCount,
      isOpen: () => false,
      onChange: () => this.#changes.fire(),
    });
  }

  get state(): RunState {
    if (this.#fault) return 'failed';
    return this.#spool ? this.#parts.facts.state : 'running';
  }

  get error(): unknown {
    return this.#fault ?? this.#parts.facts.error;
  }

  get columns(): readonly Column[] {
    return this.#columns;
  }

  get rowCount(): number {
    return Math.min(this.#spool?.rowCount ?? 0, this.#parts.facts.rowCount);
  }

  get changedRows(): number | undefined {
    return this.#parts.facts.changedRows;
  }

  get elapsedMs(): number {
    return this.#parts.facts.elapsedMs;
  }

  get firstRowMs(): number | undefined {
    return this.#parts.facts.firstRowMs;
  }

  /** A write that was under way when its window went may have been done. */
  get writeOutcome(): WriteOutcome | undefined {
    if (this.writeKey) return this.writeKey.isRemembered ? 'unknown' : 'expired';
    return this.#parts.facts.writeOutcome === 'unknown' ? 'expired' : this.#parts.facts.writeOutcome;
  }

  get sizeBytes(): number {
    return this.#spool?.size ?? 0;
  }

  /** Opens the saved rows. */
  start(): Promise<void> {
    this.#opened ??= this.#open();
    return this.#opened;
  }

  rows(start: number, count: number): Promise<ShownValue[][]> {
    return this.queries.rows(start, count);
  }

  async dispose(): Promise<void> {
    await this.#opened;
    this.#changes.dispose();
    this.queries.dispose();
    await this.#spool?.close();
    this.#parts.disk.giveBack(this.sizeBytes);
  }

  async #open(): Promise<void> {
    const { file, facts, disk } = this.#parts;
    try {
      if (!hasEnded(facts)) throw misuse(this.writeKey ? 'window_closed' : 'result_gone', 'It had not ended.');
      ({ spool: this.#spool, columns: this.#columns } = await openSavedSpool(file));
      disk.take(this.sizeBytes);
    } catch (thrown) {
      // Where there were no rows, what is missing is nothing to speak of.
      this.#fault = facts.rowCount === 0 && facts.error ? facts.error : thrown;
    }
    this.#changes.fire();
  }
}
