import type { Job } from '../../../job.ts';
import type { TextRequest } from '../../rowQueries.ts';
import type { RowsFile, ShownRows } from '../rowsFile.ts';
import { ByteWriter } from './byteWriter.ts';
import { formatOf, type LineFormat } from './format.ts';
import { ExportedRows } from './rowCells.ts';

const pieceBytes = 256 * 1024;

type LineRequest = TextRequest & { readonly format: LineFormat };

/** Writes rows as text in the order shown, no faster than the window reads it. */
export async function writeText(job: Job, file: RowsFile, shown: ShownRows, request: LineRequest): Promise<void> {
  const exported = new ExportedRows(job, file, shown, request.ranges);
  const counts = exported.ranges.map(({ columns }) => columns.length);
  const oneCell = exported.rowCount === 1 && counts[0] === 1 && !request.headers;
  const format = formatOf(request.format, {
    ...request,
    oneCell,
    width: counts.length === 0 ? 0 : Math.min(...counts),
  });
  const writer = new ByteWriter();
  format.begin?.(writer);
  let columnsBefore = '';
  await exported.read(
    (cells, columns) => {
      if (columns.join(' ') !== columnsBefore) format.header?.(writer, cells);
      columnsBefore = columns.join(' ');
      return (_row, start, past) => {
        cells.start = start;
        cells.past = past;
        format.row(writer, cells);
      };
    },
    { afterBlock: () => (writer.length < pieceBytes ? undefined : job.sendPiece(writer.take())) },
  );
  format.end?.(writer);
  if (writer.length > 0) await job.sendPiece(writer.take());
}
