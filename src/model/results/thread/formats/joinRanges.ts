import type { CellRange } from '../../../../protocol/rowQueries.ts';

/**
 * Ranges in the layout in which they are written. Ranges of the same rows are side by side, as in spreadsheets. Others are
 * below each other. Missing rows and columns are left out. A range without rows keeps its columns.
 */
export function joinRanges(ranges: readonly CellRange[], rowCount: number, columnCount: number): CellRange[] {
  const joined = new Map<string, { firstRow: number; endRow: number; columns: number[] }>();
  for (const range of ranges) {
    const { firstRow } = range;
    const endRow = Math.max(firstRow, Math.min(range.endRow, rowCount));
    const columns = range.columns.filter(column => column < columnCount);
    if (columns.length === 0) continue;
    const key = `${firstRow} ${endRow}`;
    const sameRows = joined.get(key);
    // Ranges may overlap. A table or an object cannot have the same column twice.
    if (sameRows) sameRows.columns.push(...columns.filter(column => !sameRows.columns.includes(column)));
    else joined.set(key, { firstRow, endRow, columns });
  }
  return [...joined.values()];
}
