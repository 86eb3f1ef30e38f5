import type { Job } from './job.ts';
import type { RowsFile, Scan } from './rowsFile.ts';

/** The rows that are shown, in their order. */
export interface ShownRows {
  readonly rowCount: number;
  /** Changes with each arrangement. */
  readonly orderVersion: number;
  /** Undefined if the rows are unsorted and unfiltered. */
  readonly rows: Uint32Array | undefined;
  readonly starts: Uint32Array | undefined;
}

/** A scan whose rows are counted in the order shown. */
interface ShownScan extends Omit<Scan, 'wants' | 'onBlock'> {
  readonly firstRow: number;
}

/** Reads rows in the order shown. Arranged rows are anywhere in the file, so they are read one by one. */
export async function scanShown(job: Job, file: RowsFile, shown: ShownRows, scan: ShownScan): Promise<void> {
  const { rows, starts } = shown;
  const { walker, firstRow, endRow, onRow, afterBlock, share: [begin, end] = [0, 1] } = scan;
  if (!rows || !starts) return file.scan(job, scan);
  const buffer = file.createBuffer();
  for (let row = firstRow; row < endRow; row++) {
    onRow(row, 0, file.readRow(buffer, walker, rows[row]!, starts));
    const pause = afterBlock?.();
    if (pause) await pause;
    if (job.isTurnOver) await job.turn(begin + ((end - begin) * (row - firstRow)) / (endRow - firstRow));
  }
}

/** Reads the rows of a shown range in the order of the file, which is quicker. */
export async function scanInFileOrder(job: Job, file: RowsFile, shown: ShownRows, scan: ShownScan): Promise<void> {
  if (!shown.rows) return file.scan(job, scan);
  const fileRows = shown.rows.subarray(scan.firstRow, scan.endRow).toSorted();
  if (fileRows.length === 0) return;
  let next = 0;
  await file.scan(job, {
    ...scan,
    firstRow: fileRows[0]!,
    endRow: fileRows.at(-1)! + 1,
    wants: (_first, end) => fileRows[next]! < end,
    onRow: (row, start, past) => {
      if (row !== fileRows[next]) return;
      next++;
      scan.onRow(row, start, past);
    },
  });
}
