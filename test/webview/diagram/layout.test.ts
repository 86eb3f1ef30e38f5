import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type LayoutBox,
  type LayoutLine,
  type LayoutRequest,
  layoutSteps,
} from '../../../webview/diagram/layout/layout.ts';
import type { Point, Rect } from '../../../webview/diagram/layout/rects.ts';
import type { LineRoute } from '../../../webview/diagram/layout/routes.ts';
import { seeded, upTo } from '../../fuzz/random.ts';
import { seedsOf } from '../../support/seeds.ts';

/** Boxes and keys of a random project: with cycles, references to itself, and several keys between two tables. */
function randomRequest(seed: number, kind: LayoutRequest['kind']): LayoutRequest {
  const random = seeded(seed);
  const count = 1 + upTo(random, kind === 'layered' ? 30 : 90);
  const groupCount = upTo(random, 5);
  const boxes = Array.from({ length: count }, (): LayoutBox => {
    return {
      width: 100 + 10 * upTo(random, 20),
      height: 30 + 20 * upTo(random, 12),
      group: groupCount === 0 ? '' : `group ${upTo(random, groupCount)}`,
    };
  });
  const rowOf = ({ height }: LayoutBox): number => (height === 30 ? 20 : 40 + 20 * upTo(random, (height - 30) / 20));
  const lines = Array.from({ length: upTo(random, 2 * count) }, (): LayoutLine => {
    const from = upTo(random, count);
    const to = random() < 0.1 ? from : upTo(random, count);
    return { from, to, fromY: rowOf(boxes[from]!), toY: rowOf(boxes[to]!), labelWidth: 40 + upTo(random, 200) };
  });
  return { id: seed, kind, boxes, lines };
}

/** Some boxes are where the user dragged them, even onto others. */
function withPlaces(request: LayoutRequest): LayoutRequest {
  const random = seeded(request.id + 1);
  const place = (): Point => ({ x: upTo(random, 1500) - 500, y: upTo(random, 1500) - 500 });
  const boxes = request.boxes.map(({ width, height }): LayoutBox => {
    return { width, height, group: '', place: random() < 0.3 ? place() : undefined };
  });
  return { ...request, boxes };
}

const overlaps = (one: Rect, other: Rect): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

/** The level and upright parts of a line, as thin as they are. */
function partsOf({ points }: LineRoute): Rect[] {
  return points.slice(1).map((end, index) => {
    const start = points[index]!;
    assert.ok(start.x === end.x || start.y === end.y, 'each part of a line is level or upright');
    return {
      x: Math.min(start.x, end.x),
      y: Math.min(start.y, end.y),
      width: Math.abs(start.x - end.x),
      height: Math.abs(start.y - end.y),
    };
  });
}

function assertReadable({ boxes: sizes, lines, ...request }: LayoutRequest): void {
  const [placed, routed] = [...layoutSteps({ boxes: sizes, lines, ...request })];
  const { boxes, groups, routes = [] } = routed!;
  assert.deepEqual(placed!.boxes, boxes);
  assert.equal(routes.length, lines.length);
  boxes.forEach((box, index) => {
    assert.deepEqual([box.width, box.height], [sizes[index]!.width, sizes[index]!.height]);
    for (const other of boxes.slice(index + 1)) assert.ok(!overlaps(box, other), 'no box covers another');
  });
  const labels: Rect[] = [];
  routes.forEach((route, index) => {
    const { from, to, fromY, toY, labelWidth } = lines[index]!;
    for (const part of partsOf(route)) {
      for (const box of boxes) assert.ok(!overlaps(part, box), 'no line is on a box');
    }
    const [start] = route.points;
    const end = route.points.at(-1)!;
    assert.equal(start!.y, boxes[from]!.y + fromY);
    if (from !== to || fromY !== toY) assert.equal(end.y, boxes[to]!.y + toY);
    if (!route.label) return;
    const { x, y } = route.label;
    const label = { x: x - labelWidth / 2, y: y - 6, width: labelWidth, height: 12 };
    for (const other of [...boxes, ...labels]) assert.ok(!overlaps(label, other), 'no text covers another');
    labels.push(label);
  });
  groups.forEach((group, index) => {
    for (const other of groups.slice(index + 1)) assert.ok(!overlaps(group, other), 'no group covers another');
  });
}

for (const kind of ['layered', 'overview'] as const) {
  test(`in random diagrams, boxes and texts never overlap, and no line is on a box (${kind})`, () => {
    for (const seed of seedsOf({ few: 5, all: 100 })) {
      assertReadable(randomRequest(seed, kind));
      assertReadable(withPlaces(randomRequest(seed, kind)));
    }
  });
}

test('a table is to the left of the tables that it refers to', () => {
  const box = { width: 100, height: 50, group: '' };
  const line = { fromY: 40, toY: 40, labelWidth: 0 };
  const lines = [
    { from: 0, to: 1, ...line },
    { from: 1, to: 2, ...line },
  ];
  const [placed] = [...layoutSteps({ id: 1, kind: 'layered', boxes: [box, box, box], lines })];
  const [first, second, third] = placed!.boxes.map(({ x }) => x);
  assert.ok(first! < second! && second! < third!);
});

test('boxes that the user placed stay, and others make room for them', () => {
  const box = { width: 100, height: 50, group: '' };
  for (const kind of ['layered', 'overview'] as const) {
    for (const seed of seedsOf({ few: 5, all: 50 })) {
      const { lines, boxes, id } = randomRequest(seed, kind);
      const [arranged] = [
        ...layoutSteps({ id, kind, boxes: boxes.map(own => Object.assign(own, { group: '' })), lines }),
      ];
      const placed = boxes.map((own, index) => Object.assign(own, { place: pointOf(arranged!.boxes[index]!) }));
      const [again] = [...layoutSteps({ id, kind, boxes: [...placed, box], lines })];
      assert.deepEqual(
        again!.boxes.slice(0, -1).map(pointOf),
        placed.map(({ place }) => place),
      );
      // Another box is dropped onto the first one. All others stay near their places.
      const dropped = placed.with(1 % placed.length, { ...placed[1 % placed.length]!, place: placed[0]!.place });
      const [after] = [...layoutSteps({ id, kind, boxes: dropped, lines })];
      after!.boxes.forEach((rect, index) => {
        const { x, y } = dropped[index]!.place;
        assert.ok(Math.hypot(rect.x - x, rect.y - y) < 1500, `box ${index} of seed ${seed}`);
      });
    }
  }
});

const pointOf = ({ x, y }: Rect): Point => ({ x, y });
