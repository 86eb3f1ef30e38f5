import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { misuse } from '../../base/errors.ts';
import type { Column } from '../../wire/values.ts';
import type { DiskBudget } from './diskBudget.ts';
import type { RunFacts } from './runFacts.ts';
import type { RowsWorker } from './queries/rowsWorker.ts';
import { SpoolQueries } from './queries/spoolQueries.ts';
import type { RowsRun, RunPhase } from './rowsRun.ts';
import { Spool } from './spool.ts';
import { SpooledRows } from './spooledRows.ts';

export interface KeptRunParts {
  /** Where its rows were kept. Whoever keeps them removes them. */
  readonly file: string;
  readonly facts: RunFacts;
  readonly worker: RowsWorker;
  readonly disk: DiskBudget;
}

/** A run of an earlier window, as it ended, with the rows that were kept of it. */
export class KeptRun extends SpooledRows implements RowsRun {
  readonly #parts: KeptRunParts;
  readonly #changes = new Emitter<void>();
  protected readonly queries: SpoolQueries;
  #spool: Spool | undefined;
  #fault: unknown;
  #opened: Promise<void> | undefined;

  readonly onChange: (listener: () => void) => Disposable = this.#changes.on;

  constructor(parts: KeptRunParts) {
    super();
    this.#parts = parts;
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
    return this.#spool?.columns ?? [];
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
      if (facts.phase === 'running' || facts.phase === 'paused') throw misuse('result_gone', 'It had not ended.');
      this.#spool = await Spool.reopen(file);
      disk.take(this.bytes);
    } catch (thrown) {
      this.#fault = thrown;
    }
    this.#changes.fire();
  }
}
