import type { CellRange } from '../../protocol/rowQueries.ts';

interface RowInterval {
  readonly firstRow: number;
  readonly endRow: number;
  readonly offset: number;
}

/** The rows of all ranges, each once, as ascending intervals. */
export function intervalsOf(ranges: readonly CellRange[]): RowInterval[] {
  const intervals: { firstRow: number; endRow: number; offset: number }[] = [];
  for (const { firstRow, endRow } of ranges.toSorted((one, other) => one.firstRow - other.firstRow)) {
    const last = intervals.at(-1);
    if (last && firstRow <= last.endRow) last.endRow = Math.max(last.endRow, endRow);
    else intervals.push({ firstRow, endRow, offset: last ? last.offset + last.endRow - last.firstRow : 0 });
  }
  return intervals;
}

export function intervalRowCount(intervals: readonly RowInterval[]): number {
  return intervals.reduce((sum, { firstRow, endRow }) => sum + endRow - firstRow, 0);
}

/** The ranges, with their rows counted within the intervals only. */
export function rangesWithin(intervals: readonly RowInterval[], ranges: readonly CellRange[]): CellRange[] {
  return ranges.map(range => {
    const interval = intervals.findLast(({ firstRow }) => firstRow <= range.firstRow);
    const shift = interval ? interval.offset - interval.firstRow : 0;
    return { ...range, firstRow: range.firstRow + shift, endRow: range.endRow + shift };
  });
}
