import type { CellRange } from '../../../protocol/rowQueries.ts';
import { kindOf, shownText } from './cell.ts';
import type { Job } from './job.ts';
import { isInteger, numberAt } from './jsonNumbers.ts';
import type { RowsFile } from './rowsFile.ts';
import { scanAnyhow, type ShownRows } from './shownRows.ts';

/** Whether a value stays what it is in a column, told by where it stands. */
type CellTest = (bytes: Buffer, from: number, to: number, flags: number) => boolean;

export interface LookedAt {
  readonly ranges: readonly CellRange[];
  /** Those that have a type. */
  readonly columns: readonly number[];
  /** How much of all the work this is. */
  readonly share: number;
}

/**
 * The columns whose types change none of their values. SQLite makes numbers of texts that look like some, and texts of
 * numbers, as a column's type asks for; a result may have both in a column, whose type is that of its first value.
 */
export async function fittingColumns(
  job: Job,
  file: RowsFile,
  shown: ShownRows,
  { ranges, columns, share }: LookedAt,
): Promise<ReadonlySet<number>> {
  const tests = new Map(columns.map(column => [column, testOf(file.columns[column]!.type)]));
  for (const [nth, { firstRow, endRow, columns: within }] of ranges.entries()) {
    const tested = within.filter(column => tests.get(column));
    if (tested.length === 0) continue;
    const { walker, slots } = file.walk(tested);
    await scanAnyhow(job, file, shown, {
      ...{ walker, firstRow, endRow },
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

/** By the rules that SQLite has for what a type's name says; undefined for a type that takes all values as they are. */
function testOf(type: string): CellTest | undefined {
  if (/int/i.test(type)) return isNoNumberInWords;
  if (/char|clob|text/i.test(type)) return staysInText;
  if (/blob/i.test(type)) return undefined;
  return /real|floa|doub/i.test(type) ? staysInReal : isNoNumberInWords;
}

function staysInText(bytes: Buffer, from: number): boolean {
  const kind = kindOf(bytes, from);
  return kind !== 'number' && kind !== 'boolean';
}

/** A whole REAL may have come without its point, but a double does not hold every integer. */
function staysInReal(bytes: Buffer, from: number, to: number, flags: number): boolean {
  if (kindOf(bytes, from) !== 'number') return isNoNumberInWords(bytes, from, to, flags);
  return !isInteger(bytes, from, to) || Number.isSafeInteger(numberAt(bytes, from, to));
}

function isNoNumberInWords(bytes: Buffer, from: number, to: number, flags: number): boolean {
  if (kindOf(bytes, from) !== 'text') return true;
  return !/^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?\s*(?:\0|$)/i.test(shownText(bytes, from, to, flags) ?? '');
}
