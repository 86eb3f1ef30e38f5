import type { CellRange } from '../../protocol/rowQueries.ts';
import { type Column, exactText, type Row } from '../../wire/values.ts';
import type { RowsWorker } from '../results/queries/rowsWorker.ts';
import { SpoolQueries } from '../results/queries/spoolQueries.ts';
import { type Frame, Spool } from '../results/spool.ts';

/** Where rows of a table are put together on disk, to be worked through like those of a result. */
export interface Spooling {
  readonly folder: () => Promise<string>;
  readonly worker: () => Promise<RowsWorker>;
}

/** Rows of a table that are copied, exported or summed up: on disk as long as that takes. */
export class GatheredRows implements AsyncDisposable {
  readonly queries: SpoolQueries;
  readonly #spool: Spool;

  private constructor(spool: Spool, worker: RowsWorker, columns: () => readonly Column[]) {
    this.#spool = spool;
    this.queries = new SpoolQueries({
      ...{ worker, columns },
      spool: () => spool,
      rowCount: () => spool.rowCount,
      isOpen: () => false,
      onChange: () => undefined,
    });
  }

  /** `columns` are asked for when the rows are there. */
  static async begin({ folder, worker }: Spooling, columns: () => readonly Column[]): Promise<GatheredRows> {
    return new GatheredRows(await Spool.create(await folder()), await worker(), columns);
  }

  get rowCount(): number {
    return this.#spool.rowCount;
  }

  async add(rows: readonly Row[]): Promise<void> {
    const bytes = Buffer.from(rows.map(row => exactText(row)).join(','));
    await this.addFrame({ bytes, rowCount: rows.length });
  }

  async addFrame(frame: Frame): Promise<void> {
    await this.#spool.append(frame);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.queries.dispose();
    await this.#spool.close();
  }
}

/** Rows of a table, from the first to before the end, and where the first of them stands among those gathered. */
export interface Interval {
  readonly firstRow: number;
  readonly endRow: number;
  readonly at: number;
}

/** All rows of some ranges, each once. */
export function intervalsOf(ranges: readonly CellRange[]): Interval[] {
  const found: { firstRow: number; endRow: number; at: number }[] = [];
  for (const { firstRow, endRow } of ranges.toSorted((one, other) => one.firstRow - other.firstRow)) {
    const last = found.at(-1);
    if (last && firstRow <= last.endRow) last.endRow = Math.max(last.endRow, endRow);
    else found.push({ firstRow, endRow, at: last ? last.at + last.endRow - last.firstRow : 0 });
  }
  return found;
}

/** The same ranges among the rows that were gathered by intervals. */
export function gatheredRanges(ranges: readonly CellRange[], intervals: readonly Interval[]): CellRange[] {
  return ranges.map(range => {
    const { firstRow, at } = intervals.findLast(interval => interval.firstRow <= range.firstRow) ?? {
      firstRow: 0,
      at: 0,
    };
    const moved = at - firstRow;
    return { ...range, firstRow: range.firstRow + moved, endRow: range.endRow + moved };
  });
}
