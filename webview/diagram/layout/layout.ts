import { layeredPlaces } from './layered.ts';
import { groupAreas, overviewPlaces, type PlacedGroup } from './overview.ts';
import { type Point, type Rect, separate } from './rects.ts';
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
  const rects = kind === 'layered' ? layeredPlaces(boxes, lines) : overviewPlaces(boxes, lines);
  const wanted = rects.map((rect, index) => ({ ...rect, ...boxes[index]!.place }));
  // A line fits between two boxes that the user placed.
  const placed = boxes.some(({ place }) => place) ? separate(wanted, 2 * clearance) : rects;
  const answer = { id, boxes: placed, groups: kind === 'layered' ? [] : groupAreas(boxes, placed) };
  yield answer;
  yield { ...answer, routes: routesOf(placed, lines) };
}
