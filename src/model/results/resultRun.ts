import { Emitter } from '../../base/emitter.ts';
import type { Client, RowScanner } from '../../client/index.ts';
import type { SqlRequest } from '../../wire/sqlRequest.ts';
import type { Column, ShownValue, TaggedValue } from '../../wire/values.ts';
import type { Arrangement, CellRange, FindStep, Found, Summary } from '../../wire/rowQueries.ts';
import type { RowsWorker } from './queries/rowsWorker.ts';
import { SpoolQueries } from './queries/spoolQueries.ts';
import type { QueriedRows, RowsRun, RunPhase, SqliteFileRequest, TextRequest, WorkOptions } from './rowsRun.ts';
import { Spool } from './spool.ts';

/** How much of a result is kept. A run that gives more is stopped and ends as `limited`. */
export interface RunLimits {
  readonly maxRows: number;
  readonly maxBytes: number;
}

export interface RunRequest {
  readonly client: Client;
  readonly projectId: string;
  readonly request: SqlRequest;
  /** Sent with statements that may write, so that none of them runs twice. */
  readonly idempotencyKey?: string;
  /** Where rows are kept until the run is disposed. */
  readonly folder: string;
  readonly limits: RunLimits;
  /** What rows are sorted, searched and written by. */
  readonly worker: RowsWorker;
  readonly now: () => number;
}

/** One run of one statement, with the rows that it gave so far. */
export class ResultRun implements RowsRun, QueriedRows {
  readonly #request: RunRequest;
  readonly #controller = new AbortController();
  readonly #changes = new Emitter<void>();
  readonly #queries: SpoolQueries;
  readonly #startedAt: number;
  #endedAt: number | undefined;
  #firstRowMs: number | undefined;
  #spool: Spool | undefined;
  #scanner: RowScanner | undefined;
  #phase: RunPhase = 'running';
  #error: unknown;
  #finished: Promise<void> | undefined;

  /** Heard when rows arrived or the phase changed. */
  readonly onChange = this.#changes.on;

  constructor(request: RunRequest) {
    this.#request = request;
    this.#startedAt = request.now();
    this.#queries = new SpoolQueries({
      worker: request.worker,
      spool: () => this.#spool,
      columns: () => this.columns,
      rowCount: () => this.rowCount,
      isOpen: () => this.#endedAt === undefined,
      onChange: () => this.#changes.fire(),
    });
    this.onChange(() => this.#queries.arrived());
  }

  get phase(): RunPhase {
    return this.#phase;
  }

  /** Why it failed; set with the phase `failed`. */
  get error(): unknown {
    return this.#error;
  }

  get columns(): readonly Column[] {
    return this.#scanner?.columns ?? [];
  }

  get rowCount(): number {
    return Math.min(this.#spool?.rowCount ?? 0, this.#request.limits.maxRows);
  }

  /** Rows that a statement without rows changed. */
  get changed(): number | undefined {
    return this.#scanner?.rowCount;
  }

  get bytes(): number {
    return this.#spool?.size ?? 0;
  }

  get firstRowMs(): number | undefined {
    return this.#firstRowMs;
  }

  get elapsedMs(): number {
    return (this.#endedAt ?? this.#request.now()) - this.#startedAt;
  }

  /** Runs to the end. Faults do not reject: they are the run's state. */
  run(): Promise<void> {
    this.#finished ??= this.#run();
    return this.#finished;
  }

  get order(): number {
    return this.#queries.order;
  }

  get arrangement(): Arrangement {
    return this.#queries.arrangement;
  }

  get arranging(): number | undefined {
    return this.#queries.arranging;
  }

  get shownRows(): number {
    return this.#queries.shownRows;
  }

  rows(start: number, count: number): Promise<ShownValue[][]> {
    return this.#queries.rows(start, count);
  }

  cell(row: number, column: number): Promise<TaggedValue> {
    return this.#queries.cell(row, column);
  }

  arrange(arrangement: Arrangement): Promise<void> {
    return this.#queries.arrange(arrangement);
  }

  find(step: FindStep, options: WorkOptions): Promise<Found> {
    return this.#queries.find(step, options);
  }

  summarize(ranges: readonly CellRange[], options: WorkOptions): Promise<Summary> {
    return this.#queries.summarize(ranges, options);
  }

  text(request: TextRequest, options: WorkOptions): AsyncIterable<Uint8Array> {
    return this.#queries.text(request, options);
  }

  writeSqliteFile(request: SqliteFileRequest, options: WorkOptions): Promise<void> {
    return this.#queries.writeSqliteFile(request, options);
  }

  cancel(): void {
    this.#controller.abort();
  }

  async dispose(): Promise<void> {
    this.cancel();
    await this.#finished;
    this.#changes.dispose();
    this.#queries.dispose();
    await this.#spool?.close();
  }

  /** Whole batches of rows arrive, so that it is known only afterwards that there are more than shall be kept. */
  #isFull({ rowCount, size }: Spool): boolean {
    const { maxRows, maxBytes } = this.#request.limits;
    return rowCount > maxRows || size > maxBytes;
  }

  async #run(): Promise<void> {
    const { client, projectId, request, idempotencyKey, folder } = this.#request;
    const { signal } = this.#controller;
    try {
      this.#spool = await Spool.create(folder);
      const scanner = await client.execSqlStream(projectId, request, {
        signal,
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      });
      this.#scanner = scanner;
      try {
        for await (const frame of scanner.frames()) {
          await this.#spool.append(frame);
          if (this.#spool.rowCount > 0) this.#firstRowMs ??= this.elapsedMs;
          this.#changes.fire();
          if (this.#isFull(this.#spool)) return this.#end('limited');
        }
        await this.#spool.flush();
      } finally {
        await scanner.close();
      }
      const fault = scanner.err();
      if (fault) throw fault;
      this.#end('done');
    } catch (thrown) {
      this.#error = thrown;
      this.#end(signal.aborted ? 'cancelled' : 'failed');
    }
  }

  #end(phase: RunPhase): void {
    this.#phase = phase;
    this.#endedAt = this.#request.now();
    this.#changes.fire();
  }
}
