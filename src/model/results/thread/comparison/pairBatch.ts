import type { ComparedCells } from './comparedCells.ts';
import type { ComparedRowReader, SourceRows } from './sourceRows.ts';

const maxPairs = 1 << 18;
/** A batch is full at this size. There is room for one more row, unless it is a large one. */
const fullBytes = 56 * 1024 * 1024;
const roomBytes = 64 * 1024 * 1024;
/** The walker needs quotes after a row. */
const padding = Buffer.from('""""');

/**
 * Pairs of rows that may be equal. The first rows are copied, so that the second ones are read in the order of their file,
 * however the sources are sorted.
 */
export class PairBatch {
  readonly #before: ComparedRowReader;
  readonly #after: ComparedRowReader;
  readonly #copies: ComparedCells;
  readonly #rows = new Uint32Array(maxPairs);
  readonly #froms = new Uint32Array(maxPairs);
  readonly #lengths = new Uint32Array(maxPairs);
  /** The second row of each pair, with the number of the pair. */
  readonly #afters = new Float64Array(maxPairs);
  #count = 0;
  #size = 0;
  /** Where the bytes that were read last are copied, and the number of reads then. */
  #copied = 0;
  #copiedReads = 0;
  #bytes = Buffer.allocUnsafeSlow(roomBytes);
  // The pair that was read last.
  row = 0;
  after = 0;
  #from = 0;
  #end = 0;

  constructor([before, after]: readonly [before: SourceRows, after: SourceRows]) {
    this.#before = before.createReader();
    this.#after = after.createReader();
    this.#copies = before.createCells();
  }

  get isFull(): boolean {
    return this.#count === maxPairs || this.#size > fullBytes;
  }

  add(row: number, after: number): void {
    const before = this.#before.read(row);
    if (before.reads !== this.#copiedReads) this.#copy(before);
    const nth = this.#count++;
    this.#rows[nth] = row;
    this.#froms[nth] = this.#copied + before.from;
    this.#lengths[nth] = before.length;
    this.#afters[nth] = after * maxPairs + nth;
  }

  #copy({ bytes, byteLength, reads }: ComparedRowReader): void {
    const needed = this.#size + byteLength + padding.length;
    if (needed > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], needed);
    bytes.copy(this.#bytes, this.#size, 0, byteLength);
    this.#copied = this.#size;
    this.#copiedReads = reads;
    this.#size += byteLength;
  }

  /** Reads the pairs one by one, and yields after each. */
  *read(): Generator<void> {
    padding.copy(this.#bytes, this.#size);
    for (const pair of this.#afters.subarray(0, this.#count).toSorted()) {
      const nth = pair % maxPairs;
      this.row = this.#rows[nth]!;
      this.after = Math.floor(pair / maxPairs);
      this.#from = this.#froms[nth]!;
      this.#end = this.#from + this.#lengths[nth]!;
      this.#after.read(this.after);
      yield;
    }
    this.#count = 0;
    this.#size = 0;
    this.#copiedReads = 0;
  }

  get hasSameBytes(): boolean {
    const { bytes, from, length } = this.#after;
    return (
      length === this.#end - this.#from && bytes.compare(this.#bytes, this.#from, this.#end, from, from + length) === 0
    );
  }

  get cells(): readonly [before: ComparedCells, after: ComparedCells] {
    this.#copies.walker.read(this.#bytes, this.#from, this.#end);
    return [this.#copies, this.#after.cells];
  }
}
