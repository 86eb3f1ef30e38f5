import type { Arrangement } from '../../../protocol/rowQueries.ts';
import { filteredColumns, RowFilter } from './filter.ts';
import type { Job } from '../../job.ts';
import { placedRows, SortColumn, Sorter } from './sorter.ts';
import type { RowsFile } from './rowsFile.ts';

/** Rows in the order shown, and for each row of the file its offset in its block. Threads share this memory. */
export interface ArrangedRows {
  readonly order: SharedArrayBuffer;
  readonly starts: SharedArrayBuffer;
}

/** With more rows, only the keys of one column are in memory at a time, and the file is read for each column. */
const maxRowsWithAllKeys = 2_000_000;
/** The share of the work that is done after the first reading, if the rows are sorted. */
const readingShare = 0.6;

export async function arrange(
  job: Job,
  file: RowsFile,
  arrangement: Arrangement,
  rowCount: number,
): Promise<ArrangedRows> {
  const { sort } = arrangement;
  const filtered = filteredColumns(arrangement, file.columns);
  const { walker, slots } = file.createWalker([...filtered, ...sort.map(({ column }) => column)]);
  const filter = new RowFilter(arrangement, slots, file.columns);
  const columnMakers = sort.map(
    ({ descending }, nth) =>
      (places: number) =>
        new SortColumn(slots[filtered.length + nth]!, descending, places),
  );
  const columnsAtOnce = rowCount <= maxRowsWithAllKeys ? columnMakers.length : Math.min(columnMakers.length, 1);
  const firstColumns = columnMakers.slice(0, columnsAtOnce).map(make => make(rowCount));
  const starts = new SharedArrayBuffer(rowCount * 4);
  const startOf = new Uint32Array(starts);
  const passed = new Uint32Array(rowCount);
  let count = 0;
  await file.scan(job, {
    walker,
    endRow: rowCount,
    share: [0, sort.length > 0 ? readingShare : 1],
    onRow: (row, start) => {
      startOf[row] = start;
      if (!filter.passes(walker)) return;
      for (const column of firstColumns) column.add(count, walker);
      passed[count++] = row;
    },
  });
  const order = new SharedArrayBuffer(count * 4);
  const shown = new Uint32Array(order);
  shown.set(passed.subarray(0, count));
  if (sort.length === 0) return { order, starts };
  const readPlaces = placedRows({ job, file, walker, rows: passed.subarray(0, count), share: [readingShare, 1] });
  const sorter = new Sorter(job, count, readPlaces);
  for (const column of firstColumns) await sorter.sortBy(column);
  for (const make of columnMakers.slice(columnsAtOnce)) {
    if (!sorter.hasEqual) break;
    const column = make(count);
    await readPlaces(place => column.add(place, walker));
    await sorter.sortBy(column);
  }
  for (let at = 0; at < count; at++) shown[at] = passed[sorter.order[at]!]!;
  return { order, starts };
}
