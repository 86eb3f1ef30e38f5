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
  readonly #ends = new Uint32Array(maxPairs + 1);
  /** The second row of each pair, with the number of the pair. */
  readonly #afters = new Float64Array(maxPairs);
  #count = 0;
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
    return this.#count === maxPairs || this.#ends[this.#count]! > fullBytes;
  }

  add(row: number, after: number): void {
    const { bytes, from, length } = this.#before.read(row);
    const begin = this.#ends[this.#count]!;
    const end = begin + length;
    if (end + padding.length > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], end + padding.length);
    this.#bytes.set(bytes.subarray(from, from + length), begin);
    this.#afters[this.#count] = after * maxPairs + this.#count;
    this.#rows[this.#count++] = row;
    this.#ends[this.#count] = end;
  }

  /** Reads the pairs one by one, and yields after each. */
  *read(): Generator<void> {
    padding.copy(this.#bytes, this.#ends[this.#count]);
    for (const pair of this.#afters.subarray(0, this.#count).toSorted()) {
      const nth = pair % maxPairs;
      this.row = this.#rows[nth]!;
      this.after = Math.floor(pair / maxPairs);
      this.#from = this.#ends[nth]!;
      this.#end = this.#ends[nth + 1]!;
      this.#after.read(this.after);
      yield;
    }
    this.#count = 0;
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
