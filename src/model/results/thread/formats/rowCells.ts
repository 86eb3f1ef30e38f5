import type { Column } from '../../../../wire/values.ts';
import { blobColumn, brokenRow, type CellKind, kindOf, shownText, differentSpelling, valueAt } from '../cell.ts';
import type { RowWalker } from '../rowWalker.ts';
import { blobBytes } from './literals.ts';
import type { CellRange } from '../../../../protocol/rowQueries.ts';

/** The cells of the row that the walker has read last, in the order in which they are written. */
export class RowCells {
  readonly columns: readonly Column[];
  /** Whether these are all columns in the order of the rows, with their names, so that whole rows may be copied. */
  readonly areWholeRows: boolean;
  start = 0;
  past = 0;
  readonly #walker: RowWalker;
  readonly #slots: readonly number[];

  constructor(columns: readonly Column[], slots: readonly number[], walker: RowWalker, areWholeRows: boolean) {
    this.columns = columns;
    this.#slots = slots;
    this.#walker = walker;
    this.areWholeRows = areWholeRows && columns.every(({ key }) => key === undefined);
  }

  get count(): number {
    return this.columns.length;
  }

  get bytes(): Buffer {
    return this.#walker.bytes as Buffer;
  }

  get isBroken(): boolean {
    return this.#slots.some(slot => this.#walker.from[slot] !== -1 && (this.#walker.flags[slot]! & brokenRow) !== 0);
  }

  kind(at: number): CellKind {
    return kindOf(this.bytes, this.from(at));
  }

  /** Where the value's JSON begins, including the quotes of a text. -1 if the row does not have the column. */
  from(at: number): number {
    return this.#walker.from[this.#slots[at]!]!;
  }

  to(at: number): number {
    return this.#walker.to[this.#slots[at]!]!;
  }

  /** Whether the bytes between the quotes are the text itself. */
  isPlain(at: number): boolean {
    return !(this.#walker.flags[this.#slots[at]!]! & differentSpelling);
  }

  isBrokenRow(at: number): boolean {
    return (this.#walker.flags[this.#slots[at]!]! & brokenRow) !== 0;
  }

  /** The text that the cell shows, or '' for NULL. */
  text(at: number): string {
    return shownText(this.bytes, this.from(at), this.to(at), this.#walker.flags[this.#slots[at]!]!) ?? '';
  }

  /** The bytes of a BLOB; undefined for other values. */
  blob(at: number): Buffer | undefined {
    const isBlobs = (this.#walker.flags[this.#slots[at]!]! & blobColumn) !== 0;
    return isBlobs && this.kind(at) === 'text' ? blobBytes(this.decoded(at)) : undefined;
  }

  decoded(at: number): string {
    const value = valueAt(this.bytes, this.from(at), this.to(at));
    return typeof value === 'string' ? value : this.text(at);
  }
}

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
