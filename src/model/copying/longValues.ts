import { asString } from '../../base/decode.ts';
import { misuse } from '../../base/errors.ts';
import type { Project } from '../../client/index.ts';
import { quoteIdentifier } from '../../sql/text/quoting.ts';
import { type SourceValue, textOf } from '../importing/sourceRow.ts';
import { LongValue, type PageRow, type ReadTable, storedValue } from './pageStatement.ts';
import { type BoundValue, rowsAfter, rowWith } from './rowsAfter.ts';

interface LongValueParts {
  /** Returns the project with its present key. */
  readonly project: () => Promise<Project>;
  readonly source: ReadTable;
  readonly row: PageRow;
  /** The rows before it, to find a row without a key. */
  readonly rowNumber: number;
  readonly signal: AbortSignal;
}

/** The values of a row, with the long ones, which are fetched on their own. */
export async function readLongValues(parts: LongValueParts): Promise<readonly SourceValue[]> {
  const { source, row } = parts;
  if (!row.cells.some(cell => cell instanceof LongValue)) return row.cells as readonly SourceValue[];
  const cells: SourceValue[] = [];
  for (const [place, cell] of row.cells.entries()) {
    if (!(cell instanceof LongValue)) {
      cells.push(cell);
      continue;
    }
    const bytes = await readBytes(parts, source.columns[place]!, cell.sizeBytes);
    cells.push(cell.kind === 'blob' ? bytes : textOf(bytes));
  }
  return cells;
}

/** The bytes of one value, slice by slice, so that no answer is too long. */
async function readBytes(parts: LongValueParts, column: string, sizeBytes: number): Promise<Uint8Array> {
  const { source, row, rowNumber } = parts;
  const sliceBytes = source.sliceBytes!;
  const bytes = `CAST(${quoteIdentifier(column)} AS BLOB)`;
  const { sql: from, params } = rowSql(source, row, rowNumber);
  const slices: Buffer[] = [];
  let length = 0;
  for (;;) {
    const project = await parts.project();
    const [slice] = await project.query(
      `SELECT hex(substr(${bytes}, ?, ?)) AS slice FROM ${quoteIdentifier(source.table)}${from}`,
      [length + 1, sliceBytes, ...params],
      { decode: found => asString(found['slice']), reads: true, signal: parts.signal },
    );
    if (slice === undefined) throw rowChanged(source.table);
    const read = Buffer.from(slice, 'hex');
    slices.push(read);
    length += read.length;
    if (read.length < sliceBytes) break;
  }
  if (length !== sizeBytes) throw rowChanged(source.table);
  return Buffer.concat(slices);
}

/** The end of a statement that finds the row. */
function rowSql(source: ReadTable, row: PageRow, rowNumber: number): BoundValue {
  if (source.key.length > 0) {
    const { sql, params } = rowWith(source.key, row.key.map(storedValue));
    return { sql: ` WHERE ${sql}`, params };
  }
  const { order } = rowsAfter({ key: [], readColumns: source.columns }, { rows: rowNumber, line: 1, bytes: 0 });
  return { sql: `${order} LIMIT 1 OFFSET ${rowNumber}`, params: [] };
}

const rowChanged = (table: string) =>
  misuse('source_changed', `A row of the table '${table}' was changed while its long values were read.`);
