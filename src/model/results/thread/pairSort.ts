/** Sorts rows by keys, both at the same places of two arrays. Rows of the same key keep their order. */
export class PairSort {
  readonly #keys: Float64Array;
  readonly #rows: Uint32Array;
  #otherKeys: Float64Array | undefined;
  #otherRows: Uint32Array | undefined;

  constructor(keys: Float64Array, rows: Uint32Array) {
    this.#keys = keys;
    this.#rows = rows;
  }

  /** Yields now and then while there is much to do, so that others may work. */
  *sort(from: number, to: number): Generator<void> {
    if (this.#isSorted(from, to)) return;
    for (let start = from; start < to; start += runLength) this.#insert(start, Math.min(start + runLength, to));
    if (to - from <= runLength) return;
    this.#otherKeys ??= new Float64Array(this.#keys.length);
    this.#otherRows ??= new Uint32Array(this.#rows.length);
    let [keys, rows, otherKeys, otherRows] = [this.#keys, this.#rows, this.#otherKeys, this.#otherRows];
    for (let width = runLength; width < to - from; width *= 2) {
      let sinceYield = 0;
      for (let start = from; start < to; start += 2 * width) {
        const [middle, end] = [Math.min(start + width, to), Math.min(start + 2 * width, to)];
        let [left, right] = [start, middle];
        for (let at = start; at < end; at++) {
          const takesLeft = right >= end || (left < middle && keys[left]! <= keys[right]!);
          const source = takesLeft ? left++ : right++;
          otherKeys[at] = keys[source]!;
          otherRows[at] = rows[source]!;
        }
        sinceYield += end - start;
        if (sinceYield > yieldEvery) {
          sinceYield = 0;
          yield;
        }
      }
      [keys, rows, otherKeys, otherRows] = [otherKeys, otherRows, keys, rows];
    }
    if (keys === this.#keys) return;
    this.#keys.set(keys.subarray(from, to), from);
    this.#rows.set(rows.subarray(from, to), from);
  }

  #isSorted(from: number, to: number): boolean {
    for (let at = from + 1; at < to; at++) if (this.#keys[at - 1]! > this.#keys[at]!) return false;
    return true;
  }

  #insert(from: number, to: number): void {
    const [keys, rows] = [this.#keys, this.#rows];
    for (let next = from + 1; next < to; next++) {
      const [key, row] = [keys[next]!, rows[next]!];
      let at = next;
      for (; at > from && keys[at - 1]! > key; at--) {
        keys[at] = keys[at - 1]!;
        rows[at] = rows[at - 1]!;
      }
      keys[at] = key;
      rows[at] = row;
    }
  }
}

const runLength = 24;
const yieldEvery = 1 << 18;
