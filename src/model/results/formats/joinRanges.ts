import type { CellRange } from '../../../protocol/rowQueries.ts';

/**
 * Ranges as they are written: those of the same rows side by side, as spreadsheets do with columns that are selected
 * one by one, and the others one after another. Rows and columns that are not there are left out;
 * a range without rows has columns all the same.
 */
export function joinRanges(ranges: readonly CellRange[], rowCount: number, columnCount: number): CellRange[] {
  const joined = new Map<string, { firstRow: number; endRow: number; columns: number[] }>();
  for (const range of ranges) {
    const { firstRow } = range;
    const endRow = Math.max(firstRow, Math.min(range.endRow, rowCount));
    const columns = range.columns.filter(column => column < columnCount);
    if (columns.length === 0) continue;
    const key = `${firstRow} ${endRow}`;
    const found = joined.get(key);
    // Ranges may overlap. A column that stood there twice would be none that a table or an object can have.
    if (found) found.columns.push(...columns.filter(column => !found.columns.includes(column)));
    else joined.set(key, { firstRow, endRow, columns });
  }
  return [...joined.values()];
}
