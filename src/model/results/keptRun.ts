import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { misuse } from '../../base/errors.ts';
import type { Column } from '../../wire/values.ts';
import type { DiskBudget } from './diskBudget.ts';
import { hasNotEnded, type RunFacts } from './runFacts.ts';
import type { RowsWorker } from './queries/rowsWorker.ts';
import { SpoolQueries } from './queries/spoolQueries.ts';
import type { RowsRun, RunPhase, WriteOutcome } from './rowsRun.ts';
import type { Spool } from './spool.ts';
import { reopenSpool } from './spool/keptSpool.ts';
import { SpooledRows } from './spooledRows.ts';
import { WriteKey } from './writeKey.ts';

export interface KeptRunParts {
  /** Where its rows were kept. Whoever keeps them removes them. */
  readonly file: string;
  readonly facts: RunFacts;
  readonly worker: RowsWorker;
  readonly disk: DiskBudget;
  readonly clock: Clock;
}

/** A run of an earlier window, as it ended, with the rows that were kept of it. */
export class KeptRun extends SpooledRows implements RowsRun {
  readonly #parts: KeptRunParts;
  readonly #changes = new Emitter<void>();
  /** Set when nobody knows what became of it. */
  readonly writeKey: WriteKey | undefined;
  protected readonly queries: SpoolQueries;
  #spool: Spool | undefined;
  #columns: readonly Column[] = [];
  #fault: unknown;
  #opened: Promise<void> | undefined;

  readonly onChange: (listener: () => void) => Disposable = this.#changes.on;

  constructor(parts: KeptRunParts) {
    super();
    this.#parts = parts;
    this.writeKey = parts.facts.writeKey && new WriteKey(parts.clock, parts.facts.writeKey);
    this.queries = new SpoolQueries({
      worker: parts.worker,
      spool: () => this.#spool,
      columns: () => this.columns,
      rowCount: () => this.rowCount,
      isOpen: () => false,
      onChange: () => this.#changes.fire(),
    });
  }

  get phase(): RunPhase {
    if (this.#fault) return 'failed';
    return this.#spool ? this.#parts.facts.phase : 'running';
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

  get changed(): number | undefined {
    return this.#parts.facts.changed;
  }

  get elapsedMs(): number {
    return this.#parts.facts.elapsedMs;
  }

  get firstRowMs(): number | undefined {
    return this.#parts.facts.firstRowMs;
  }

  /** A write that was under way when its window went may have been done. */
  get outcome(): WriteOutcome | undefined {
    if (this.writeKey) return this.writeKey.isRemembered ? 'unknown' : 'expired';
    return this.#parts.facts.outcome === 'unknown' ? 'expired' : this.#parts.facts.outcome;
  }

  get bytes(): number {
    return this.#spool?.size ?? 0;
  }

  /** Opens what was kept. */
  run(): Promise<void> {
    this.#opened ??= this.#open();
    return this.#opened;
  }

  cancel(): void {
    // It has ended long ago.
  }

  async dispose(): Promise<void> {
    await this.#opened;
    this.#changes.dispose();
    this.queries.dispose();
    await this.#spool?.leave();
    this.#parts.disk.giveBack(this.bytes);
  }

  async #open(): Promise<void> {
    const { file, facts, disk } = this.#parts;
    try {
      if (hasNotEnded(facts.phase)) throw misuse(this.writeKey ? 'window_closed' : 'result_gone', 'It had not ended.');
      ({ spool: this.#spool, columns: this.#columns } = await reopenSpool(file));
      disk.take(this.bytes);
    } catch (thrown) {
      // Where there were no rows, what is missing is nothing to speak of.
      this.#fault = facts.rowCount === 0 && facts.error ? facts.error : thrown;
    }
    this.#changes.fire();
  }
}
