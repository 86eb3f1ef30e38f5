import { type Clock, systemClock } from '../../../base/clock.ts';
import { misuse } from '../../../base/errors.ts';
import type { Arrangement, CellRange, FindStep, Found, Summary } from '../../../protocol/rowQueries.ts';
import { type Column, isBlobType, type ShownValue, type TaggedValue } from '../../../wire/values.ts';
import type { RowQueries, SqliteFileRequest, TextRequest, WorkOptions } from '../rowQueries.ts';
import { cellOf, cellsOf } from '../spool/cellsOf.ts';
import type { KeptRow } from '../spool/parseRows.ts';
import type { Spool } from '../spool.ts';
import { type Arranged, Arranging } from './arranging.ts';
import type { AskedRows } from './messages.ts';
import { piecesOf } from './piecesOf.ts';
import type { KnownSpool, RowsWorker } from './rowsWorker.ts';

export interface SpoolQueriesParts {
  readonly worker: RowsWorker;
  /** Undefined until there is one. */
  readonly spool: () => Spool | undefined;
  readonly columns: () => readonly Column[];
  /** Rows that count of those in the spool. */
  readonly rowCount: () => number;
  /** Whether more rows may come. */
  readonly isOpen: () => boolean;
  /** Heard when anything changed that is shown. */
  readonly onChange: () => void;
  readonly clock?: Clock;
}

/** What can be asked of the rows in a spool. A thread works it out, and the service is not asked again. */
export class SpoolQueries implements RowQueries {
  readonly #parts: SpoolQueriesParts;
  readonly #arranging: Arranging;
  readonly #disposed = new AbortController();
  readonly #id: number;
  /** What is looked for now, and how much was looked through. */
  #finding: { done: number } | undefined;

  constructor(parts: SpoolQueriesParts) {
    const { columns, rowCount, isOpen, onChange, clock = systemClock } = parts;
    this.#parts = parts;
    this.#id = parts.worker.newId();
    this.#arranging = new Arranging({
      ...{ clock, rowCount, isOpen, onChange },
      blobs: () =>
        columns()
          .map(({ type }) => Number(isBlobType(type)))
          .join(''),
      work: async (arrangement, signal, onProgress) => {
        const [spool, rows] = await this.#asTheyCame();
        return parts.worker.ask(spool, 'arrange', { rows, arrangement }, { signal, onProgress });
      },
    });
  }

  get orderVersion(): number {
    return this.#arranging.order;
  }

  get arrangement(): Arrangement {
    return this.#arranging.arrangement;
  }

  get arrangeProgress(): number | undefined {
    return this.#arranging.progress;
  }

  get findProgress(): number | undefined {
    return this.#finding?.done;
  }

  get shownRows(): number {
    return this.#arranging.arranged?.order.length ?? this.#parts.rowCount();
  }

  arrange(arrangement: Arrangement, options?: WorkOptions): Promise<void> {
    return this.#arranging.arrange(arrangement, options);
  }

  /** To be called when rows arrived, and when no more will. */
  arrived(): void {
    this.#arranging.arrived();
  }

  async rows(start: number, count: number): Promise<ShownValue[][]> {
    const rows = await this.#read(start, Math.min(count, this.shownRows - start));
    const columns = this.#parts.columns();
    return rows.map(row => cellsOf(row, columns));
  }

  async cell(row: number, column: number): Promise<TaggedValue> {
    const [kept] = row < this.shownRows ? await this.#read(row, 1) : [];
    if (!kept) throw misuse('no_such_row', 'The row is not there any more.');
    return cellOf(kept, this.#parts.columns(), column);
  }

  async find(step: FindStep, options: WorkOptions): Promise<Found> {
    const finding = { done: 0 };
    this.#finding = finding;
    const onProgress = (done: number): void => {
      finding.done = done;
      this.#parts.onChange();
    };
    try {
      const [spool, rows] = await this.#asShown();
      return await this.#parts.worker.ask(spool, 'find', { rows, step }, { ...this.#until(options), onProgress });
    } finally {
      // A newer question has taken its place otherwise.
      if (this.#finding === finding) this.#finding = undefined;
    }
  }

  async summarize(ranges: readonly CellRange[], options: WorkOptions): Promise<Summary> {
    const [spool, rows] = await this.#asShown();
    return this.#parts.worker.ask(spool, 'summarize', { rows, ranges }, this.#until(options));
  }

  async *text(request: TextRequest, options: WorkOptions): AsyncGenerator<Uint8Array, void, undefined> {
    const { worker } = this.#parts;
    const [spool, rows] = await this.#asShown();
    const { signal, ...rest } = this.#until(options);
    const id = worker.newId();
    yield* piecesOf(
      (until, onPiece) => worker.ask(spool, 'text', { rows, request }, { ...rest, signal: until, onPiece }, id),
      signal,
      () => worker.more(id),
    );
  }

  async writeSqliteFile(request: SqliteFileRequest, options: WorkOptions): Promise<void> {
    const [spool, rows] = await this.#asShown();
    await this.#parts.worker.ask(spool, 'writeSqliteFile', { rows, request }, this.#until(options));
  }

  dispose(): void {
    this.#arranging.dispose();
    this.#disposed.abort(misuse('result_closed', 'The result was closed.'));
    const spool = this.#parts.spool();
    if (spool) this.#parts.worker.release(this.#known(spool));
  }

  async #read(start: number, count: number): Promise<KeptRow[]> {
    const spool = this.#parts.spool();
    const { arranged } = this.#arranging;
    if (!spool) return [];
    if (!arranged) return spool.read(start, count);
    const wanted = [...arranged.order.subarray(start, start + Math.max(count, 0))];
    return Promise.all(wanted.map(row => spool.readRow(row, arranged.starts)));
  }

  #asTheyCame(): Promise<readonly [KnownSpool, AskedRows]> {
    return this.#rows(undefined);
  }

  #asShown(): Promise<readonly [KnownSpool, AskedRows]> {
    return this.#rows(this.#arranging.arranged);
  }

  async #rows(arranged: Arranged | undefined): Promise<readonly [KnownSpool, AskedRows]> {
    const { order } = this.#arranging;
    const spool = this.#parts.spool();
    if (!spool) throw misuse('no_rows_yet', 'There are no rows yet.');
    const extent = await spool.kept();
    const rowCount = Math.min(this.#parts.rowCount(), extent.rowCount);
    const columns = this.#parts.columns();
    return [this.#known(spool), { spool: this.#id, extent, columns, rowCount, order, arranged: arranged?.shared }];
  }

  #known({ file, index }: Spool): KnownSpool {
    return { id: this.#id, file, memory: index.memory };
  }

  #until({ signal, ...rest }: WorkOptions): WorkOptions {
    return { ...rest, signal: AbortSignal.any([signal, this.#disposed.signal]) };
  }
}
