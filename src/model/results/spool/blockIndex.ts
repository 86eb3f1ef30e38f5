/** Whole rows that stand next to each other in the file. */
export interface Block {
  readonly firstRow: number;
  readonly rowCount: number;
  readonly offset: number;
  readonly length: number;
}

const bytesOfBlock = 16;
/** Room is only taken as it is filled. What is reserved suffices for a quarter of a terabyte in blocks of 64 KB. */
const mostBytes = 4_194_304 * bytesOfBlock;

/**
 * Where blocks of rows begin, in memory that threads share: whoever reads the file sees it grow. A block ends where the
 * next one begins, so that two numbers are enough for each.
 */
export class BlockIndex {
  readonly memory: SharedArrayBuffer;
  readonly #begins: Float64Array;
  #count = 0;

  /** With the memory of another one it reads what that one writes. */
  constructor(memory = new SharedArrayBuffer(0, { maxByteLength: mostBytes })) {
    this.memory = memory;
    this.#begins = new Float64Array(memory);
  }

  get count(): number {
    return this.#count;
  }

  /** Takes notice of blocks that another thread has added. It says how many, since the last may be half written here. */
  see(count: number): void {
    this.#count = count;
  }

  begin(row: number, offset: number): void {
    const needed = (this.#count + 1) * bytesOfBlock;
    if (needed > this.memory.byteLength) this.memory.grow(needed);
    this.#begins[this.#count * 2] = row;
    this.#begins[this.#count * 2 + 1] = offset;
    this.#count++;
  }

  firstRowOf(block: number): number {
    return this.#begins[block * 2]!;
  }

  offsetOf(block: number): number {
    return this.#begins[block * 2 + 1]!;
  }

  /** The block as it is while there are so many rows and bytes in all. */
  at(block: number, rows: number, bytes: number): Block {
    const [firstRow, offset] = [this.firstRowOf(block), this.offsetOf(block)];
    const last = block + 1 >= this.#count;
    const endRow = last ? rows : Math.min(rows, this.firstRowOf(block + 1));
    return {
      firstRow,
      rowCount: endRow - firstRow,
      offset,
      length: (last ? bytes : this.offsetOf(block + 1)) - offset,
    };
  }

  /** The block that a row stands in; the last one for rows behind the end. */
  find(row: number): number {
    let [low, high] = [0, this.#count];
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.firstRowOf(middle) <= row) low = middle;
      else high = middle;
    }
    return low;
  }

  /** Forgets the blocks that begin at the row or behind it. */
  cutAt(row: number): void {
    while (this.#count > 0 && this.firstRowOf(this.#count - 1) >= row) this.#count--;
  }

  /** Row and offset of each block. */
  numbers(): Float64Array {
    return this.#begins.slice(0, this.#count * 2);
  }
}
