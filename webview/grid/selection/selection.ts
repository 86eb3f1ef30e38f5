import type { CellRange } from '../../../src/protocol/rowQueries.ts';

/** A cell by its row and the position of its column, both in the order shown. */
export interface Cell {
  readonly row: number;
  readonly position: number;
}

const firstCell: Cell = { row: 0, position: 0 };

/** A range with both of its ends. `Infinity` is the end of the grid, which moves while rows arrive. */
interface Rectangle {
  readonly firstRow: number;
  readonly lastRow: number;
  readonly firstPosition: number;
  readonly lastPosition: number;
}

/** A range grows as cells between two corners, as whole rows, as whole columns, or to everything. */
export type SelectionUnit = 'cells' | 'rows' | 'columns' | 'all';

/** The selected cells as rectangles: ten million rows take no more memory than one. One cell is active. */
export class Selection {
  #ranges: readonly Rectangle[] = [between(firstCell, firstCell, 'cells')];
  #unit: SelectionUnit = 'cells';
  #anchor = firstCell;
  #active = firstCell;
  readonly #onChanged: () => void;

  constructor(onChanged: () => void) {
    this.#onChanged = onChanged;
  }

  get active(): Cell {
    return this.#active;
  }

  get unit(): SelectionUnit {
    return this.#unit;
  }

  /** With `add`, the other ranges stay. */
  start(cell: Cell, unit: SelectionUnit = 'cells', add = false): void {
    this.#anchor = cell;
    this.#unit = unit;
    const others = add ? this.#ranges : [];
    this.#set([...others, between(cell, cell, unit)], cell);
  }

  extendTo(cell: Cell): void {
    this.#set([...this.#ranges.slice(0, -1), between(this.#anchor, cell, this.#unit)], cell);
  }

  growTo(unit: SelectionUnit): void {
    this.#unit = unit;
    this.#set([between(this.#anchor, this.#active, unit)], this.#active);
  }

