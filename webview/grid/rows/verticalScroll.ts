/** Browsers cap an element's height at some 33 million pixels of the screen, so a taller grid is scrolled at a scale. */
const tallest = 16_000_000;
const mostScreenPixels = 32_000_000;
/** Up to this far, a scroll moves by rows even where the scale would make one pixel mean many of them. */
const finePixels = 300;
/** So near to its end, a scrollbar at a scale is at it. */
const nearEnd = 3;

/** Where in the rows the view stands, for any number of rows: plain arithmetic, nothing kept a row. */
export class VerticalScroll {
  readonly rowHeight: number;
  #rowCount = 0;
  #viewHeight = 0;
  #cap = tallest;
  #physicalTop = 0;
  #top = 0;

  constructor(rowHeight: number) {
    this.rowHeight = rowHeight;
  }

  /** Whole pixels from the first row's top to the view's, as if there were no cap. */
  get top(): number {
    return this.#top;
  }

  /** Where the scrollbar stands for that. */
  get physicalTop(): number {
    return this.#physicalTop;
  }

  /** The height to give to the scrolled element. */
  get physicalHeight(): number {
    return Math.min(this.#height, this.#cap);
  }

  /**
   * Gives the scrollbar's new place where it has one. At its end, it could not be scrolled to rows that have come, and has
   * to make room; and whoever looks at the last row still does when the view is another height. `pixelRatio` is how many
   * pixels of the screen one of the page is.
   */
  resize(rowCount: number, viewHeight: number, pixelRatio = 1): number | undefined {
    const cap = Math.min(tallest, Math.floor(mostScreenPixels / pixelRatio));
    const isSameScale = cap === this.#cap || Math.min(cap, this.#cap) >= this.#height;
    const stays = rowCount === this.#rowCount && this.#top > 0 && this.#top === this.#lastTop;
    if (stays && viewHeight === this.#viewHeight && isSameScale) return undefined;
    this.#rowCount = rowCount;
    this.#viewHeight = viewHeight;
    this.#cap = cap;
    this.#top = stays ? this.#lastTop : Math.min(this.#top, this.#lastTop);
    if (stays || (!isSameScale && this.#top > 0)) return this.#placeScrollbar();
    // There may have been so many more rows that the scrollbar stood elsewhere for this place.
    if (this.#scale === 1) return Math.abs(this.#physicalTop - this.#top) > 1 ? this.#placeScrollbar() : undefined;
    if (this.#top === this.#lastTop || !this.#isAtEnd(this.#physicalTop)) return undefined;
    return this.#placeScrollbar();
  }

  /** The scrollbar has moved to `physicalTop`. */
  scrolled(physicalTop: number): void {
    const moved = physicalTop - this.#physicalTop;
    this.#physicalTop = physicalTop;
    const atEnd = this.#isAtEnd(physicalTop);
    const fine = this.#scale !== 1 && Math.abs(moved) < finePixels && physicalTop > 0 && !atEnd;
    const top = atEnd ? this.#lastTop : fine ? this.#top + moved : physicalTop * this.#scale;
    this.#top = Math.round(Math.max(0, Math.min(this.#lastTop, top)));
  }

  /** Moves as little as is needed to show a row, and gives the scrollbar's new place. */
  reveal(row: number): number {
    const above = row * this.rowHeight;
    const below = above + this.rowHeight - this.#viewHeight;
    if (above < this.#top) this.#top = above;
    else if (below > this.#top) this.#top = Math.max(0, below);
    return this.#placeScrollbar();
  }

  /** Goes to where the view stood before, and gives the scrollbar's place for that. */
  goTo(top: number): number {
    this.#top = Math.round(Math.max(0, Math.min(this.#lastTop, top)));
    return this.#placeScrollbar();
  }

  /** The rows in view: from the first to before the second. */
  visible(): readonly [number, number] {
    const first = Math.floor(this.#top / this.rowHeight);
    const end = Math.ceil((this.#top + this.#viewHeight) / this.rowHeight);
    return [Math.min(first, this.#rowCount), Math.min(end, this.#rowCount)];
  }

  /**
   * Where a row is painted, under a header of a row's height. A row far out of view stands just outside of it, because
   * elements that stand further away would stretch what is scrolled.
   */
  offsetOf(row: number): number {
    const offset = (row + 1) * this.rowHeight - this.#top;
    return Math.max(-this.rowHeight, Math.min(this.#viewHeight + this.rowHeight, offset));
  }

  /** At an end of the scrollbar only when the rows are, so that it can be scrolled on to the others. */
  #placeScrollbar(): number {
    const inside = Math.max(1, Math.min(Math.round(this.#top / this.#scale), this.#physicalEnd - nearEnd - 1));
    const isWithin = this.#top > 0 && this.#top < this.#lastTop;
    this.#physicalTop = this.#scale !== 1 && isWithin ? inside : Math.round(this.#top / this.#scale);
    return this.#physicalTop;
  }

  /**
   * Where an element is no whole number of a screen's pixels high, its scrollbar ends early: by a part of a pixel, and by more
   * than one where the browser rounds a great height as well.
   */
  #isAtEnd(physicalTop: number): boolean {
    return physicalTop > this.#physicalEnd - (this.#scale === 1 ? 1 : nearEnd);
  }

  get #physicalEnd(): number {
    return this.physicalHeight - this.#viewHeight;
  }

  get #height(): number {
    return this.#rowCount * this.rowHeight;
  }

  get #lastTop(): number {
    return Math.max(0, this.#height - this.#viewHeight);
  }

  get #scale(): number {
    return this.#height <= this.#cap || this.#physicalEnd <= 0 ? 1 : this.#lastTop / this.#physicalEnd;
  }
}
