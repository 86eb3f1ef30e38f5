import { takeKey } from '../../ui/keys.ts';

interface Distance {
  readonly x: number;
  readonly y: number;
}

interface DragOptions {
  /** Scrolled while the pointer is beyond its edges. */
  readonly on: HTMLElement;
  readonly start: PointerEvent;
  /** Called for each movement, and for each step of scrolling: another cell is below the pointer. */
  readonly move: (event: PointerEvent) => void;
  /** Called once. `dropped` is false for a cancelled drag. */
  readonly end?: (dropped: boolean) => void;
  /** How far the pointer is outside of the area that scrolls. Without it, nothing scrolls. */
  readonly distanceOutside?: (event: PointerEvent) => Distance;
}

/** Follows a pressed pointer until its release, even outside of the page. Escape cancels the drag. */
export function followDrag({ on, start, move, end, distanceOutside = () => inside }: DragOptions): void {
  const controller = new AbortController();
  const { signal } = controller;
  let last = start;
  let animationFrame = 0;
  const scroll = (): void => {
    animationFrame = 0;
    const { x, y } = distanceOutside(last);
    if (x === 0 && y === 0) return;
    on.scrollBy(speedFor(x), speedFor(y));
    move(last);
    animationFrame = requestAnimationFrame(scroll);
  };
  const onMove = (event: PointerEvent): void => {
    last = event;
    move(event);
    animationFrame ||= requestAnimationFrame(scroll);
  };
  const finish = (dropped: boolean): void => {
    if (signal.aborted) return;
    controller.abort();
    cancelAnimationFrame(animationFrame);
    if (on.hasPointerCapture(start.pointerId)) on.releasePointerCapture(start.pointerId);
    end?.(dropped);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    takeKey(event);
    finish(false);
  };
  on.setPointerCapture(start.pointerId);
  on.addEventListener('pointermove', onMove, { signal });
  on.addEventListener('pointerup', () => finish(true), { signal });
  on.addEventListener('lostpointercapture', () => finish(false), { signal });
  window.addEventListener('keydown', onKey, { capture: true, signal });
}

/** Follows a drag of an edge. A cancelled drag resizes by 0. */
export function resizeByDragging(
  on: HTMLElement,
  start: PointerEvent,
  resizeBy: (pixels: number) => void,
  onEnd?: () => void,
): void {
  followDrag({
    on,
    start,
    move: ({ clientX }) => resizeBy(clientX - start.clientX),
    end: dropped => {
      if (!dropped) resizeBy(0);
      onEnd?.();
    },
  });
}

const inside: Distance = { x: 0, y: 0 };

/** The most pixels per frame, at any distance of the pointer. */
const maxSpeed = 120;
/** The share of the distance that one frame scrolls. */
const speedFactor = 0.4;

const speedFor = (distance: number): number =>
  Math.sign(distance) * Math.min(maxSpeed, Math.ceil(Math.abs(distance) * speedFactor));
