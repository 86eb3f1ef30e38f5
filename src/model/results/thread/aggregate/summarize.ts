import type { CellRange, Summary } from '../../../../protocol/rowQueries.ts';
import { shownLength } from '../../../../protocol/shownValues.ts';
import type { Job } from '../../../job.ts';
import { nullClass, numberClass } from '../compare.ts';
import { type RowsFile, scanInFileOrder, type ShownRows } from '../rowsFile.ts';
import { blobClass, CellValue } from './cellValue.ts';
import { extremeOf } from './groupFigure.ts';
import { Distinct } from '../distinct.ts';
import { NumberSum } from './numberSum.ts';

export async function summarize(
  job: Job,
  file: RowsFile,
  shown: ShownRows,
  ranges: readonly CellRange[],
): Promise<Summary> {
  const value = new CellValue();
  const figures = new CellFigures(new Distinct());
  for (const [nth, { firstRow, endRow, columns }] of ranges.entries()) {
    const { walker, slots } = file.createWalker(columns.filter(column => column < file.columns.length));
    await scanInFileOrder(job, file, shown, {
      walker,
      firstRow,
      endRow: Math.min(endRow, shown.rowCount),
      share: [nth / ranges.length, (nth + 1) / ranges.length],
      onRow: () => {
        for (const slot of slots) {
          value.read(walker, slot);
          figures.add(value);
        }
      },
    });
  }
  return figures.summary;
}

/** The figures of some cells. */
export class CellFigures {
  readonly #sum = new NumberSum();
  readonly #distinct: Distinct | undefined;
  #least: CellValue | undefined;
  #greatest: CellValue | undefined;
  #cells = 0;
  #nulls = 0;

  /** Without a set, different values are not counted. */
  constructor(distinct: Distinct | undefined) {
    this.#distinct = distinct;
  }

  add(value: CellValue): void {
    this.#cells++;
    const { storageClass } = value;
    if (storageClass === nullClass) {
      this.#nulls++;
      return;
    }
    this.#distinct?.add(value.hash);
    if (storageClass === numberClass && !value.isWord) this.#sum.add(value);
    // The bytes of a picture say nothing as the greatest value, and they would hide that of the texts.
    if (storageClass === blobClass) return;
    this.#least = extremeOf(-1, this.#least, value);
    this.#greatest = extremeOf(1, this.#greatest, value);
  }

  get summary(): Summary {
    const { sum, average } = this.#sum;
    const min = this.#least?.shown(shownLength);
    const max = this.#greatest?.shown(shownLength);
    return {
      cells: this.#cells,
      nulls: this.#nulls,
      numbers: this.#sum.count,
      distinct: this.#distinct?.count ?? 0,
      ...(this.#distinct?.isFull ? { distinctOrMore: true } : {}),
      ...(sum === undefined || average === undefined ? {} : { sum, average }),
      ...(min === undefined || max === undefined ? {} : { min, max }),
    };
  }
}
