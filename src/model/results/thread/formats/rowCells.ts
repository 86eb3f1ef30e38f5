import type { Column } from '../../../../wire/values.ts';
import { blobColumn, brokenRow, type CellKind, kindOf, shownText, differentSpelling, valueAt } from '../cell.ts';
import type { RowWalker } from '../rowWalker.ts';
import { type RowsFile, type Scan, scanShown, type ShownRows } from '../rowsFile.ts';
import { blobBytes } from './literals.ts';
import type { CellRange } from '../../../../protocol/rowQueries.ts';
import type { Job } from '../../../job.ts';

/** The cells of the row that the walker has read last, in the order in which they are written. */
export class RowCells {
  readonly columns: readonly Column[];
  /** Whether these are all columns in the order of the rows, with their names, so that whole rows may be copied. */
  readonly areWholeRows: boolean;
  start = 0;
  past = 0;
  readonly #walker: RowWalker;
  readonly #slots: readonly number[];

  constructor(columns: readonly Column[], slots: readonly number[], walker: RowWalker, areWholeRows: boolean) {
    this.columns = columns;
    this.#slots = slots;
    this.#walker = walker;
    this.areWholeRows = areWholeRows && columns.every(({ key }) => key === undefined);
  }

  get count(): number {
    return this.columns.length;
  }

  get bytes(): Buffer {
    return this.#walker.bytes as Buffer;
  }

  get isBroken(): boolean {
    return this.#slots.some(slot => this.#walker.from[slot] !== -1 && (this.#walker.flags[slot]! & brokenRow) !== 0);
  }

  kind(at: number): CellKind {
    return kindOf(this.bytes, this.from(at));
  }

  /** Where the value's JSON begins, including the quotes of a text. -1 if the row does not have the column. */
  from(at: number): number {
    return this.#walker.from[this.#slots[at]!]!;
  }

  to(at: number): number {
    return this.#walker.to[this.#slots[at]!]!;
  }

  /** Whether the bytes between the quotes are the text itself. */
  isPlain(at: number): boolean {
    return !(this.flags(at) & differentSpelling);
  }

  isBrokenRow(at: number): boolean {
    return (this.flags(at) & brokenRow) !== 0;
  }

  flags(at: number): number {
    return this.#walker.flags[this.#slots[at]!]!;
  }

  /** The text that the cell shows, or '' for NULL. */
  text(at: number): string {
    return shownText(this.bytes, this.from(at), this.to(at), this.flags(at)) ?? '';
  }

  /** The bytes of a BLOB; undefined for other values. */
  blob(at: number): Buffer | undefined {
    const isBlobs = (this.flags(at) & blobColumn) !== 0;
    return isBlobs && this.kind(at) === 'text' ? blobBytes(this.decoded(at)) : undefined;
  }

  decoded(at: number): string {
    const value = valueAt(this.bytes, this.from(at), this.to(at));
    return typeof value === 'string' ? value : this.text(at);
  }
}

/**
 * Ranges in the layout in which they are written. Ranges of the same rows are side by side, as in spreadsheets. Others are
 * below each other. Missing rows and columns are left out. A range without rows keeps its columns.
 */
function joinRanges(ranges: readonly CellRange[], rowCount: number, columnCount: number): CellRange[] {
  const joined = new Map<string, { firstRow: number; endRow: number; columns: number[] }>();
  for (const range of ranges) {
    const { firstRow } = range;
    const endRow = Math.max(firstRow, Math.min(range.endRow, rowCount));
    const columns = range.columns.filter(column => column < columnCount);
    if (columns.length === 0) continue;
    const key = `${firstRow} ${endRow}`;
    const sameRows = joined.get(key);
    // Ranges may overlap. A table or an object cannot have the same column twice.
    if (sameRows) sameRows.columns.push(...columns.filter(column => !sameRows.columns.includes(column)));
    else joined.set(key, { firstRow, endRow, columns });
  }
  return [...joined.values()];
}

interface Pass extends Pick<Scan, 'afterBlock'> {
  /** In the order shown by default. */
  readonly scan?: typeof scanShown;
  /** The progress before and after this pass, from 0 to 1. */
  readonly share?: readonly [from: number, to: number];
  /** Whether the pass needs a column; all of them by default. */
  readonly wants?: (column: number) => boolean;
}

/** The rows that an export writes, range by range. */
export class ExportedRows {
  readonly file: RowsFile;
  readonly ranges: readonly CellRange[];
  readonly rowCount: number;
  readonly #job: Job;
  readonly #shown: ShownRows;

  constructor(job: Job, file: RowsFile, shown: ShownRows, ranges: readonly CellRange[]) {
    this.file = file;
    this.ranges = joinRanges(ranges, shown.rowCount, file.columns.length);
    this.rowCount = this.ranges.reduce((sum, { firstRow, endRow }) => sum + endRow - firstRow, 0);
    this.#job = job;
    this.#shown = shown;
  }

  /** The numbers of the columns that any range has. */
  get columns(): number[] {
    return [...new Set(this.ranges.flatMap(({ columns }) => columns))];
  }

  /** Reads the rows once. `begin` is called before the rows of each range, and returns the function that takes them. */
  async read(
    begin: (cells: RowCells, columns: readonly number[]) => Scan['onRow'],
    { scan = scanShown, share: [from, to] = [0, 1], wants = () => true, afterBlock }: Pass = {},
  ): Promise<void> {
    const { file, rowCount } = this;
    let readRows = 0;
    const shareDone = (): number => from + ((to - from) * readRows) / rowCount;
    for (const { firstRow, endRow, columns: all } of this.ranges) {
      const columns = all.filter(wants);
      const { walker, slots } = file.createWalker(columns);
      const named = columns.map(column => file.columns[column]!);
      const areAll = columns.length === file.columns.length && columns.every((column, nth) => column === nth);
      const onRow = begin(new RowCells(named, slots, walker, areAll), columns);
      const shareBefore = shareDone();
      readRows += endRow - firstRow;
      const share = [shareBefore, shareDone()] as const;
      if (columns.length === 0) continue;
      await scan(this.#job, file, this.#shown, { walker, firstRow, endRow, share, onRow, afterBlock });
    }
  }
}
