import { forceLink, forceManyBody, forceX, forceY, type SimulationLinkDatum, type SimulationNodeDatum } from 'd3-force';
import type { LayoutBox, LayoutLine } from './layout.ts';
import { boundsAround, boxGap, type Rect, separate, shelves } from './rects.ts';

/** A group of tables with its area. */
export interface PlacedGroup extends Rect {
  readonly title: string;
}

type Link = Pick<LayoutLine, 'from' | 'to'>;

const groupPadding = 40;
const groupTitleHeight = 40;
const stepCount = 200;
/** Rectangles are pushed apart after so many steps. */
const separationInterval = 20;
/** How far bodies go on moving by themselves, as in d3-force. */
const inertia = 0.6;
const lastForce = 0.001;

/** Places the boxes of each group, and then the groups. */
export function overviewPlaces(boxes: readonly LayoutBox[], lines: readonly Link[]): Rect[] {
  const members = membersOf(boxes);
  const groupOf = new Map(members.flatMap(([, own], group) => own.map(index => [index, group] as const)));
  const inner = members.map(([, own]) => {
    const numbers = new Map(own.map((index, number) => [index, number]));
    const links = lines.flatMap(({ from, to }) => {
      const source = numbers.get(from);
      const target = numbers.get(to);
      return source === undefined || target === undefined ? [] : [{ from: source, to: target }];
    });
    return spread(
      own.map(index => sizeOf(boxes[index]!)),
      links,
      boxGap,
    );
  });
  const areas = members.map(([title], group) => areaAround(title, inner[group]!));
  const outer = lines.map(({ from, to }) => ({ from: groupOf.get(from)!, to: groupOf.get(to)! }));
  const places = members.length === 1 ? areas : spread(areas, outer, boxGap);
  const rects: Rect[] = [];
  members.forEach(([, own], group) => {
    const area = areas[group]!;
    const { x, y } = places[group]!;
    own.forEach((index, number) => {
      const rect = inner[group]![number]!;
      rects[index] = { ...rect, x: rect.x - area.x + x, y: rect.y - area.y + y };
    });
  });
  return rects;
}

/** The titled areas around the boxes of each group. */
export const groupAreas = (boxes: readonly LayoutBox[], rects: readonly Rect[]): PlacedGroup[] =>
  membersOf(boxes).flatMap(([title, own]) =>
    title === ''
      ? []
      : [
          {
            title,
            ...areaAround(
              title,
              own.map(index => rects[index]!),
            ),
          },
        ],
  );

/** The numbers of the boxes of each group. */
const membersOf = (boxes: readonly LayoutBox[]): [title: string, own: number[]][] => [
  ...Map.groupBy(boxes.keys(), index => boxes[index]!.group),
];

const sizeOf = ({ width, height }: LayoutBox): Rect => ({ x: 0, y: 0, width, height });

function areaAround(title: string, rects: readonly Rect[]): Rect {
  const { x, y, width, height } = boundsAround(rects);
  if (title === '') return { x, y, width, height };
  return {
    x: x - groupPadding,
    y: y - groupTitleHeight,
    width: width + 2 * groupPadding,
    height: height + groupPadding + groupTitleHeight,
  };
}

interface Body extends SimulationNodeDatum {
  readonly width: number;
  readonly height: number;
  x: number;
  y: number;
  vx: number;
  vy: number;
}

/** Moves linked rectangles together, and keeps a gap between all. */
function spread(rects: readonly Rect[], allLinks: readonly Link[], gap: number): Rect[] {
  const start = shelves(rects, gap);
  const links = allLinks.filter(({ from, to }) => from !== to);
  if (links.length === 0) return start;
  const { width: fullWidth, height: fullHeight } = boundsAround(start);
  const bodies = start.map(({ x, y, width, height }, index): Body => ({
    index,
    width,
    height,
    x: x + width / 2 - fullWidth / 2,
    y: y + height / 2 - fullHeight / 2,
    vx: 0,
    vy: 0,
  }));
  const springs: SimulationLinkDatum<Body>[] = links.map(({ from, to }) => ({ source: from, target: to }));
  const reach = (body: Body): number => (body.width + body.height) / 4;
  const forces = [
    forceLink<Body, SimulationLinkDatum<Body>>(springs).distance(
      ({ source, target }) => reach(source as Body) + reach(target as Body) + gap,
    ),
    forceManyBody<Body>().strength(body => -3 * reach(body)),
    forceX<Body>(0).strength(0.04),
    // Editors are wider than high.
    forceY<Body>(0).strength(0.07),
  ];
  for (const force of forces) force.initialize?.(bodies, () => 0.5);
  const rectsOf = (): Rect[] =>
    bodies.map(({ x, y, width, height }) => ({ x: x - width / 2, y: y - height / 2, width, height }));
  for (let step = 1; step <= stepCount; step++) {
    const alpha = lastForce ** (step / stepCount);
    for (const force of forces) force(alpha);
    for (const body of bodies) {
      body.x += body.vx *= inertia;
      body.y += body.vy *= inertia;
    }
    if (step < stepCount / 2 || step % separationInterval !== 0) continue;
    // Forces know points only. Rectangles that are pushed apart in between settle closer to their neighbours.
    separate(rectsOf(), gap).forEach(({ x, y, width, height }, index) => {
      Object.assign(bodies[index]!, { x: x + width / 2, y: y + height / 2 });
    });
  }
  return separate(rectsOf(), gap);
}
