import type { Column } from '../../../../wire/values.ts';
import type { Block } from '../../spool/blockIndex.ts';
import type { Job } from '../job.ts';
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
  readonly rowCount: number;
  readonly columns: readonly Column[];
  /** In ascending order. */
  hashes: Float64Array = new Float64Array(0);
  /** The row of each hash. A damaged file may lack rows. */
  order: Uint32Array = new Uint32Array(0);
  readonly #source: ComparedSource;
  readonly #usesLetters: boolean;
  /** The offset of each row in its block. */
  readonly #starts: Uint32Array;

  /** `usesLetters` if both sources have the letters of storage classes. */
  constructor(source: ComparedSource, usesLetters: boolean) {
    const { file, rowCount, letterColumn } = source;
    this.#source = source;
    this.#usesLetters = usesLetters;
    this.rowCount = rowCount;
    this.columns = file.columns.slice(0, letterColumn);
    this.#starts = new Uint32Array(rowCount);
  }

  async sort(job: Job, identity: readonly number[], share: readonly [from: number, to: number]): Promise<void> {
    const { file, rowCount } = this.#source;
    const cells = this.createCells(identity);
    const hashes = new Float64Array(rowCount);
    const order = new Uint32Array(rowCount);
    let count = 0;
    await file.scan(job, {
      walker: cells.walker,
      endRow: rowCount,
      share,
      onRow: (row, start) => {
        this.#starts[row] = start;
        hashes[count] = cells.hash(identity);
        order[count++] = row;
      },
    });
    this.hashes = hashes.subarray(0, count);
    this.order = order.subarray(0, count);
    for (const _ of new PairSort(hashes, order).sort(0, count)) if (job.isTurnOver) await job.turn(share[1]);
  }

  /** The index after the last row with the same hash. */
  endOfGroup(first: number): number {
    let end = first + 1;
    while (end < this.hashes.length && this.hashes[end] === this.hashes[first]) end++;
    return end;
  }

  createReader(): ComparedRowReader {
    return new ComparedRowReader(this.#source.file, this.createCells(), this.#starts);
  }

  /** `wanted` are the columns that are used. Fewer of them are read faster. */
  createCells(wanted?: readonly number[]): ComparedCells {
    const { file, letterColumn } = this.#source;
    return new ComparedCells(file.columns, this.#usesLetters ? letterColumn : undefined, wanted);
  }
}

/** Reads single rows. It reads a whole block when rows of it are read one after another. */
export class ComparedRowReader {
  readonly #file: RowsFile;
  readonly #cells: ComparedCells;
  readonly #starts: Uint32Array;
  readonly #buffer;
  #block: Block | undefined;
  #hasWholeBlock = false;
  /** How often bytes were read. */
  reads = 0;
  /** The place of the last row, with the comma after it. */
  from = 0;
  length = 0;

  constructor(file: RowsFile, cells: ComparedCells, starts: Uint32Array) {
    this.#file = file;
    this.#cells = cells;
    this.#starts = starts;
    this.#buffer = file.createBuffer();
  }

  get bytes(): Buffer {
    return this.#buffer.bytes;
  }

  get byteLength(): number {
    return this.#buffer.length;
  }

  /** The cells of the last row. */
  get cells(): ComparedCells {
    this.#cells.walker.read(this.bytes, this.from, this.#buffer.length);
    return this.#cells;
  }

  read(row: number): this {
    const previous = this.#block;
    const isSameBlock = previous !== undefined && row >= previous.firstRow && row < endOf(previous);
    const block = isSameBlock ? previous : this.#file.blockOf(row);
    const start = this.#starts[row]!;
    const next = row + 1 < Math.min(endOf(block), this.#starts.length) ? this.#starts[row + 1]! : block.length;
    // A damaged file may lack the next row. Its start is 0 then.
    this.length = (next > start ? next : block.length) - start;
    if (!isSameBlock || !this.#hasWholeBlock) {
      this.#hasWholeBlock = isSameBlock || block.firstRow === (previous ? endOf(previous) : 0);
      this.#block = block;
      this.reads++;
      if (this.#hasWholeBlock) this.#buffer.read(block.offset, block.length);
      else this.#buffer.read(block.offset + start, this.length);
    }
    this.from = this.#hasWholeBlock ? start : 0;
    return this;
  }
}

const endOf = ({ firstRow, rowCount }: Block): number => firstRow + rowCount;
