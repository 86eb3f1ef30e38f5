import { firstPlace, type SourceReader, type SourceRow } from './sourceRow.ts';

export interface Preview {
  readonly columns: readonly string[];
  readonly rows: readonly SourceRow[];
  readonly isComplete: boolean;
  /** An estimate of the number of all rows; exact if the preview is complete. */
  readonly estimatedRows: number;
}

export async function readPreview(reader: SourceReader, sizeBytes: number, maxRows: number): Promise<Preview> {
  const rows: SourceRow[] = [];
  let bytes = 0;
  let seenRows = 0;
  for await (const block of reader.blocks(firstPlace)) {
    rows.push(...block.rows.slice(0, maxRows - rows.length));
    const end = block.placeAfter(block.rows.length - 1);
    bytes = end.bytes;
    seenRows = end.rows;
    if (seenRows > maxRows) break;
  }
  const isComplete = seenRows <= maxRows;
  const estimatedRows = isComplete || bytes === 0 ? seenRows : Math.round((seenRows * sizeBytes) / bytes);
  return { columns: reader.columns, rows, isComplete, estimatedRows };
}
