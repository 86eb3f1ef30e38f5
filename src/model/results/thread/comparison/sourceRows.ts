import type { Column } from '../../../../wire/values.ts';
import { type Block, rowPlace } from '../../spool/blockIndex.ts';
import type { Job } from '../../../job.ts';
import { PairSort } from '../pairSort.ts';
import type { RowsFile } from '../rowsFile.ts';
import { ComparedCells } from './comparedCells.ts';

export interface ComparedSource {
  readonly file: RowsFile;
  readonly rowCount: number;
  /** The columns from this one on have the letters of storage classes. */
  readonly letterColumn: number | undefined;
}

/** The rows of one source of a comparison, sorted by a hash of what identifies them. Rows of equal hashes keep their order. */
export class SourceRows {
  readonly file: RowsFile;
  readonly rowCount: number;
  readonly columns: readonly Column[];
  /** The offset of each row in its block. */
  readonly starts: Uint32Array;
  /** In ascending order. */
  hashes: Float64Array = new Float64Array(0);
  /** The row of each hash. A damaged file may lack rows. */
  order: Uint32Array = new Uint32Array(0);
  readonly #letterColumn: number | undefined;

  /** `usesLetters` if both sources have the letters of storage classes. */
  constructor({ file, rowCount, letterColumn }: ComparedSource, usesLetters: boolean) {
    this.file = file;
    this.rowCount = rowCount;
    this.columns = file.columns.slice(0, letterColumn);
    this.starts = new Uint32Array(rowCount);
    this.#letterColumn = usesLetters ? letterColumn : undefined;
  }

  async sort(job: Job, identity: readonly number[], share: readonly [from: number, to: number]): Promise<void> {
    const { file, rowCount, starts } = this;
    const cells = this.createCells(identity);
    const hashes = new Float64Array(rowCount);
    const order = new Uint32Array(rowCount);
    let count = 0;
    await file.scan(job, {
      walker: cells.walker,
      endRow: rowCount,
      share,
      onRow: (row, start) => {
        starts[row] = start;
        hashes[count] = cells.hash(identity);
        order[count++] = row;
      },
    });
    this.hashes = hashes.subarray(0, count);
    this.order = order.subarray(0, count);
    for (const _ of new PairSort(hashes, order).sort(0, count)) if (job.isTurnOver) await job.turn(share[1]);
  }

  /** The index after the last row with this hash, which `first` is the index of if there is one. */
  endOfGroup(first: number, hash: number): number {
    let end = first;
    while (this.hashes[end] === hash) end++;
    return end;
  }

  /** `wanted` are the columns that are used. Fewer of them are read faster. */
  createCells(wanted?: readonly number[]): ComparedCells {
    return new ComparedCells(this.file.columns, this.#letterColumn, wanted);
  }
}

/** This many bytes are read at once when rows follow one another. */
const aheadBytes = 128 * 1024;

/** Reads single rows of a source. */
export class ComparedRowReader {
  readonly #rows: SourceRows;
  readonly #cells: ComparedCells;
  readonly #buffer;
  #block: Block = { firstRow: 0, rowCount: 0, offset: 0, length: 0 };
  /** Where the buffer's bytes are in the file. */
  #offset = 0;
  /** The place of the last row in the buffer, with the comma after it. */
  #from = 0;
  #to = 0;

  constructor(rows: SourceRows) {
    this.#rows = rows;
    this.#cells = rows.createCells();
    this.#buffer = rows.file.createBuffer();
  }

  /** The cells of the last row. */
  get cells(): ComparedCells {
    const { bytes, length } = this.#buffer;
    this.#cells.walker.read(bytes, this.#from, length);
    return this.#cells;
  }

  read(row: number): this {
    const { firstRow, rowCount } = this.#block;
    if (row < firstRow || row >= firstRow + rowCount) this.#block = this.#rows.file.blockOf(row);
    const { offset, length } = rowPlace(this.#block, row, this.#rows.starts);
    const end = this.#offset + this.#buffer.length;
    if (offset < this.#offset || offset + length > end) {
      const follows = offset >= this.#offset && offset <= end + aheadBytes;
      this.#buffer.read(offset, follows ? Math.max(length, aheadBytes) : length);
      this.#offset = offset;
    }
    this.#from = offset - this.#offset;
    this.#to = this.#from + length;
    return this;
  }

  /** Whether the last row has the bytes of another reader's last row. */
  hasBytesOf(other: ComparedRowReader): boolean {
    const { bytes } = other.#buffer;
    return this.#buffer.bytes.compare(bytes, other.#from, other.#to, this.#from, this.#to) === 0;
  }
}
