import { takeKey } from '../../ui/keys.ts';

interface DragOptions {
  readonly on: HTMLElement;
  readonly start: PointerEvent;
  readonly move: (event: PointerEvent) => void;
  /** Called once. `dropped` is false for a cancelled drag. */
  readonly end: (dropped: boolean) => void;
}

/** Follows a pressed pointer until its release, even outside of the page. Escape cancels the drag. */
export function followDrag({ on, start, move, end }: DragOptions): void {
  const controller = new AbortController();
  const { signal } = controller;
  const finish = (dropped: boolean): void => {
    if (signal.aborted) return;
    controller.abort();
    if (on.hasPointerCapture(start.pointerId)) on.releasePointerCapture(start.pointerId);
    end(dropped);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    takeKey(event);
    finish(false);
  };
  on.setPointerCapture(start.pointerId);
  on.addEventListener('pointermove', move, { signal });
  on.addEventListener('pointerup', () => finish(true), { signal });
  on.addEventListener('lostpointercapture', () => finish(false), { signal });
  window.addEventListener('keydown', onKey, { capture: true, signal });
}

/** The most pixels per frame, at any distance of the pointer. */
const maxSpeed = 120;
/** The share of the distance that one frame scrolls. */
const speedFactor = 0.4;

interface EdgeScrollerOptions {
  /** How far the pointer is outside of the scrolled area. */
  readonly distance: () => { readonly x: number; readonly y: number };
  readonly scrollBy: (x: number, y: number) => void;
  /** Called after each step: another cell is below the pointer. */
  readonly onScrolled: () => void;
}

/** Scrolls with each frame while the pointer drags something beyond the edges. */
export class EdgeScroller {
  readonly #options: EdgeScrollerOptions;
  #animationFrame = 0;

  constructor(options: EdgeScrollerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#animationFrame ||= requestAnimationFrame(() => this.#step());
  }

  stop(): void {
    cancelAnimationFrame(this.#animationFrame);
    this.#animationFrame = 0;
  }

  #step(): void {
    this.#animationFrame = 0;
    const { distance, scrollBy, onScrolled } = this.#options;
    const { x, y } = distance();
    if (x === 0 && y === 0) return;
    scrollBy(speedFor(x), speedFor(y));
    onScrolled();
    this.start();
  }
}

const speedFor = (distance: number): number =>
  Math.sign(distance) * Math.min(maxSpeed, Math.ceil(Math.abs(distance) * speedFactor));
