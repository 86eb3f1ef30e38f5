/** A point. The y of an integer beyond 2^53 is rounded. */
export interface ChartPoint {
  readonly x: number;
  readonly y: number;
  readonly roundingError: number;
}

interface ChartCells {
  readonly columns: number;
  readonly rows: number;
}

/** A cell has its lowest and its highest point. */
const pointsPerCell = 2;

/**
 * Keeps the points that a screen can show apart: a grid lies over all points, and the lowest and the highest of each cell stay.
 * Points are thinned out whenever there are four times as many.
 */
export class ChartPoints {
  readonly #cells: ChartCells;
  #points: ChartPoint[] = [];

  constructor(cells: ChartCells) {
    this.#cells = cells;
  }

  add(point: ChartPoint): void {
    if (!Number.isFinite(point.x) || !Number.isFinite(point.y)) return;
    this.#points.push(point);
    this.#thinOut(4 * this.#maxPoints);
  }

  /** The points in the order of x. */
  get points(): readonly ChartPoint[] {
    this.#thinOut(this.#maxPoints);
    return this.#points.toSorted((one, other) => one.x - other.x);
  }

  get #maxPoints(): number {
    return pointsPerCell * this.#cells.columns * this.#cells.rows;
  }

  #thinOut(maxPoints: number): void {
    const points = this.#points;
    if (points.length <= maxPoints) return;
    const columnOf = steps(points, 'x', this.#cells.columns);
    const rowOf = steps(points, 'y', this.#cells.rows);
    const cells = new Map<number, { low: ChartPoint; high: ChartPoint }>();
    for (const point of points) {
      const place = columnOf(point) * this.#cells.rows + rowOf(point);
      const cell = cells.get(place);
      if (!cell) cells.set(place, { low: point, high: point });
      else if (isBelow(point, cell.low)) cell.low = point;
      else if (isBelow(cell.high, point)) cell.high = point;
    }
    this.#points = [...cells.values()].flatMap(({ low, high }) => (low === high ? [low] : [low, high]));
  }
}

const isBelow = (one: ChartPoint, other: ChartPoint): boolean =>
  one.y < other.y || (one.y === other.y && one.roundingError < other.roundingError);

/** Divides an axis into equal steps, and returns the number of a point's step. */
function steps(points: readonly ChartPoint[], axis: 'x' | 'y', count: number): (point: ChartPoint) => number {
  let least = Infinity;
  let greatest = -Infinity;
  for (const { [axis]: number } of points) {
    least = Math.min(least, number);
    greatest = Math.max(greatest, number);
  }
  // Halves, since the difference of the greatest numbers would be infinite.
  const half = greatest / 2 - least / 2;
  const shareOf = (number: number): number => (half === 0 ? 0 : (number / 2 - least / 2) / half);
  return point => Math.min(count - 1, Math.floor(count * shareOf(point[axis])));
}
