import { Emitter } from '../../base/emitter.ts';
import type { Client, RowScanner } from '../../client/index.ts';
import type { SqlRequest } from '../../wire/sqlRequest.ts';
import { type Column, shownValue, type ShownValue } from '../../wire/values.ts';
import type { RowsRun, RunPhase } from './rowsRun.ts';
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
  /** Whether the statement surely reads, so that it may be sent again without a key. */
  readonly reads?: boolean;
  /** Where rows are kept until the run is disposed. */
  readonly folder: string;
  readonly limits: RunLimits;
  readonly now: () => number;
}

/** One run of one statement, with the rows that it gave so far. */
export class ResultRun implements RowsRun {
  readonly #request: RunRequest;
  readonly #controller = new AbortController();
  readonly #changes = new Emitter<void>();
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
  }

  get phase(): RunPhase {
    return this.#phase;
  }

  /** Why it failed; set with the phase `failed`. */
  get error(): unknown {
    return this.#error;
  }

  /** What a write is known by, so that it can be asked after when nobody knows what became of it. */
  get idempotencyKey(): string | undefined {
    return this.#request.idempotencyKey;
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

  async rows(start: number, count: number): Promise<ShownValue[][]> {
    const rows = (await this.#spool?.read(start, Math.min(count, this.rowCount - start))) ?? [];
    const names = this.columns.map(({ name }) => name);
    return rows.map(row => names.map(name => shownValue(Object.hasOwn(row, name) ? row[name] : undefined)));
  }

  cancel(): void {
    this.#controller.abort();
  }

  async dispose(): Promise<void> {
    this.cancel();
    await this.#finished;
    this.#changes.dispose();
    await this.#spool?.close();
  }

  /** Whole batches of rows arrive, so that it is known only afterwards that there are more than shall be kept. */
  #isFull({ rowCount, size }: Spool): boolean {
    const { maxRows, maxBytes } = this.#request.limits;
    return rowCount > maxRows || size > maxBytes;
  }

  async #run(): Promise<void> {
    const { client, projectId, request, idempotencyKey, reads, folder } = this.#request;
    const { signal } = this.#controller;
    try {
      this.#spool = await Spool.create(folder);
      const scanner = await client.execSqlStream(projectId, request, {
        ...{ signal, reads },
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
