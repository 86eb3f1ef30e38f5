import type { CellRange } from '../../../src/protocol/rowQueries.ts';

/** A place in the grid, both counted in the order shown. */
export interface Cell {
  readonly row: number;
  readonly position: number;
}

/** Both ends belong to it. `Infinity` is the end of the grid, wherever that is by then: rows may still come. */
export interface Rectangle {
  readonly firstRow: number;
  readonly lastRow: number;
  readonly firstPosition: number;
  readonly lastPosition: number;
}

/** What a range is made of as it grows: cells between two corners, whole rows, whole columns, or all. */
export type SelectionUnit = 'cells' | 'rows' | 'columns' | 'all';

/** No more ranges than can be asked about at once. */
const mostRanges = 50;

/** What is selected: a few rectangles, so that ten million rows take no more than one. One cell of it is active. */
export class Selection {
  #ranges: readonly Rectangle[] = [oneCell({ row: 0, position: 0 })];
  #unit: SelectionUnit = 'cells';
  #anchor: Cell = { row: 0, position: 0 };
  #active: Cell = { row: 0, position: 0 };
  readonly #changed: () => void;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get active(): Cell {
    return this.#active;
  }

  /** What the last range is made of. */
  get unit(): SelectionUnit {
    return this.#unit;
  }

  /** Starts anew at a cell, or beside what is selected already. */
  start(cell: Cell, unit: SelectionUnit = 'cells', add = false): void {
    this.#anchor = cell;
    this.#unit = unit;
    const kept = add ? this.#ranges.slice(0, mostRanges - 1) : [];
    this.#set([...kept, between(cell, cell, unit)], cell);
  }

  /** Has the last range reach from where it was started to a cell. */
  extendTo(cell: Cell): void {
    this.#set([...this.#ranges.slice(0, -1), between(this.#anchor, cell, this.#unit)], cell);
  }

  /** What is selected grows to its whole rows, its whole columns, or everything; the active cell stays. */
  growTo(unit: SelectionUnit): void {
    this.#unit = unit;
    this.#set([between(this.#anchor, this.#active, unit)], this.#active);
  }

  /** Back to the active cell alone. */
  collapse(cell: Cell = this.#active): void {
    this.start(cell);
  }

  /** Rows and columns may have gone: the active cell is one that is there. */
  keepWithin(rows: number, positions: number): void {
    const row = Math.max(0, Math.min(this.#active.row, rows - 1));
    const position = Math.max(0, Math.min(this.#active.position, positions - 1));
    if (row !== this.#active.row || position !== this.#active.position) this.collapse({ row, position });
  }

  contains(row: number, position: number): boolean {
    return this.#ranges.some(range => hasRow(range, row) && hasPosition(range, position));
  }

  /** Whether a row is selected from its first to its last column. */
  hasRow(row: number, positions: number): boolean {
    return this.#ranges.some(
      range => hasRow(range, row) && range.firstPosition === 0 && range.lastPosition >= positions - 1,
    );
  }

  /** Whether a column is selected from its first to its last row, those too that are still to come. */
  hasColumn(position: number): boolean {
    return this.#ranges.some(range => range.lastRow === Infinity && hasPosition(range, position));
  }

  /** Whether rows that are still to come are selected with the others. */
  get reachesEnd(): boolean {
    return this.#ranges.some(({ lastRow }) => lastRow === Infinity);
  }

  /** Whether nothing but whole columns is selected, those rows too that are still to come. */
  get hasAllRows(): boolean {
    return this.#ranges.every(({ firstRow, lastRow }) => firstRow === 0 && lastRow === Infinity);
  }

  get isOneCell(): boolean {
    const [first, ...others] = this.#ranges;
    return others.length === 0 && first?.firstRow === first?.lastRow && first?.firstPosition === first?.lastPosition;
  }

  /** The selected ranges in reading order, without those that others cover, within the rows that there are, by the columns that are shown. */
  ranges(rows: number, shown: readonly number[]): CellRange[] {
    const whole = this.#ranges.filter(
      (range, i) =>
        !this.#ranges.some((other, j) => i !== j && isWithin(range, other) && (j < i || !isWithin(other, range))),
    );
    return toRanges(whole, rows, shown);
  }

  /**
   * The same cells, each of them once: for rows between two edges of ranges, the columns that any of them has. So many
   * ranges give no more than twice as many, however they cross.
   */
  disjointRanges(rows: number, shown: readonly number[]): CellRange[] {
    const edges = new Set(this.#ranges.flatMap(({ firstRow, lastRow }) => [firstRow, lastRow + 1]));
    const ascending = [...edges].map(edge => Math.min(edge, rows)).toSorted((one, other) => one - other);
    return ascending.slice(0, -1).flatMap((firstRow, i) => {
      const endRow = ascending[i + 1] ?? firstRow;
      const here = this.#ranges.filter(range => hasRow(range, firstRow));
      const columns = shown.filter((_column, position) => here.some(range => hasPosition(range, position)));
      return firstRow < endRow && columns.length > 0 ? [{ firstRow, endRow, columns }] : [];
    });
  }

  #set(ranges: readonly Rectangle[], active: Cell): void {
    this.#ranges = ranges;
    this.#active = active;
    this.#changed();
  }
}

const oneCell = (cell: Cell): Rectangle => between(cell, cell, 'cells');

function between(one: Cell, other: Cell, unit: SelectionUnit): Rectangle {
  const allRows = unit === 'columns' || unit === 'all';
  const allPositions = unit === 'rows' || unit === 'all';
  return {
    firstRow: allRows ? 0 : Math.min(one.row, other.row),
    lastRow: allRows ? Infinity : Math.max(one.row, other.row),
    firstPosition: allPositions ? 0 : Math.min(one.position, other.position),
    lastPosition: allPositions ? Infinity : Math.max(one.position, other.position),
  };
}

const hasRow = ({ firstRow, lastRow }: Rectangle, row: number): boolean => firstRow <= row && row <= lastRow;
const hasPosition = ({ firstPosition, lastPosition }: Rectangle, position: number): boolean =>
  firstPosition <= position && position <= lastPosition;

function isWithin(range: Rectangle, other: Rectangle): boolean {
  const within = hasRow(other, range.firstRow) && range.lastRow <= other.lastRow;
  return within && hasPosition(other, range.firstPosition) && range.lastPosition <= other.lastPosition;
}

function toRanges(rectangles: readonly Rectangle[], rows: number, shown: readonly number[]): CellRange[] {
  return rectangles
    .toSorted((one, other) => one.firstRow - other.firstRow || one.firstPosition - other.firstPosition)
    .map(({ firstRow, lastRow, firstPosition, lastPosition }) => ({
      firstRow,
      endRow: Math.min(lastRow + 1, rows),
      columns: shown.slice(firstPosition, lastPosition + 1),
    }))
    .filter(({ firstRow, endRow, columns }) => firstRow < endRow && columns.length > 0);
}
