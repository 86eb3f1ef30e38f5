const runLength = 24;
/** How many places are merged between two turns of other calls. */
const placesPerTurn = 1 << 18;

/** Sorts rows by their keys. A row and its key have the same place in two arrays. Rows of equal keys keep their order. */
export class PairSort {
  readonly #keys: Float64Array;
  readonly #rows: Uint32Array;
  #otherKeys: Float64Array | undefined;
  #otherRows: Uint32Array | undefined;

  constructor(keys: Float64Array, rows: Uint32Array) {
    this.#keys = keys;
    this.#rows = rows;
  }

  /** Yields at intervals, so that other calls may run. */
  *sort(from: number, to: number): Generator<void> {
    if (this.#isSorted(from, to)) return;
    for (let start = from; start < to; start += runLength) this.#insertionSort(start, Math.min(start + runLength, to));
    if (to - from <= runLength) return;
    this.#otherKeys ??= new Float64Array(this.#keys.length);
    this.#otherRows ??= new Uint32Array(this.#rows.length);
    let keys = this.#keys;
    let rows = this.#rows;
    let mergedKeys = this.#otherKeys;
    let mergedRows = this.#otherRows;
    for (let width = runLength; width < to - from; width *= 2) {
      let sinceYield = 0;
      for (let start = from; start < to; start += 2 * width) {
        const middle = Math.min(start + width, to);
        const end = Math.min(start + 2 * width, to);
        // Rows often come in the order of their keys, except for a few.
        const isInOrder = middle >= end || keys[middle - 1]! <= keys[middle]!;
        let left = start;
        let right = middle;
        if (isInOrder) {
          mergedKeys.set(keys.subarray(start, end), start);
          mergedRows.set(rows.subarray(start, end), start);
        } else {
          for (let at = start; at < end; at++) {
            const takesLeft = right >= end || (left < middle && keys[left]! <= keys[right]!);
            const source = takesLeft ? left++ : right++;
            mergedKeys[at] = keys[source]!;
            mergedRows[at] = rows[source]!;
          }
        }
        sinceYield += end - start;
        if (sinceYield > placesPerTurn) {
          sinceYield = 0;
          yield;
        }
      }
      [keys, mergedKeys] = [mergedKeys, keys];
      [rows, mergedRows] = [mergedRows, rows];
    }
    if (keys === this.#keys) return;
    this.#keys.set(keys.subarray(from, to), from);
    this.#rows.set(rows.subarray(from, to), from);
  }

  #isSorted(from: number, to: number): boolean {
    for (let at = from + 1; at < to; at++) if (this.#keys[at - 1]! > this.#keys[at]!) return false;
    return true;
  }

  #insertionSort(from: number, to: number): void {
    const keys = this.#keys;
    const rows = this.#rows;
    for (let next = from + 1; next < to; next++) {
      const key = keys[next]!;
      const row = rows[next]!;
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

/** How many comparisons are made between two turns of other calls. Each may compare long texts. */
const comparisonsPerTurn = 1 << 10;

/** Sorts rows by comparing them. Equal rows keep their order. Yields at intervals, so that other calls may run. */
export function* comparisonSort(rows: Uint32Array, compare: (one: number, other: number) => number): Generator<void> {
  let source: Uint32Array = rows;
  let merged: Uint32Array = new Uint32Array(rows.length);
  let sinceYield = 0;
  for (let width = 1; width < rows.length; width *= 2) {
    for (let start = 0; start < rows.length; start += 2 * width) {
      const middle = Math.min(start + width, rows.length);
      const end = Math.min(start + 2 * width, rows.length);
      let left = start;
      let right = middle;
      for (let at = start; at < end; at++) {
        const takesLeft = right >= end || (left < middle && compare(source[left]!, source[right]!) <= 0);
        merged[at] = source[takesLeft ? left++ : right++]!;
        if (++sinceYield % comparisonsPerTurn === 0) yield;
      }
    }
    [source, merged] = [merged, source];
  }
  if (source !== rows) rows.set(source);
}
