import type { GroupsRequest } from '../../rowQueries.ts';
import type { Job } from '../../../job.ts';
import { ByteWriter } from '../formats/byteWriter.ts';
import type { RowsFile, ShownRows } from '../rowsFile.ts';
import { groupRows } from './groupRows.ts';

const pieceBytes = 32 * 1024;

/** Sends the groups of the rows shown as rows in JSON. */
export async function writeGroups(
  job: Job,
  file: RowsFile,
  shown: ShownRows,
  { query, names }: GroupsRequest,
): Promise<void> {
  const writer = new ByteWriter();
  const jsonKeys = names.map((name, nth) => `${nth === 0 ? '{' : ','}${JSON.stringify(name)}:`);
  let rowCount = 0;
  for (const { keys, figures } of await groupRows(job, file, shown, query)) {
    if (rowCount++ > 0) writer.text(',');
    for (const [nth, value] of [...keys.map(({ json }) => json), ...figures].entries()) {
      writer.text(jsonKeys[nth]!);
      if (typeof value === 'string') writer.text(value);
      else writer.bytes(value);
    }
    writer.text('}');
    if (writer.length < pieceBytes) continue;
    await job.sendPiece(writer.take(), rowCount);
    rowCount = 0;
  }
  if (rowCount > 0) await job.sendPiece(writer.take(), rowCount);
}
