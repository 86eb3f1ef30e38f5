import type { Arrangement } from '../../../wire/rowQueries.ts';
import { RowFilter } from './filter.ts';
import type { Job } from './job.ts';
import type { RowsFile } from './rowsFile.ts';
import { SortColumn } from './sortColumn.ts';
import { Sorter } from './sorter.ts';

/** In memory that threads share: the rows in the order shown, and where in its block each row of the file begins. */
export interface ArrangedRows {
  readonly order: SharedArrayBuffer;
  readonly starts: SharedArrayBuffer;
}

/** The share of the work that reading is, where there is sorting to do afterwards. */
const readingShare = 0.6;

export async function arrange(
  job: Job,
  file: RowsFile,
  { sort, filters }: Arrangement,
  rowCount: number,
): Promise<ArrangedRows> {
  const { walker, slots } = file.walk([...filters, ...sort].map(({ column }) => column));
  const filter = new RowFilter(filters, slots);
  const columns = sort.map(({ descending }, nth) => new SortColumn(slots[filters.length + nth]!, descending, rowCount));
  const starts = new SharedArrayBuffer(rowCount * 4);
  const startOf = new Uint32Array(starts);
  const passed = new Uint32Array(rowCount);
  let count = 0;
  await file.scan(job, {
    walker,
    endRow: rowCount,
    share: [0, sort.length > 0 ? readingShare : 1],
    onBlock: (bytes, length) => filter.begin(bytes, length),
    onRow: (row, start) => {
      startOf[row] = start;
      if (!filter.passes(walker)) return;
      for (const column of columns) column.add(count, walker);
      passed[count++] = row;
    },
  });
  const order = new SharedArrayBuffer(count * 4);
  const shown = new Uint32Array(order);
  shown.set(passed.subarray(0, count));
  if (columns.length > 0) {
    const sorter = new Sorter(job, count, readWindow);
    await sorter.sortBy(columns);
    for (let at = 0; at < count; at++) shown[at] = passed[sorter.order[at]!]!;
  }
  return { order, starts };

  async function readWindow(column: SortColumn, isWanted: (place: number) => boolean): Promise<void> {
    let place = 0;
    await file.scan(job, {
      walker,
      endRow: rowCount,
      share: [readingShare, 1],
      onRow: row => {
        while (place < count && passed[place]! < row) place++;
        if (passed[place] === row && place < count && isWanted(place)) column.addToWindow(place, walker);
      },
    });
  }
}
