import { Readable } from 'node:stream';
import type { CallAnswer, CallParams } from '../../../base/callTable.ts';
import { misuse } from '../../../base/errors.ts';
import type { ChartData, ChartQuery } from '../../../protocol/chart.ts';
import type {
  Arrangement,
  CellRange,
  FindStep,
  FindResult,
  Summary,
  ValueCounts,
  ValuesQuery,
} from '../../../protocol/rowQueries.ts';
import type { ColumnProfile, ProfileQuery } from '../../../protocol/profile.ts';
import { type CellPart, maxShownColumns, type ComparisonSummary } from '../../../protocol/results.ts';
import type { ShownValue } from '../../../protocol/shownValues.ts';
import type { RowBatch } from '../../../client/index.ts';
import type { ComparisonRequest } from '../comparison.ts';
import type { GroupsRequest, RowQueries, SqliteFileRequest, TextRequest, WorkOptions } from '../rowQueries.ts';
import type { Spool } from '../spool.ts';
import { LiveArrangement, type LiveArrangementParts } from './liveArrangement.ts';
import type { ArrangedRows } from '../thread/arrange.ts';
import { rowReader } from './rowReader.ts';
import type { RowsThread } from './rowsThread.ts';
import type { RowsSnapshot, RowsThreadCalls, SharedSpool } from '../thread/rowsThreadCalls.ts';

interface SpoolQueriesParts extends LiveArrangementParts {
  readonly thread: RowsThread;
  /** Undefined before the first row. */
  readonly spool: () => Spool | undefined;
}

/** Row queries on a spool. The rows thread answers them, without a request to the service. */
export class SpoolQueries extends LiveArrangement implements RowQueries {
  readonly #parts: SpoolQueriesParts;
  readonly #disposed = new AbortController();
  readonly #spoolId: number;
  /** The latest search, and the share of the rows that it has searched. */
  #search: { done: number } | undefined;

  constructor(parts: SpoolQueriesParts) {
    super(parts);
    this.#parts = parts;
    this.#spoolId = parts.thread.newSpoolId();
  }

  get findProgress(): number | undefined {
    return this.#search?.done;
  }

  get shownRows(): number {
    return this.view?.order.length ?? this.#parts.rowCount();
  }

  protected async arrangeRows(arrangement: Arrangement, options: WorkOptions): Promise<ArrangedRows> {
    const rows = await this.#snapshot('unsorted');
    return this.#parts.thread.call('arrange', { rows, arrangement }, this.#untilDisposed(options));
  }

