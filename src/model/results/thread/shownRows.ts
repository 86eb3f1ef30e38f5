import type { Job } from './job.ts';
import type { RowsFile } from './rowsFile.ts';
import type { RowWalker } from './rowWalker.ts';

/** Which rows are shown, and in which order: as they came, or as they were arranged. */
export interface ShownRows {
  readonly rowCount: number;
  /** Another one for each arrangement; 0 for rows as they came. */
  readonly orderVersion: number;
  readonly rows: Uint32Array | undefined;
  readonly starts: Uint32Array | undefined;
}

export interface ShownScan {
  readonly walker: RowWalker;
  readonly firstRow: number;
  readonly endRow: number;
  readonly onRow: (shownRow: number, start: number, past: number) => void;
  readonly rest?: () => Promise<void> | undefined;
  readonly share?: readonly [from: number, to: number];
}

/** Reads rows in the order shown. Rows that were arranged stand anywhere in the file, and are read one by one. */
export async function scanShown(job: Job, file: RowsFile, shown: ShownRows, scan: ShownScan): Promise<void> {
  const { rows, starts } = shown;
  const { walker, firstRow, endRow, onRow, rest, share: [begin, end] = [0, 1] } = scan;
  if (!rows || !starts) return file.scan(job, scan);
  const room = file.room();
  for (let row = firstRow; row < endRow; row++) {
    onRow(row, 0, file.readRow(room, walker, rows[row]!, starts));
    const pause = rest?.();
    if (pause) await pause;
    if (job.isTurnOver) await job.turn(begin + ((end - begin) * (row - firstRow)) / (endRow - firstRow));
  }
}

/** Reads the rows that stand in a range as shown, in whichever order is quickest. */
export async function scanAnyhow(job: Job, file: RowsFile, shown: ShownRows, scan: ShownScan): Promise<void> {
  if (!shown.rows) return file.scan(job, scan);
  const wanted = shown.rows.subarray(scan.firstRow, scan.endRow).toSorted();
  if (wanted.length === 0) return;
  let next = 0;
  await file.scan(job, {
    ...scan,
    firstRow: wanted[0]!,
    endRow: wanted.at(-1)! + 1,
    wants: (_first, end) => wanted[next]! < end,
    onRow: (row, start, past) => {
      if (row !== wanted[next]) return;
      next++;
      scan.onRow(row, start, past);
    },
  });
}
