import type { CallAnswer, CallParams } from '../../../base/callTable.ts';
import { cellPart } from '../../../protocol/results.ts';
import type { ShownValue } from '../../../protocol/shownValues.ts';
import type { Column } from '../../../wire/values.ts';
import { cellOf, shownCellsOf, type ParsedRow } from '../spool/parsedRow.ts';
import type { Spool } from '../spool.ts';
import type { RowsPlace } from '../thread/cellReader.ts';
import type { RowsThreadCalls, SharedSpool } from '../thread/rowsThreadCalls.ts';
import type { ArrangedView } from './liveArrangement.ts';

/** The window parses at most this many bytes at once. The extension host can do nothing else meanwhile. */
const maxParsedBytes = 128 * 1024;

/** Reads large rows in the rows thread. */
type ReadLarge = <M extends 'rows' | 'cell'>(
  method: M,
  params: CallParams<RowsThreadCalls, M>,
) => Promise<CallAnswer<RowsThreadCalls, M>>;

/**
 * Reads rows of a spool for the grid, in the order shown. The window parses small rows itself, a block at a time: the first
 * rows of a result need not wait for the rows thread. Large rows are left to that thread.
 */
export function rowReader(spool: Spool, shared: SharedSpool, view: ArrangedView | undefined, readLarge: ReadLarge) {
  return {
    /** The cells of the rows from `start` to before `end`. Missing rows are left out. */
    async rows(start: number, end: number, columns: readonly Column[]): Promise<ShownValue[][]> {
      const rows: ShownValue[][] = [];
      for (let row = start; row < end;) {
        const count = countAtOnce(row, end);
        const place = placeOf(row, count);
        const some = isLarge(place)
          ? await readLarge('rows', { spool: shared, place, columns })
          : (await parsedRows(row, count)).map(parsed => shownCellsOf(parsed, columns));
        if (some.length === 0) break;
        rows.push(...some);
        row += some.length;
      }
      return rows;
    },

    /** The first `maxLength` characters of a cell. Undefined if the row is missing. */
    async cell(row: number, column: number, columns: readonly Column[], maxLength: number) {
      const place = placeOf(row, 1);
      if (isLarge(place)) return readLarge('cell', { spool: shared, place, columns, column, maxLength });
      const [parsed] = await parsedRows(row, 1);
      return parsed && cellPart(cellOf(parsed, columns, column), maxLength);
    },
  };

  /** How many rows to read at once: the rest of a block, or arranged rows up to {@link maxParsedBytes}. */
  function countAtOnce(row: number, end: number): number {
    if (!view) {
      const block = spool.blockOf(row);
      return Math.max(1, Math.min(end, block.firstRow + block.rowCount) - row);
    }
    let count = 0;
    for (let bytes = 0; row + count < end; count++) {
      bytes += placeOf(row + count, 1).length;
      if (count > 0 && bytes > maxParsedBytes) break;
    }
    return count;
  }

  function placeOf(row: number, rowCount: number): RowsPlace {
    if (view) return { ...spool.placeOf(view.order[row]!, view.starts), skippedRows: 0, rowCount: 1 };
    const { firstRow, offset, length } = spool.blockOf(row);
    return { offset, length, skippedRows: row - firstRow, rowCount };
  }

  function parsedRows(row: number, count: number): Promise<ParsedRow[]> {
    if (!view) return spool.read(row, count);
    const rows = [...view.order.subarray(row, row + count)];
    return Promise.all(rows.map(fileRow => spool.readRow(fileRow, view.starts)));
  }
}

const isLarge = ({ length }: RowsPlace): boolean => length > maxParsedBytes;
