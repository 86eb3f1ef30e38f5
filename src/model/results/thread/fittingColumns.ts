import type { CellRange } from '../../../protocol/rowQueries.ts';
import { type CellTest, kindOf, shownText } from './cell.ts';
import type { Job } from './job.ts';
import { isInteger, numberAt } from './jsonNumbers.ts';
import type { RowsFile } from './rowsFile.ts';
import { scanInFileOrder, type ShownRows } from './shownRows.ts';

interface TypedRanges {
  readonly ranges: readonly CellRange[];
  /** Columns that have a type. */
  readonly columns: readonly number[];
  /** The progress when this work is done. */
  readonly share: number;
}

/**
 * The columns whose types change none of their values. By the type of a column, SQLite turns texts into numbers or numbers
 * into texts. A column of a result may hold both: its type may be that of its first value.
 */
export async function fittingColumns(
  job: Job,
  file: RowsFile,
  shown: ShownRows,
  { ranges, columns, share }: TypedRanges,
): Promise<ReadonlySet<number>> {
  const tests = new Map(columns.map(column => [column, testOf(file.columns[column]!.type)]));
  for (const [nth, { firstRow, endRow, columns: within }] of ranges.entries()) {
    const tested = within.filter(column => tests.get(column));
    if (tested.length === 0) continue;
    const { walker, slots } = file.createWalker(tested);
    await scanInFileOrder(job, file, shown, {
      walker,
      firstRow,
      endRow,
      share: [(share * nth) / ranges.length, (share * (nth + 1)) / ranges.length],
      onRow: () => {
        for (const [at, slot] of slots.entries()) {
          const test = tests.get(tested[at]!);
          const from = walker.from[slot]!;
          if (!test || from === -1) continue;
          if (!test(walker.bytes as Buffer, from, walker.to[slot]!, walker.flags[slot]!)) tests.delete(tested[at]!);
        }
      },
    });
  }
  return new Set(tests.keys());
}

/** By SQLite's rules of type affinity. Undefined for a type that changes no value. */
function testOf(type: string): CellTest | undefined {
  if (/int/i.test(type)) return isNotNumericText;
  if (/char|clob|text/i.test(type)) return staysInText;
  if (/blob/i.test(type)) return undefined;
  return /real|floa|doub/i.test(type) ? staysInReal : isNotNumericText;
}

function staysInText(bytes: Buffer, from: number): boolean {
  const kind = kindOf(bytes, from);
  return kind !== 'number' && kind !== 'boolean';
}

/** A whole REAL may be written without a point, but a double does not hold every integer. */
function staysInReal(bytes: Buffer, from: number, to: number, flags: number): boolean {
  if (kindOf(bytes, from) !== 'number') return isNotNumericText(bytes, from, to, flags);
  return !isInteger(bytes, from, to) || Number.isSafeInteger(numberAt(bytes, from, to));
}

function isNotNumericText(bytes: Buffer, from: number, to: number, flags: number): boolean {
  if (kindOf(bytes, from) !== 'text') return true;
  return !numericText.test(shownText(bytes, from, to, flags) ?? '');
}

/** Each digit can match in one way only, so that a long text is tested in one pass. */
const numericText = /^\s*[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?\s*(?:\0|$)/i;
