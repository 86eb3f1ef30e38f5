import type { Column } from '../../wire/values.ts';
import type { RunControls } from './run.ts';
import { Spool } from './spool.ts';
import { SpooledRun } from './spooledRun.ts';
import type { SpooledRunParts } from './statementRun.ts';

interface ScriptLogParts extends Pick<SpooledRunParts, 'folder' | 'thread'> {
  readonly columns: readonly Column[];
  readonly cancel: () => void;
}

/** The statements of a script that return no rows, one per row. It is a run, so that it is shown and pinned like any result. */
export class ScriptLog extends SpooledRun {
  readonly columns: readonly Column[];
  /** The time of the statements, without the waits for the user. */
  elapsedMs = 0;
  readonly #ended = Promise.withResolvers<void>();
  protected readonly spool: Spool;
  readonly controls: RunControls;
  #isDisposed = false;
  #writing: Promise<void> = Promise.resolve();

  private constructor(parts: ScriptLogParts, spool: Spool) {
    super(parts.thread);
    this.columns = parts.columns;
    this.spool = spool;
    this.controls = { cancel: parts.cancel };
  }

  static async create(parts: ScriptLogParts): Promise<ScriptLog> {
    return new ScriptLog(parts, await Spool.create(parts.folder));
  }

  get rowCount(): number {
    return this.spool.rowCount;
  }

  append(values: readonly (number | string | null)[], elapsedMs: number): void {
    if (this.#isDisposed) return;
    this.elapsedMs += elapsedMs;
    const row = Object.fromEntries(this.columns.map(({ name }, index) => [name, values[index] ?? null]));
    const bytes = Buffer.from(JSON.stringify(row));
    this.#writing = this.#writing.then(() => this.#write(bytes));
  }

  async end(state: 'cancelled' | 'done'): Promise<void> {
    await this.#writing;
    this.currentState = this.fault ? 'failed' : state;
    this.changes.fire();
    this.#ended.resolve();
  }

  async #write(bytes: Uint8Array): Promise<void> {
    if (this.#isDisposed || this.fault) return;
    try {
      await this.spool.append({ bytes, rowCount: 1 });
      await this.spool.flush();
    } catch (thrown) {
      this.fault = thrown;
    }
    this.changes.fire();
  }

  start(): Promise<void> {
    return this.#ended.promise;
  }

  /** The script continues without its log. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    this.#ended.resolve();
    await this.#writing;
    await this.disposeRows();
  }
}
