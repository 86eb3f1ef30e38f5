export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Rect extends Point {
  readonly width: number;
  readonly height: number;
}

/** All places and sizes are multiples of this, so that lines meet the rows of boxes. */
export const cell = 10;
/** Three lines fit between two boxes. */
export const boxGap = 60;

export const toGrid = (length: number): number => Math.round(length / cell) * cell;

/** The smallest rectangle around all. */
export function boundsAround(rects: readonly Rect[]): Rect {
  if (rects.length === 0) return { x: 0, y: 0, width: 0, height: 0 };
  const x = Math.min(...rects.map(rect => rect.x));
  const y = Math.min(...rects.map(rect => rect.y));
  const right = Math.max(...rects.map(rect => rect.x + rect.width));
  const bottom = Math.max(...rects.map(rect => rect.y + rect.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** Rows of rectangles in their order, about as wide as high. */
export function shelves(rects: readonly Rect[], gap: number): Rect[] {
  const area = rects.reduce((sum, { width, height }) => sum + (width + gap) * (height + gap), 0);
  const widest = Math.max(0, ...rects.map(({ width }) => width));
  const fullWidth = Math.max(widest, Math.sqrt(area * 1.6));
  let x = 0;
  let y = 0;
  let rowHeight = 0;
  return rects.map(rect => {
    if (x > 0 && x + rect.width > fullWidth) {
      y += rowHeight + gap;
      x = 0;
      rowHeight = 0;
    }
    const placed = { ...rect, x, y };
    x += rect.width + gap;
    rowHeight = Math.max(rowHeight, rect.height);
    return placed;
  });
}

const maxPasses = 400;

/** Pushes rectangles apart until there is a gap between any two. Sizes are whole cells. */
export function separate(rects: readonly Rect[], gap: number): Rect[] {
  const xs = rects.map(({ x }) => toGrid(x));
  const ys = rects.map(({ y }) => toGrid(y));
  for (let pass = 0; pass < maxPasses; pass++) {
    let moves = 0;
    for (let one = 0; one < rects.length; one++) {
      for (let other = one + 1; other < rects.length; other++) {
        const overlapX = overlap(xs[one]!, rects[one]!.width, xs[other]!, rects[other]!.width, gap);
        if (overlapX <= 0) continue;
        const overlapY = overlap(ys[one]!, rects[one]!.height, ys[other]!, rects[other]!.height, gap);
        if (overlapY <= 0) continue;
        moves++;
        const places = overlapX < overlapY ? xs : ys;
        const length = Math.min(overlapX, overlapY);
        const direction = places[one]! <= places[other]! ? 1 : -1;
        // Each moves by half, in whole cells. With unequal shares, two may push a third one to and fro for ever.
        const share = Math.ceil(length / 2 / cell) * cell;
        places[one]! -= direction * share;
        places[other]! += direction * share;
      }
    }
    if (moves === 0) return rects.map((rect, index) => ({ ...rect, x: xs[index]!, y: ys[index]! }));
  }
  // Rectangles that are all on one spot never settle.
  return shelves(rects, gap);
}

const overlap = (start: number, length: number, otherStart: number, otherLength: number, gap: number): number =>
  Math.min(start + length, otherStart + otherLength) - Math.max(start, otherStart) + gap;