  async rows(start: number, count: number): Promise<ShownValue[][]> {
    const columns = this.#parts.columns().slice(0, maxShownColumns);
    return (await this.#reader()?.rows(start, Math.min(start + count, this.shownRows), columns)) ?? [];
  }

  sourceRow(row: number): number {
    return this.view?.order[row] ?? row;
  }

  async cell(row: number, column: number, maxLength: number): Promise<CellPart> {
    // Send the thread no more columns than it needs.
    const columns = this.#parts.columns().slice(0, Math.max(maxShownColumns, column + 1));
    const part = row < this.shownRows ? await this.#reader()?.cell(row, column, columns, maxLength) : undefined;
    if (!part) throw misuse('no_such_row', 'This row no longer exists.');
    return part;
  }

  async find(step: FindStep, options: WorkOptions): Promise<FindResult> {
    const search = { done: 0 };
    this.#search = search;
    const onProgress = (done: number): void => {
      search.done = done;
      this.#parts.onChange();
    };
    try {
      const rows = await this.#snapshot('shown');
      const callOptions = { ...this.#untilDisposed(options), onProgress };
      return await this.#parts.thread.call('find', { rows, step }, callOptions);
    } finally {
      // Otherwise a newer search has replaced this one.
      if (this.#search === search) this.#search = undefined;
    }
  }

  async summarize(ranges: readonly CellRange[], options: WorkOptions): Promise<Summary> {
    const rows = await this.#snapshot('shown');
    return this.#parts.thread.call('summarize', { rows, ranges }, this.#untilDisposed(options));
  }

  async values(query: ValuesQuery, options: WorkOptions): Promise<ValueCounts> {
    const { arrangement } = this;
    const rows = await this.#snapshot('unsorted');
    return this.#parts.thread.call('values', { rows, arrangement, query }, this.#untilDisposed(options));
  }

  async chart(query: ChartQuery, options: WorkOptions): Promise<ChartData> {
    const rows = await this.#snapshot('shown');
    return this.#parts.thread.call('chart', { rows, query }, this.#untilDisposed(options));
  }

  async profile(query: ProfileQuery, options: WorkOptions): Promise<ColumnProfile[]> {
    const { arrangement } = this;
    const rows = await this.#snapshot('unsorted');
    return this.#parts.thread.call('profile', { rows, arrangement, query }, this.#untilDisposed(options));
  }

  /** Gives the groups of the rows shown. */
  async *groups(request: GroupsRequest, options: WorkOptions): AsyncGenerator<RowBatch, void, undefined> {
    const rows = await this.#snapshot('shown');
    yield* this.#pieces('groups', { rows, request }, options);
  }

  async *text(request: TextRequest, options: WorkOptions): AsyncGenerator<Uint8Array, void, undefined> {
    const rows = await this.#snapshot(request.unfiltered ? 'unsorted' : 'shown');
    const pieces = this.#pieces('text', { rows, request }, options, options.onMixedColumns);
    for await (const { bytes } of pieces) yield bytes;
  }

  /** Compares all rows with those of a later source. Gives the rows that differ, and returns their counts. */
  async *compare(
    after: SpoolQueries,
    request: ComparisonRequest,
    { signal, ...others }: WorkOptions,
  ): AsyncGenerator<RowBatch, ComparisonSummary, undefined> {
    const rows = await this.#snapshot('unsorted');
    const params = { rows, after: await after.#snapshot('unsorted'), request };
    return yield* this.#pieces('compare', params, {
      ...others,
      signal: AbortSignal.any([signal, after.#disposed.signal]),
    });
  }

  async *#pieces<M extends 'text' | 'compare' | 'groups'>(
    method: M,
    params: CallParams<RowsThreadCalls, M>,
    options: WorkOptions,
    onAnswer?: (answer: CallAnswer<RowsThreadCalls, M>) => void,
  ): AsyncGenerator<RowBatch, CallAnswer<RowsThreadCalls, M>, undefined> {
    const reader = new AbortController();
    const pieces = new Readable({ objectMode: true, read: () => undefined });
    const { signal, ...others } = this.#untilDisposed(options);
    const answer = this.#parts.thread.call(method, params, {
      ...others,
      signal: AbortSignal.any([signal, reader.signal]),
      onPiece: (piece, onRead) => pieces.push({ piece, onRead }),
    });
    answer.then(
      () => pieces.push(null),
      (thrown: Error) => pieces.destroy(thrown),
    );
    try {
      for await (const { piece, onRead } of pieces as AsyncIterable<{ piece: RowBatch; onRead: () => void }>) {
        onRead();
        yield piece;
      }
      const value = await answer;
      onAnswer?.(value);
      return value;
    } finally {
      reader.abort();
    }
  }

  async writeSqliteFile(request: SqliteFileRequest, options: WorkOptions): Promise<void> {
    const rows = await this.#snapshot(request.unfiltered ? 'unsorted' : 'shown');
    await this.#parts.thread.call('writeSqliteFile', { rows, request }, this.#untilDisposed(options));
  }

  override dispose(): void {
    super.dispose();
    this.#disposed.abort(misuse('result_closed', 'The result was closed.'));
    this.#parts.thread.release(this.#spoolId);
  }

  #reader(): ReturnType<typeof rowReader> | undefined {
    const spool = this.#parts.spool();
    if (!spool) return undefined;
    const { signal } = this.#disposed;
    return rowReader(spool, this.#shared(spool), this.view, async (method, params) => {
      await spool.whenWritten(params.place.offset + params.place.length);
      return this.#parts.thread.call(method, params, { signal });
    });
  }

  async #snapshot(order: 'unsorted' | 'shown'): Promise<RowsSnapshot> {
    const { view, orderVersion } = this;
    const spool = this.#parts.spool();
    if (!spool) throw misuse('no_rows_yet', 'No rows have arrived yet.');
    // Read before the wait: the query refers to these columns by index.
    const columns = this.#parts.columns();
    const extent = await spool.writtenExtent();
    return {
      spool: this.#shared(spool),
      extent,
      columns,
      rowCount: Math.min(this.#parts.rowCount(), extent.rowCount),
      orderVersion,
      arranged: order === 'shown' ? view?.shared : undefined,
    };
  }

  #shared({ file, index }: Spool): SharedSpool {
    return { id: this.#spoolId, file, memory: index.memory };
  }

  #untilDisposed({ signal, ...others }: WorkOptions): WorkOptions {
    return { ...others, signal: AbortSignal.any([signal, this.#disposed.signal]) };
  }
}
