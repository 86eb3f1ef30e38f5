import { Emitter } from '../../base/emitter.ts';
import type { RunState } from '../../protocol/runState.ts';
import type { ShownValue } from '../../protocol/shownValues.ts';
import type { Column } from '../../wire/values.ts';
import type { RowsThread } from './queries/rowsThread.ts';
import { SpoolQueries } from './queries/spoolQueries.ts';
import type { Run, RunControls, RunStorage } from './run.ts';
import { Spool } from './spool.ts';
import { saveSpool } from './spool/savedSpool.ts';

interface ScriptLogParts {
  readonly columns: readonly Column[];
  /** The folder of the spool, which is deleted with the log. */
  readonly folder: string;
  readonly thread: RowsThread;
  /** Cancels the script. */
  readonly cancel: () => void;
}

/** The statements of a script that return no rows, one per row. It is a run, so that it is shown and pinned like any result. */
export class ScriptLog implements Run {
  readonly #parts: ScriptLogParts;
  readonly #changes = new Emitter<void>();
  readonly #ended = Promise.withResolvers<void>();
  readonly #spool: Spool;
  readonly queries: SpoolQueries;
  readonly storage: RunStorage;
  readonly controls: RunControls;
  #state: RunState = 'running';
  #elapsedMs = 0;
  #error: unknown;
  #isDisposed = false;
  #writing: Promise<void> = Promise.resolve();

  readonly onChange = this.#changes.on;

  private constructor(parts: ScriptLogParts, spool: Spool) {
    this.#parts = parts;
    this.#spool = spool;
    this.controls = { cancel: parts.cancel };
    this.queries = new SpoolQueries({
      thread: parts.thread,
      spool: () => this.#spool,
      columns: () => this.columns,
      rowCount: () => this.rowCount,
      isOpen: () => this.#state === 'running',
      onChange: () => this.#changes.fire(),
    });
    this.storage = {
      releaseBudget: () => undefined,
      save: file => saveSpool(this.#spool, file, this.columns),
    };
    this.onChange(() => this.queries.rowsArrived());
  }

  static async create(parts: ScriptLogParts): Promise<ScriptLog> {
    return new ScriptLog(parts, await Spool.create(parts.folder));
  }

  get state(): RunState {
    return this.#state;
  }

  /** Why rows could not be written. */
  get error(): unknown {
    return this.#error;
  }

  get columns(): readonly Column[] {
    return this.#parts.columns;
  }

  get rowCount(): number {
    return this.#spool.rowCount;
  }

  get sizeBytes(): number {
    return this.#spool.size;
  }

  /** The time of the statements, without the waits for the user. */
  get elapsedMs(): number {
    return this.#elapsedMs;
  }

  /** Adds a row with a value for each column. */
  append(values: readonly (number | string | null)[], elapsedMs: number): void {
    if (this.#isDisposed) return;
    this.#elapsedMs += elapsedMs;
    const row = Object.fromEntries(this.columns.map(({ name }, index) => [name, values[index] ?? null]));
    const bytes = Buffer.from(JSON.stringify(row));
    // Rows are appended one after another.
    this.#writing = this.#writing.then(() => this.#write(bytes));
  }

  /** Records that the script has ended. */
  async end(state: 'cancelled' | 'done'): Promise<void> {
    await this.#writing;
    this.#state = this.#error ? 'failed' : state;
    this.#changes.fire();
    this.#ended.resolve();
  }

  async #write(bytes: Uint8Array): Promise<void> {
    if (this.#isDisposed || this.#error) return;
    try {
      await this.#spool.append({ bytes, rowCount: 1 });
      await this.#spool.flush();
    } catch (thrown) {
      this.#error = thrown;
    }
    this.#changes.fire();
  }

  start(): Promise<void> {
    return this.#ended.promise;
  }

  rows(start: number, count: number): Promise<ShownValue[][]> {
    return this.queries.rows(start, count);
  }

  /** The script continues without its log. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    this.#ended.resolve();
    await this.#writing;
    this.#changes.dispose();
    this.queries.dispose();
    await this.#spool.delete();
  }
}
