/** A point. The y of an integer beyond 2^53 is rounded. */
export interface ChartPoint {
  readonly x: number;
  readonly y: number;
  readonly roundingError: number;
}

/** The lowest and the highest point of a cell. */
interface Cell {
  low: ChartPoint;
  high: ChartPoint;
}

/** The first steps are this many bits narrower than the first number. */
const precision = 50;
const greatestPlace = 2 ** 52;

/**
 * Keeps the points that a screen can show apart, in one pass: a grid lies over the points, and a cell keeps its lowest and its
 * highest. When there are too many cells, they get larger. Lines need only columns, which are as high as the chart.
 */
export class ChartPoints {
  readonly #maxCells: number;
  readonly #hasRows: boolean;
  readonly #xs = new Steps();
  readonly #ys = new Steps();
  #columns = new Map<number, Map<number, Cell>>();
  #cellCount = 0;

  constructor(maxCells: number, hasRows: boolean) {
    this.#maxCells = maxCells;
    this.#hasRows = hasRows;
  }

  add(point: ChartPoint): void {
    if (!Number.isFinite(point.x) || !Number.isFinite(point.y)) return;
    const isWider = this.#xs.include(point.x);
    const isHigher = this.#hasRows && this.#ys.include(point.y);
    if (isWider || isHigher) this.#rebuild();
    this.#put(point);
    while (this.#cellCount > this.#maxCells) {
      if (this.#hasRows && this.#ys.count > this.#xs.count) this.#ys.widen();
      else this.#xs.widen();
      this.#rebuild();
    }
  }

  /** The points in the order of x. */
  get points(): ChartPoint[] {
    const cells = Array.from(this.#columns.values()).flatMap(rows => Array.from(rows.values()));
    const points = cells.flatMap(({ low, high }) => (low === high ? [low] : [low, high]));
    return points.toSorted((one, other) => one.x - other.x);
  }

  #put(point: ChartPoint): void {
    const column = this.#xs.placeOf(point.x);
    let rows = this.#columns.get(column);
    if (!rows) {
      rows = new Map();
      this.#columns.set(column, rows);
    }
    const row = this.#hasRows ? this.#ys.placeOf(point.y) : 0;
    const cell = rows.get(row);
    if (!cell) {
      rows.set(row, { low: point, high: point });
      this.#cellCount++;
    } else if (isBelow(point, cell.low)) cell.low = point;
    else if (isBelow(cell.high, point)) cell.high = point;
  }

  #rebuild(): void {
    const { points } = this;
    this.#columns = new Map();
    this.#cellCount = 0;
    for (const point of points) this.#put(point);
  }
}

const isBelow = (one: ChartPoint, other: ChartPoint): boolean =>
  one.y < other.y || (one.y === other.y && one.roundingError < other.roundingError);

/** Equal steps along an axis. They begin narrow, and only ever double. */
class Steps {
  #width = 0;
  #least = Infinity;
  #greatest = -Infinity;

  get count(): number {
    return (this.#greatest - this.#least) / this.#width;
  }

  placeOf(number: number): number {
    return Math.floor(number / this.#width);
  }

  widen(): void {
    this.#width *= 2;
  }

  /** Whether the steps had to be widened. */
  include(number: number): boolean {
    this.#least = Math.min(this.#least, number);
    this.#greatest = Math.max(this.#greatest, number);
    if (this.#width === 0) {
      const size = number === 0 ? 0 : Math.floor(Math.log2(Math.abs(number)));
      this.#width = 2 ** Math.max(size - precision, -1000);
    }
    const width = this.#width;
    while (Math.abs(number) / this.#width > greatestPlace) this.widen();
    return this.#width > width;
  }
}
