import { layeredPlaces } from './layered.ts';
import { groupAreas, overviewPlaces, type PlacedGroup } from './overview.ts';
import { boundsAround, boxGap, type Point, type Rect, separate } from './rects.ts';
import { clearance, type LineRoute, routesOf } from './routes.ts';

export interface LayoutBox {
  readonly width: number;
  readonly height: number;
  /** The title of its group; empty outside of groups. */
  readonly group: string;
  /** Where the user wants it. */
  readonly place?: Point | undefined;
}

/** A foreign key. */
export interface LayoutLine {
  /** The number of the box with the key, and of the one that it refers to. */
  readonly from: number;
  readonly to: number;
  /** How far below the upper edge of its box each end is. */
  readonly fromY: number;
  readonly toY: number;
  readonly labelWidth: number;
}

export interface LayoutRequest {
  readonly id: number;
  readonly kind: 'layered' | 'overview';
  readonly boxes: readonly LayoutBox[];
  readonly lines: readonly LayoutLine[];
}

/** The places come first, and then the routes of the lines. */
export interface LayoutAnswer {
  readonly id: number;
  readonly boxes: readonly Rect[];
  readonly groups: readonly PlacedGroup[];
  readonly routes?: readonly LineRoute[];
}

export function* layoutSteps({ id, kind, boxes, lines }: LayoutRequest): Generator<LayoutAnswer> {
  const placesOf = kind === 'layered' ? layeredPlaces : overviewPlaces;
  const placed = boxes.some(({ place }) => place) ? arranged(boxes, lines, placesOf) : placesOf(boxes, lines);
  const answer = { id, boxes: placed, groups: kind === 'layered' ? [] : groupAreas(boxes, placed) };
  yield answer;
  yield { ...answer, routes: routesOf(placed, lines) };
}

/** The boxes that the user placed are there. The others are below them, as they would be without them. */
function arranged(boxes: readonly LayoutBox[], lines: readonly LayoutLine[], placesOf: typeof layeredPlaces): Rect[] {
  const fixed = boxes.flatMap(({ width, height, place }) => (place ? [{ ...place, width, height }] : []));
  const rects = fixed.length === boxes.length ? [] : placesOf(boxes, lines);
  const around = boundsAround(fixed);
  const others = boundsAround(rects.filter((_rect, index) => !boxes[index]!.place));
  const x = around.x - others.x;
  const y = around.y + around.height + boxGap - others.y;
  const placed = boxes.map(({ width, height, place }, index) => {
    const rect = rects[index];
    return { width, height, ...(place ?? { x: rect!.x + x, y: rect!.y + y }) };
  });
  // A line fits between two boxes.
  return separate(placed, 2 * clearance);
}
