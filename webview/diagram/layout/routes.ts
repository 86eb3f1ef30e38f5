import type { LayoutLine } from './layout.ts';
import { boundsAround, cell, type Point, type Rect } from './rects.ts';

export interface LineRoute {
  /** The corners of the line, from the column of the key to the column that it refers to. */
  readonly points: readonly Point[];
  /** The middle of the text on the line. Undefined without enough room. */
  readonly label: Point | undefined;
}

/** Lines keep this distance from boxes. The signs at the ends of a line have as much room. */
export const clearance = 2 * cell;
/** Lines may run around all boxes. */
const border = 6;
const turnCost = 4;
const sharedCost = 4;
const crossingCost = 1;
const labelHeight = 14;
/** A search that looks at more places ends with a straight line. */
const maxVisits = 400_000;
/** A larger area takes too much memory. Its lines are straight. */
const maxCells = 6_000_000;

/** Routes that no box is in the way of. Each avoids the earlier ones where it can. */
export function routesOf(boxes: readonly Rect[], lines: readonly LayoutLine[]): LineRoute[] {
  const { width, height } = boundsAround(boxes);
  if ((width / cell) * (height / cell) > maxCells) {
    return lines.map(line => ({ points: straight(boxes, line), label: undefined }));
  }
  const grid = new RouteGrid(boxes);
  // Short lines have the fewest ways.
  const order = lines
    .map((line, index) => ({ line, index, length: distance(boxes[line.from]!, boxes[line.to]!) }))
    .toSorted((one, other) => one.length - other.length);
  const points: Point[][] = [];
  for (const { line, index } of order) points[index] = grid.connect(line);
  return points.map((corners, index) => ({
    points: corners,
    label: grid.placeLabel(corners, lines[index]!.labelWidth),
  }));
}

const straight = (boxes: readonly Rect[], { from, to, fromY, toY }: LayoutLine): Point[] => [
  endOf(boxes[from]!, fromY, 1),
  endOf(boxes[to]!, toY, -1),
];

const distance = (one: Rect, other: Rect): number => Math.abs(one.x - other.x) + Math.abs(one.y - other.y);

/** The sides of a box that a line can end at. */
type Side = -1 | 1;

/** One place of the grid, in one of both orientations. */
type State = number;

class RouteGrid {
  readonly #boxes: readonly Rect[];
  readonly #left: number;
  readonly #top: number;
  readonly #columns: number;
  readonly #rows: number;
  readonly #isBlocked: Uint8Array;
  /** The target of the line at each state; 0 for none. */
  readonly #used: Int32Array;
  readonly #costs: Int32Array;
  readonly #before: Int32Array;
  /** The search that last reached each state. */
  readonly #reachedBy: Int32Array;
  #search = 0;

  constructor(boxes: readonly Rect[]) {
    const bounds = boundsAround(boxes);
    this.#boxes = boxes;
    this.#left = bounds.x / cell - border;
    this.#top = bounds.y / cell - border;
    this.#columns = bounds.width / cell + 2 * border + 1;
    this.#rows = bounds.height / cell + 2 * border + 1;
    const nodeCount = this.#columns * this.#rows;
    this.#isBlocked = new Uint8Array(nodeCount);
    this.#used = new Int32Array(2 * nodeCount);
    this.#costs = new Int32Array(2 * nodeCount);
    this.#before = new Int32Array(2 * nodeCount);
    this.#reachedBy = new Int32Array(2 * nodeCount);
    for (const { x, y, width, height } of boxes) {
      const first = this.#node(x - cell, y - cell);
      const last = this.#node(x + width + cell, y + height + cell);
      const lastColumn = last % this.#columns;
      for (let start = first; start <= last; start += this.#columns) {
        this.#isBlocked.fill(1, start, start + lastColumn - (first % this.#columns) + 1);
      }
    }
  }

