import { misuse } from '../../base/errors.ts';
import type { RunState, WriteOutcome } from '../../protocol/runState.ts';
import type { Column } from '../../wire/values.ts';
import { type ColumnKey, hasEnded } from './run.ts';
import type { RunRecord } from './runRecord.ts';
import type { Spool } from './spool.ts';
import { SpooledRun } from './spooledRun.ts';
import type { SpooledRunParts } from './statementRun.ts';
import { openSavedSpool } from './spool/savedSpool.ts';
import { WriteKey } from './writeKey.ts';

interface RestoredRunParts extends Omit<SpooledRunParts, 'folder'> {
  /** The file with the saved rows. It belongs to the caller. */
  readonly file: string;
  readonly record: RunRecord;
}

export class RestoredRun extends SpooledRun {
  readonly #parts: RestoredRunParts;
  /** Set while the outcome of a write is unknown. */
  readonly writeKey: WriteKey | undefined;
  protected spool: Spool | undefined;
  readonly changedRows: number | undefined;
  readonly elapsedMs: number;
  readonly firstRowMs: number | undefined;
  columns: readonly Column[] = [];
  #openError: unknown;
  #opened: Promise<void> | undefined;

  constructor(parts: RestoredRunParts) {
    super(parts.thread, parts.disk);
    const { record, clock } = parts;
    this.#parts = parts;
    this.changedRows = record.changedRows;
    this.elapsedMs = record.elapsedMs;
    this.firstRowMs = record.firstRowMs;
    this.writeKey = record.writeKey && new WriteKey(clock, record.writeKey);
  }

  override get state(): RunState {
    if (this.#openError) return 'failed';
    return this.spool ? this.#parts.record.state : 'running';
  }

  override get error(): unknown {
    return this.#openError ?? this.#parts.record.error;
  }

  get rowCount(): number {
    return Math.min(this.spool?.rowCount ?? 0, this.#parts.record.rowCount);
  }

  /** The outcome of a write that was under way when its window closed is unknown. */
  get writeOutcome(): WriteOutcome | undefined {
    if (this.writeKey) return this.writeKey.isRemembered ? 'unknown' : 'expired';
    const { writeOutcome } = this.#parts.record;
    return writeOutcome === 'unknown' ? 'expired' : writeOutcome;
  }

  keyOf(column: number): ColumnKey | undefined {
    return this.#parts.record.keys?.find(known => known.column === column)?.key;
  }

  start(): Promise<void> {
    this.#opened ??= this.#open();
    return this.#opened;
  }

  async dispose(): Promise<void> {
    await this.#opened;
    this.changes.dispose();
    this.queries.dispose();
    await this.spool?.close();
    this.charge(0);
  }

  async #open(): Promise<void> {
    const { file, record } = this.#parts;
    try {
      // Do not report `result_gone` for a write: the user should not repeat it to see its rows.
      const code = this.writeOutcome === undefined ? 'result_gone' : 'window_closed';
      if (!hasEnded(record)) throw misuse(code, 'The run had not ended.');
      ({ spool: this.spool, columns: this.columns } = await openSavedSpool(file));
      this.charge();
      // A failure leaves the rows as they came.
      if (record.arrangement) this.queries.arrange(record.arrangement).catch(() => undefined);
    } catch (thrown) {
      // A failed run without rows has no file to open. The run's own error is the better one.
      this.#openError = record.rowCount === 0 && record.error ? record.error : thrown;
    }
    this.changes.fire();
  }
}
