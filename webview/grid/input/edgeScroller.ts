/** Pixels a frame at most, however far outside the pointer is. */
const fastest = 120;
/** A pointer that is twice as far outside scrolls twice as fast. */
const share = 0.4;

export interface EdgeScrollerOptions {
  readonly outside: () => { readonly x: number; readonly y: number };
  readonly scrollBy: (x: number, y: number) => void;
  /** Called after each step, since what is below the pointer is another cell then. */
  readonly scrolled: () => void;
}

/** Scrolls frame by frame for as long as something is dragged beyond the edges. */
export class EdgeScroller {
  readonly #options: EdgeScrollerOptions;
  #frame = 0;

  constructor(options: EdgeScrollerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#frame ||= requestAnimationFrame(() => this.#step());
  }

  stop(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  #step(): void {
    this.#frame = 0;
    const { x, y } = this.#options.outside();
    if (x === 0 && y === 0) return;
    this.#options.scrollBy(speed(x), speed(y));
    this.#options.scrolled();
    this.start();
  }
}

const speed = (distance: number): number =>
  Math.sign(distance) * Math.min(fastest, Math.ceil(Math.abs(distance) * share));
