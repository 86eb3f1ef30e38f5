import type { Rect } from './layout/rects.ts';
import type { Scene, SceneBox } from './scene.ts';

/** The direction of each arrow key. */
export const directions: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** A box that a key connects counts as this much nearer. */
const connectedShare = 0.35;

/** The next box in a direction. Arrow keys prefer boxes that a foreign key connects. */
export function neighbourBox(
  { boxes, lines }: Scene,
  box: SceneBox,
  [x, y]: readonly [x: number, y: number],
): SceneBox | undefined {
  const connected = new Set(
    lines.flatMap(({ edge: { from, to } }) => (from === box.node ? [to] : to === box.node ? [from] : [])),
  );
  const start = middleOf(box);
  let best: SceneBox | undefined;
  let leastCost = Infinity;
  for (const other of boxes) {
    const middle = middleOf(other);
    const along = (middle.x - start.x) * x + (middle.y - start.y) * y;
    const aside = Math.abs((middle.x - start.x) * y) + Math.abs((middle.y - start.y) * x);
    const isConnected = connected.has(other.node);
    // Nearly all of the way is in the direction, unless a key leads there.
    if (other === box || along <= 0 || (!isConnected && aside > 2 * along)) continue;
    const cost = (along + 2 * aside) * (isConnected ? connectedShare : 1);
    if (cost < leastCost) {
      leastCost = cost;
      best = other;
    }
  }
  return best;
}

const middleOf = ({ x, y, width, height }: Rect): { x: number; y: number } => ({
  x: x + width / 2,
  y: y + height / 2,
});
