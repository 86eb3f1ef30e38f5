import type { CellRange, Summary } from '../../../protocol/rowQueries.ts';
import { storageClassAt, nullClass, numberClass, orderedNumberAt, roundingErrorAt, textBytesAt } from './compare.ts';
import { Distinct, hashOfBytes, hashOfNumber } from './distinct.ts';
import { Extreme, type Comparable } from './extremes.ts';
import type { Job } from './job.ts';
import { NumberSum } from './numberSum.ts';
import type { RowsFile } from './rowsFile.ts';
import type { RowWalker } from './rowWalker.ts';
import { scanInFileOrder, type ShownRows } from './shownRows.ts';

/** Count, sum, average, least and greatest value of the cells in some ranges. */
export async function summarize(
  job: Job,
  file: RowsFile,
  shown: ShownRows,
  ranges: readonly CellRange[],
): Promise<Summary> {
  const cells = new CellSums();
  for (const [nth, { firstRow, endRow, columns }] of ranges.entries()) {
    const { walker, slots } = file.createWalker(columns.filter(column => column < file.columns.length));
    await scanInFileOrder(job, file, shown, {
      walker,
      firstRow,
      endRow: Math.min(endRow, shown.rowCount),
      share: [nth / ranges.length, (nth + 1) / ranges.length],
      onRow: () => {
        for (const slot of slots) cells.add(walker, slot);
      },
    });
  }
  return cells.summary();
}

const numberSeed = 0x2c1b3c6d;
const textSeed = 0x297a2d39;

class CellSums {
  readonly #sum = new NumberSum();
  readonly #distinct = new Distinct();
  readonly #least = new Extreme(-1);
  readonly #greatest = new Extreme(1);
  #cells = 0;
  #nulls = 0;

  add(walker: RowWalker, slot: number): void {
    this.#cells++;
    const bytes = walker.bytes as Buffer;
    const from = walker.from[slot]!;
    const kind = storageClassAt(bytes, from);
    if (kind === nullClass) {
      this.#nulls++;
      return;
    }
    const to = walker.to[slot]!;
    const flags = walker.flags[slot]!;
    const value = kind === numberClass ? this.#number(bytes, from, to) : this.#text(bytes, from, to, flags);
    this.#least.offer(value, bytes, from, to, flags);
    this.#greatest.offer(value, bytes, from, to, flags);
  }

  summary(): Summary {
    const { sum, average } = this.#sum;
    const min = this.#least.shown;
    const max = this.#greatest.shown;
    return {
      cells: this.#cells,
      nulls: this.#nulls,
      numbers: this.#sum.count,
      distinct: this.#distinct.count,
      ...(this.#distinct.isFull ? { distinctOrMore: true } : {}),
      ...(sum === undefined || average === undefined ? {} : { sum, average }),
      ...(min === undefined || max === undefined ? {} : { min, max }),
    };
  }

  #number(bytes: Buffer, from: number, to: number): Comparable {
    const number = orderedNumberAt(bytes, from, to);
    const roundingError = roundingErrorAt(bytes, from, to, number);
    // true and false are sorted as 1 and 0, but they are not numbers.
    const isWord = bytes[from] === 0x74 || bytes[from] === 0x66;
    if (!isWord) this.#sum.add(bytes, from, to);
    this.#distinct.add(isWord ? hashOfBytes(bytes, from, to, numberSeed) : hashOfNumber(number, roundingError));
    return { kind: numberClass, number, roundingError, text: bytes, from, to };
  }

  #text(bytes: Buffer, from: number, to: number, flags: number): Comparable {
    const [text, first, past] = textBytesAt(bytes, from, to, flags);
    this.#distinct.add(hashOfBytes(text, first, past, textSeed));
    return { kind: numberClass + 1, number: 0, roundingError: 0, text, from: first, to: past };
  }
}
