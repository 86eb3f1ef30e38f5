import type { Job } from '../../../job.ts';
import type { TextRequest } from '../../rowQueries.ts';
import { type RowsFile, type ShownRows, scanShown } from '../rowsFile.ts';
import { ByteWriter } from './byteWriter.ts';
import { formatOf, type LineFormat } from './format.ts';
import { joinRanges, RowCells } from './rowCells.ts';

const pieceBytes = 256 * 1024;

type LineRequest = TextRequest & { readonly format: LineFormat };

/** Writes rows as text in the order shown, no faster than the window reads it. */
export async function writeText(job: Job, file: RowsFile, shown: ShownRows, request: LineRequest): Promise<void> {
  const ranges = joinRanges(request.ranges, shown.rowCount, file.columns.length);
  const totalRows = ranges.reduce((sum, { firstRow, endRow }) => sum + endRow - firstRow, 0);
  const oneCell = totalRows === 1 && ranges[0]?.columns.length === 1 && !request.headers;
  const width = ranges.reduce((least, { columns }) => Math.min(least, columns.length), ranges[0]?.columns.length ?? 0);
  const format = formatOf(request.format, { ...request, oneCell, width });
  const writer = new ByteWriter();
  const sendFullPiece = (): Promise<void> | undefined =>
    writer.length < pieceBytes ? undefined : job.sendPiece(writer.take());
  format.begin?.(writer);
  let writtenRows = 0;
  let columnsBefore = '';
  for (const { firstRow, endRow, columns } of ranges) {
    const { walker, slots } = file.createWalker(columns);
    const named = columns.map(column => file.columns[column]!);
    const cells = new RowCells(named, slots, walker, areAll(columns, file.columns.length));
    if (columns.join(' ') !== columnsBefore) format.header?.(writer, cells);
    columnsBefore = columns.join(' ');
    const onRow = (_row: number, start: number, past: number): void => {
      cells.start = start;
      cells.past = past;
      format.row(writer, cells);
    };
    const writtenBefore = writtenRows;
    writtenRows += endRow - firstRow;
    const share = [writtenBefore / totalRows, writtenRows / totalRows] as const;
    await scanShown(job, file, shown, { walker, firstRow, endRow, onRow, afterBlock: sendFullPiece, share });
  }
  format.end?.(writer);
  if (writer.length > 0) await job.sendPiece(writer.take());
}

const areAll = (columns: readonly number[], count: number): boolean =>
  columns.length === count && columns.every((column, nth) => column === nth);
