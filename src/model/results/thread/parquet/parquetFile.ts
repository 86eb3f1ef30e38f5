import { distinctNames } from '../../../../base/distinctNames.ts';
import { misuse } from '../../../../base/errors.ts';
import { keyOf } from '../../../../sql/text/names.ts';
import type { Job } from '../../../job.ts';
import { kindOf } from '../cell.ts';
import type { ExportedRows } from '../formats/rowCells.ts';
import { isInteger, sqliteNumberAt } from '../jsonNumbers.ts';
import { scanInFileOrder } from '../rowsFile.ts';
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
export async function writeParquet(job: Job, exported: ExportedRows): Promise<readonly string[]> {
  const { file, columns: numbers } = exported;
  if (numbers.length === 0) throw misuse('no_columns', 'No columns were chosen. A Parquet file needs at least one.');
  const { RowGroups } = await import('./rowGroups.ts');
  const kinds = await kindsOfColumns(exported);
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
  await exported.read(
    (cells, written) => {
      const places = numbers.map(number => written.indexOf(number));
      return (_row, start, past) => {
        for (let at = 0; at < parts.length; at++) parts[at]!.add(cells, places[at]!);
        size += past - start;
        rowCount++;
      };
    },
    { share: [typingShare, 1], afterBlock: () => (size < groupBytes ? undefined : sendGroup()) },
  );
  if (rowCount > 0) await sendGroup();
  await job.sendPiece(await groups.end());
  return names.filter((_name, nth) => columns[nth]!.type === 'STRING' && (kinds[numbers[nth]!]! & ~text) > 0);
}

/** The kinds of the values of each column. */
async function kindsOfColumns(exported: ExportedRows): Promise<Uint8Array> {
  const kinds = new Uint8Array(exported.file.columns.length);
  await exported.read(
    (cells, columns) => () => {
      for (let at = 0; at < columns.length; at++) {
        kinds[columns[at]!]! |= kindBit(cells.bytes, cells.from(at), cells.to(at));
      }
    },
    { scan: scanInFileOrder, share: [0, typingShare] },
  );
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
