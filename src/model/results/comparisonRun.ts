import type { Clock } from '../../base/clock.ts';
import { ProjectError } from '../../base/errors.ts';
import type { Comparison } from '../../protocol/comparison.ts';
import type { Column } from '../../wire/values.ts';
import type { ComparisonSummary } from './comparison.ts';
import type { DiskBudget } from './diskBudget.ts';
import type { RowsThread } from './queries/rowsThread.ts';
import type { SpoolQueries } from './queries/spoolQueries.ts';
import type { Run, RunControls } from './run.ts';
import { Spool } from './spool.ts';
import { SpooledRun } from './spooledRun.ts';

/** Rows that are compared. */
export interface ComparedRun {
  readonly queries: SpoolQueries;
  /** The run that reads the rows of a table. The comparison starts it, and disposes it at its end. */
  readonly reading: Run | undefined;
  /** The columns from this one on have the letters of storage classes. */
  readonly letterColumn: number | undefined;
}

interface ComparisonRunParts {
  readonly sources: readonly [before: ComparedRun, after: ComparedRun];
  /** The names of the columns that identify a row. Empty to compare whole rows. */
  readonly key: readonly string[];
  readonly folder: string;
  readonly thread: RowsThread;
  readonly disk: DiskBudget;
  readonly clock: Clock;
}

/** Compares the rows of two runs. Its own rows are those that differ. They are shown when all have been found. */
export class ComparisonRun extends SpooledRun {
  readonly #parts: ComparisonRunParts;
  readonly #controller = new AbortController();
  readonly #startedAt: number;
  protected spool: Spool | undefined;
  readonly controls: RunControls = { cancel: () => this.#cancel() };
  #isCancelled = false;
  #share: number | undefined;
  #summary: ComparisonSummary | undefined;
  #elapsedMs: number | undefined;
  #ended: Promise<void> | undefined;

  constructor(parts: ComparisonRunParts) {
    super(parts.thread, parts.disk);
    this.#parts = parts;
    this.#startedAt = parts.clock.now();
  }

  get columns(): readonly Column[] {
    return this.#summary?.columns ?? [];
  }

  get rowCount(): number {
    return this.#summary ? (this.spool?.rowCount ?? 0) : 0;
  }

  get elapsedMs(): number {
    return this.#elapsedMs ?? this.#parts.clock.now() - this.#startedAt;
  }

  /** How far the comparison is, and its summary when it has ended. */
  get outcome(): Pick<Comparison, 'readRows' | 'share' | 'summary'> {
    if (this.#summary) return { summary: this.#summary };
    if (this.#share !== undefined) return { share: this.#share };
    return { readRows: this.#parts.sources.reduce((sum, { reading }) => sum + (reading?.rowCount ?? 0), 0) };
  }

  start(): Promise<void> {
    this.#ended ??= this.#run();
    return this.#ended;
  }

  async dispose(): Promise<void> {
    this.#cancel();
    await this.#ended;
    await this.disposeRows();
  }

  #cancel(): void {
    this.#isCancelled = true;
    this.#controller.abort();
  }

  async #run(): Promise<void> {
    const { sources, folder, clock } = this.#parts;
    try {
      for (const { reading } of sources) if (reading) await this.#read(reading);
      this.spool = await Spool.create(folder);
      this.#share = 0;
      this.#summary = await this.#compare(this.spool);
      this.currentState = 'done';
    } catch (thrown) {
      this.fault = thrown;
      this.currentState = this.#isCancelled ? 'cancelled' : 'failed';
    }
    this.#elapsedMs = clock.now() - this.#startedAt;
    this.changes.fire();
    for (const { reading } of sources) await reading?.dispose();
  }

  /** Reads all rows of a table. A budget that is used up ends the comparison: a part of a table compares with nothing. */
  async #read(run: Run): Promise<void> {
    const { signal } = this.#controller;
    const listener = run.onChange(() => {
      if (signal.aborted || run.controls?.pause) run.controls?.cancel();
      this.changes.fire();
    });
    const cancel = (): void => run.controls?.cancel();
    signal.addEventListener('abort', cancel);
    try {
      await run.start();
    } finally {
      listener.dispose();
      signal.removeEventListener('abort', cancel);
    }
    signal.throwIfAborted();
    if (run.state === 'limited') throw diskFull();
    if (run.state !== 'done') throw run.error;
  }

  async #compare(spool: Spool): Promise<ComparisonSummary> {
    const { sources, key, disk } = this.#parts;
    const [before, after] = sources;
    const onProgress = (share: number): void => {
      this.#share = share;
      this.changes.fire();
    };
    const batches = before.queries.compare(
      after.queries,
      { key, letterColumns: [before.letterColumn, after.letterColumn] },
      { signal: this.#controller.signal, onProgress },
    );
    try {
      let next = await batches.next();
      for (; next.done !== true; next = await batches.next()) {
        await spool.append(next.value);
        this.charge();
        if (disk.isFull) throw diskFull();
      }
      await spool.flush();
      return next.value;
    } finally {
      // Ends the work of the thread if the rows cannot be stored.
      this.#controller.abort();
    }
  }
}

const diskFull = (): ProjectError =>
  new ProjectError('closed', 'results_disk_full', 'The disk space for the rows of results is used up.');