  /** Moves the active cell into the grid after rows or columns were removed. */
  keepWithin(rowCount: number, columnCount: number): void {
    const row = Math.max(0, Math.min(this.#active.row, rowCount - 1));
    const position = Math.max(0, Math.min(this.#active.position, columnCount - 1));
    if (row !== this.#active.row || position !== this.#active.position) this.start({ row, position });
  }

  contains(row: number, position: number): boolean {
    return this.#ranges.some(range => hasRow(range, row) && hasPosition(range, position));
  }

  /** Whether a row is selected from its first to its last column. */
  hasWholeRow(row: number, columnCount: number): boolean {
    return this.#ranges.some(
      range => hasRow(range, row) && range.firstPosition === 0 && range.lastPosition >= columnCount - 1,
    );
  }

  /** Whether a column is selected, including rows that are still to arrive. */
  hasColumn(position: number): boolean {
    return this.#ranges.some(range => range.lastRow === Infinity && hasPosition(range, position));
  }

  get reachesEnd(): boolean {
    return this.#ranges.some(({ lastRow }) => lastRow === Infinity);
  }

  /** Whether only whole columns are selected, including rows that are still to arrive. */
  get hasOnlyWholeColumns(): boolean {
    return this.#ranges.every(({ firstRow, lastRow }) => firstRow === 0 && lastRow === Infinity);
  }

  get isOneCell(): boolean {
    const [first, ...others] = this.#ranges;
    return others.length === 0 && first?.firstRow === first?.lastRow && first?.firstPosition === first?.lastPosition;
  }

  /** The selected ranges in reading order, cut to the rows of the grid. A range within another one is left out. */
  ranges(rowCount: number, shownColumns: readonly number[]): CellRange[] {
    // The first of equal ranges stays.
    const isCovered = (range: Rectangle, index: number): boolean =>
      this.#ranges.some(
        (other, otherIndex) =>
          index !== otherIndex && isWithin(range, other) && (otherIndex < index || !isWithin(other, range)),
      );
    const outermost = this.#ranges.filter((range, index) => !isCovered(range, index));
    return toRanges(outermost, rowCount, shownColumns);
  }

  /** The selected cells as ranges that do not overlap. They are at most twice as many as the selected ranges. */
  disjointRanges(rowCount: number, shownColumns: readonly number[]): CellRange[] {
    const edges = new Set(this.#ranges.flatMap(({ firstRow, lastRow }) => [firstRow, lastRow + 1]));
    const sortedEdges = [...edges].map(edge => Math.min(edge, rowCount)).toSorted((one, other) => one - other);
    return sortedEdges.slice(0, -1).flatMap((firstRow, i) => {
      const endRow = sortedEdges[i + 1] ?? firstRow;
      const overlapping = this.#ranges.filter(range => hasRow(range, firstRow));
      const columns = shownColumns.filter((_column, position) =>
        overlapping.some(range => hasPosition(range, position)),
      );
      return firstRow < endRow && columns.length > 0 ? [{ firstRow, endRow, columns }] : [];
    });
  }

  #set(ranges: readonly Rectangle[], active: Cell): void {
    this.#ranges = ranges;
    this.#active = active;
    this.#onChanged();
  }
}

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
  const hasRows = hasRow(other, range.firstRow) && range.lastRow <= other.lastRow;
  return hasRows && hasPosition(other, range.firstPosition) && range.lastPosition <= other.lastPosition;
}

function toRanges(rectangles: readonly Rectangle[], rowCount: number, shownColumns: readonly number[]): CellRange[] {
  return rectangles
    .toSorted((one, other) => one.firstRow - other.firstRow || one.firstPosition - other.firstPosition)
    .map(({ firstRow, lastRow, firstPosition, lastPosition }) => ({
      firstRow,
      endRow: Math.min(lastRow + 1, rowCount),
      columns: shownColumns.slice(firstPosition, lastPosition + 1),
    }))
    .filter(({ firstRow, endRow, columns }) => firstRow < endRow && columns.length > 0);
}

interface Extent {
  readonly rows: number;
  readonly positions: number;
  readonly pageRows: number;
}

/** The cell to which a key moves the active one. Undefined for other keys. */
export function moveBy(
  { key, ctrlKey, metaKey, altKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>,
  from: Cell,
  { rows, positions, pageRows }: Extent,
): Cell | undefined {
  if (altKey || rows === 0 || positions === 0) return undefined;
  const far = ctrlKey || metaKey;
  // VS Code switches editors by these keys.
  if (far && (key === 'PageUp' || key === 'PageDown')) return undefined;
  const last = { row: rows - 1, position: positions - 1 };
  const targets: Readonly<Record<string, Cell>> = {
    ArrowUp: { row: far ? 0 : from.row - 1, position: from.position },
    ArrowDown: { row: far ? last.row : from.row + 1, position: from.position },
    ArrowLeft: { row: from.row, position: far ? 0 : from.position - 1 },
    ArrowRight: { row: from.row, position: far ? last.position : from.position + 1 },
    PageUp: { row: from.row - pageRows, position: from.position },
    PageDown: { row: from.row + pageRows, position: from.position },
    Home: { row: far ? 0 : from.row, position: 0 },
    End: { row: far ? last.row : from.row, position: last.position },
  };
  const target = Object.hasOwn(targets, key) ? targets[key] : undefined;
  return target && { row: clamp(target.row, last.row), position: clamp(target.position, last.position) };
}

/** The next or previous cell in reading order. Undefined at the ends of the grid. */
export function cellBeside(
  { row, position }: Cell,
  isBackwards: boolean,
  { rows, positions }: Pick<Extent, 'rows' | 'positions'>,
): Cell | undefined {
  const index = row * positions + position + (isBackwards ? -1 : 1);
  if (index < 0 || index >= rows * positions) return undefined;
  return { row: Math.floor(index / positions), position: index % positions };
}

const clamp = (value: number, max: number): number => Math.max(0, Math.min(max, value));
