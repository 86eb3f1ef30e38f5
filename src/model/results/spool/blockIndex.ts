/** Adjacent whole rows of the file. */
export interface Block {
  readonly firstRow: number;
  readonly rowCount: number;
  readonly offset: number;
  readonly length: number;
}

const bytesPerBlock = 16;
/** Enough for a quarter of a terabyte in blocks of 64 KB. Memory is only used as it fills up. */
const maxIndexBytes = 4_194_304 * bytesPerBlock;
/** Growing has a fixed cost, so it adds many blocks at a time. */
const growBytes = 64 * 1024;

/**
 * The positions where blocks of rows begin, in memory that the window shares with the rows thread. Each block has two numbers,
 * its first row and its offset. It ends where the next one begins.
 */
export class BlockIndex {
  readonly memory: SharedArrayBuffer;
  readonly #starts: Float64Array;
  #count = 0;

  /** With the memory of another index, this one reads what that one writes. */
  constructor(memory = new SharedArrayBuffer(0, { maxByteLength: maxIndexBytes })) {
    this.memory = memory;
    this.#starts = new Float64Array(memory);
  }

  get count(): number {
    return this.#count;
  }

  /** Shows the blocks that another thread has added. It must pass their number: the last one may be half written. */
  showBlocks(count: number): void {
    this.#count = count;
  }

  beginBlock(firstRow: number, offset: number): void {
    const neededBytes = (this.#count + 1) * bytesPerBlock;
    if (neededBytes > this.memory.byteLength) this.memory.grow(Math.ceil(neededBytes / growBytes) * growBytes);
    this.#starts[this.#count * 2] = firstRow;
    this.#starts[this.#count * 2 + 1] = offset;
    this.#count++;
  }

  firstRowOf(block: number): number {
    return this.#starts[block * 2]!;
  }

  offsetOf(block: number): number {
    return this.#starts[block * 2 + 1]!;
  }

  at(block: number, rowCount: number, size: number): Block {
    const firstRow = this.firstRowOf(block);
    const offset = this.offsetOf(block);
    const isLast = block + 1 >= this.#count;
    const endRow = isLast ? rowCount : Math.min(rowCount, this.firstRowOf(block + 1));
    const endOffset = isLast ? size : this.offsetOf(block + 1);
    return {
      firstRow,
      rowCount: endRow - firstRow,
      offset,
      length: endOffset - offset,
    };
  }

  /** The block of a row. Rows after the end are looked for in the last block. */
  find(row: number): number {
    let low = 0;
    let high = this.#count;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.firstRowOf(middle) <= row) low = middle;
      else high = middle;
    }
    return low;
  }

  cutAt(row: number): void {
    while (this.#count > 0 && this.firstRowOf(this.#count - 1) >= row) this.#count--;
  }

  numbers(): Float64Array {
    return this.#starts.slice(0, this.#count * 2);
  }
}

/** Includes the rows after it if the next start is unknown. `starts` has the offset of each row in its block. */
export function rowPlace(block: Block, row: number, starts: Uint32Array): Pick<Block, 'offset' | 'length'> {
  const start = starts[row]!;
  const hasNext = row + 1 < Math.min(block.firstRow + block.rowCount, starts.length);
  const next = hasNext ? starts[row + 1]! : block.length;
  // A damaged file may lack the next row. Its start is 0 then.
  return { offset: block.offset + start, length: (next > start ? next : block.length) - start };
}
