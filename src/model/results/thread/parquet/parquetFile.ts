import { distinctNames } from '../../../../base/distinctNames.ts';
import { misuse } from '../../../../base/errors.ts';
import type { CellRange } from '../../../../protocol/rowQueries.ts';
import { keyOf } from '../../../../sql/text/names.ts';
import type { Job } from '../../../job.ts';
import type { TextRequest } from '../../rowQueries.ts';
import { kindOf } from '../cell.ts';
import { joinRanges, RowCells } from '../formats/rowCells.ts';
import { isInteger, sqliteNumberAt } from '../jsonNumbers.ts';
import { type RowsFile, scanInFileOrder, scanShown, type ShownRows } from '../rowsFile.ts';
import { PlainColumn } from './plainColumn.ts';
import type { ParquetColumn } from './rowGroups.ts';

/** A row group ends at this size. Its values are in memory until then. */
const groupBytes = 8 * 1024 * 1024;
/** The share of the work that is done when the types of the columns are known. */
const typingShare = 0.2;

// Kinds of values, as bits.
const integer = 1;
/** An integer that a double does not hold. */
const wideInteger = 2;
const real = 4;
const text = 8;

/**
 * Sends the bytes of a Parquet file. A column has the type of its values. If they have several types, all are texts. Returns the
 * names of such columns.
 */
export async function writeParquet(
  job: Job,
  file: RowsFile,
  shown: ShownRows,
  request: Pick<TextRequest, 'ranges'>,
): Promise<readonly string[]> {
  const ranges = joinRanges(request.ranges, shown.rowCount, file.columns.length);
  const numbers = [...new Set(ranges.flatMap(({ columns }) => columns))];
  if (numbers.length === 0) throw misuse('no_columns', 'No columns were chosen. A Parquet file needs at least one.');
  const { RowGroups } = await import('./rowGroups.ts');
  const kinds = await kindsOfColumns(job, file, shown, ranges);
  const columnNames = numbers.map(column => file.columns[column]!.name);
  const names = distinctNames(columnNames, keyOf);
  const columns = numbers.map((number, nth) => ({
    name: names[nth]!,
    type: typeOf(kinds[number]!, file.columns[number]!.type),
  }));
  const groups = new RowGroups(columns);
  const parts = columns.map(({ type }) => new PlainColumn(type));
  let size = 0;
  let rowCount = 0;
  const sendGroup = async (): Promise<void> => {
    const taken = parts.map(part => part.take());
    const bytes = groups.add(taken, rowCount);
    size = 0;
    rowCount = 0;
    await job.sendPiece(bytes);
  };
  const shareOf = (nth: number): number => typingShare + ((1 - typingShare) * nth) / ranges.length;
  for (const [nth, { firstRow, endRow, columns: written }] of ranges.entries()) {
    const { walker, slots } = file.createWalker(written);
    const named = written.map(column => file.columns[column]!);
    const cells = new RowCells(named, slots, walker, false);
    const places = numbers.map(number => written.indexOf(number));
    await scanShown(job, file, shown, {
      walker,
      firstRow,
      endRow,
      share: [shareOf(nth), shareOf(nth + 1)],
      onRow: (_row, start, past) => {
        for (let at = 0; at < parts.length; at++) parts[at]!.add(cells, places[at]!);
        size += past - start;
        rowCount++;
      },
      afterBlock: () => (size < groupBytes ? undefined : sendGroup()),
    });
  }
  if (rowCount > 0) await sendGroup();
  await job.sendPiece(await groups.end());
  return names.filter((_name, nth) => columns[nth]!.type === 'STRING' && (kinds[numbers[nth]!]! & ~text) > 0);
}

/** The kinds of the values of each column. */
async function kindsOfColumns(
  job: Job,
  file: RowsFile,
  shown: ShownRows,
  ranges: readonly CellRange[],
): Promise<Uint8Array> {
  const kinds = new Uint8Array(file.columns.length);
  for (const [nth, { firstRow, endRow, columns }] of ranges.entries()) {
    const { walker, slots } = file.createWalker(columns);
    await scanInFileOrder(job, file, shown, {
      walker,
      firstRow,
      endRow,
      share: [(typingShare * nth) / ranges.length, (typingShare * (nth + 1)) / ranges.length],
      onRow: () => {
        for (let at = 0; at < columns.length; at++) {
          const slot = slots[at]!;
          kinds[columns[at]!]! |= kindBit(walker.bytes as Buffer, walker.from[slot]!, walker.to[slot]!);
        }
      },
    });
  }
  return kinds;
}

function kindBit(bytes: Buffer, from: number, to: number): number {
  const kind = kindOf(bytes, from);
  if (kind === 'null') return 0;
  // SQLite stores them as 1 and 0.
  if (kind === 'boolean') return integer;
  if (kind !== 'number') return text;
  if (!isInteger(bytes, from, to)) return real;
  // A double holds all integers of 15 digits.
  if (to - from < 16) return integer;
  const number = sqliteNumberAt(bytes, from, to);
  if (typeof number !== 'bigint') return real;
  return Number.isSafeInteger(Number(number)) ? integer : wideInteger;
}

/** A service may write a whole REAL without a point. */
function typeOf(kinds: number, declaredType: string): ParquetColumn['type'] {
  if (kinds === 0 || (kinds & text) > 0) return 'STRING';
  const hasReals = (kinds & real) > 0;
  if ((kinds & wideInteger) > 0) return hasReals ? 'STRING' : 'INT64';
  return hasReals || /real|floa|doub/i.test(declaredType) ? 'DOUBLE' : 'INT64';
}