  connect(line: LayoutLine): Point[] {
    const from = this.#boxes[line.from]!;
    const to = this.#boxes[line.to]!;
    if (line.from === line.to && line.fromY === line.toY) return loopOf(from, line.fromY);
    // A line to the same box stays on one side of it.
    const sides: readonly Side[] = line.from === line.to ? [1] : [-1, 1];
    const starts = sides.map(side => this.#port(from, line.fromY, side));
    const ends = sides.map(side => this.#port(to, line.toY, side));
    const states = this.#find(starts, ends, line.to + 1);
    if (states.length === 0) return straight(this.#boxes, line);
    for (const state of states) this.#used[state] = line.to + 1;
    const points = states.map(state => this.#point(state >> 1));
    const start = sides[starts.indexOf(states[0]! >> 1)]!;
    const end = sides[ends.indexOf(states.at(-1)! >> 1)]!;
    return cornersOf([endOf(from, line.fromY, start), ...points, endOf(to, line.toY, end)]);
  }

  /** Above the longest level part of a line, if no other line or text is there. */
  placeLabel(corners: readonly Point[], width: number): Point | undefined {
    if (width === 0) return undefined;
    const parts = corners
      .slice(1)
      .map((end, index) => ({ start: corners[index]!, end }))
      .filter(({ start, end }) => start.y === end.y && Math.abs(start.x - end.x) >= width + 2 * clearance)
      .toSorted((one, other) => Math.abs(other.start.x - other.end.x) - Math.abs(one.start.x - one.end.x));
    for (const { start, end } of parts) {
      const middle = Math.round((start.x + end.x) / 2 / cell) * cell;
      const half = Math.ceil(width / 2 / cell) * cell;
      const above = this.#node(middle - half, start.y - cell);
      const length = (2 * half) / cell + 1;
      const isFree = (first: number): boolean =>
        !this.#used.subarray(2 * first, 2 * (first + length)).some(target => target !== 0);
      const isCrossed = Array.from({ length }, (_, index) => this.#used[2 * (above + this.#columns + index) + 1]).some(
        target => target !== 0,
      );
      if (isCrossed || !isFree(above)) continue;
      this.#used.fill(-1, 2 * above, 2 * (above + length));
      return { x: middle, y: start.y - labelHeight / 2 - 2 };
    }
    return undefined;
  }

  #node(x: number, y: number): number {
    return (y / cell - this.#top) * this.#columns + x / cell - this.#left;
  }

  #point(node: number): Point {
    const column = node % this.#columns;
    return { x: (column + this.#left) * cell, y: ((node - column) / this.#columns + this.#top) * cell };
  }

  #port(box: Rect, y: number, side: Side): number {
    const { x } = endOf(box, y, side);
    return this.#node(x + side * clearance, box.y + y);
  }

  /** The cheapest way from one of the starts to one of the ends: few cells, few turns, few crossings. */
  #find(starts: readonly number[], ends: readonly number[], target: number): State[] {
    const columns = this.#columns;
    const goals = ends.map(end => ({ node: end, column: end % columns, row: Math.floor(end / columns) }));
    const toGo = (node: number): number => {
      const column = node % columns;
      const row = (node - column) / columns;
      let least = Infinity;
      for (const goal of goals) least = Math.min(least, Math.abs(goal.column - column) + Math.abs(goal.row - row));
      return least;
    };
    const search = ++this.#search;
    // States by their cost so far with the least cost to go, which never shrinks.
    const queue: State[][] = [];
    const reach = (state: State, cost: number, before: State): void => {
      if (this.#reachedBy[state] === search && this.#costs[state]! <= cost) return;
      this.#reachedBy[state] = search;
      this.#costs[state] = cost;
      this.#before[state] = before;
      (queue[cost + toGo(state >> 1)] ??= []).push(state);
    };
    for (const start of starts) reach(2 * start, 0, -1);
    const steps = [-1, 1, -columns, columns];
    let visits = 0;
    for (let total = 0; total < queue.length; total++) {
      const states = queue[total] ?? [];
      for (let state = states.pop(); state !== undefined; state = states.pop()) {
        const node = state >> 1;
        const cost = this.#costs[state]!;
        // A cheaper way has come since.
        if (cost + toGo(node) < total) continue;
        if (ends.includes(node)) return this.#wayTo(state);
        if (++visits > maxVisits) return [];
        for (const step of steps) {
          const next = node + step;
          if (this.#isBlocked[next] !== 0) continue;
          if (Math.abs(step) === 1 && Math.floor(next / columns) !== Math.floor(node / columns)) continue;
          const orientation = Math.abs(step) === 1 ? 0 : 1;
          const nextState = 2 * next + orientation;
          const turn = (state & 1) === orientation ? 0 : turnCost;
          const other = this.#used[nextState];
          const shared = other === 0 || other === target ? 0 : sharedCost;
          const crossing = this.#used[nextState ^ 1] === 0 ? 0 : crossingCost;
          reach(nextState, cost + 1 + turn + shared + crossing, state);
        }
      }
    }
    return [];
  }

  #wayTo(end: State): State[] {
    const states: State[] = [];
    for (let state = end; state !== -1; state = this.#before[state]!) states.push(state);
    return states.toReversed();
  }
}

const endOf = ({ x, y, width }: Rect, rowY: number, side: Side): Point => ({
  x: side === 1 ? x + width : x,
  y: y + rowY,
});

/** A column that refers to itself: around the upper right corner of its box. */
function loopOf({ x, y, width }: Rect, rowY: number): Point[] {
  const right = x + width;
  return [
    { x: right, y: y + rowY },
    { x: right + clearance, y: y + rowY },
    { x: right + clearance, y: y - clearance },
    { x: right - clearance, y: y - clearance },
    { x: right - clearance, y },
  ];
}

/** Leaves out the points within straight parts. */
function cornersOf(points: readonly Point[]): Point[] {
  return points.filter((point, index) => {
    const before = points[index - 1];
    const after = points[index + 1];
    if (!before || !after) return true;
    return !((before.x === point.x && point.x === after.x) || (before.y === point.y && point.y === after.y));
  });
}
