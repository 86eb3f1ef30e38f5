/** Browsers limit an element to some 33 million screen pixels. The scrollbar of a taller grid works at a scale. */
const maxHeight = 16_000_000;
const maxScreenPixels = 32_000_000;
/** A shorter scroll moves by its own pixels, even if a pixel of the scrollbar stands for many rows. */
const maxFinePixels = 300;
/** A scrollbar with a scale is at its end if it is this near to the end. */
const endTolerance = 3;

/** The vertical place of the view, for any number of rows. It is computed, and nothing is stored per row. */
export class VerticalScroll {
  readonly rowHeight: number;
  #rowCount = 0;
  #viewHeight = 0;
  #cap = maxHeight;
  #physicalTop = 0;
  #top = 0;

  constructor(rowHeight: number) {
    this.rowHeight = rowHeight;
  }

  /** The pixels from the top of the first row to the top of the view, without the browser's limit. */
  get top(): number {
    return this.#top;
  }

  get physicalHeight(): number {
    return Math.min(this.#height, this.#cap);
  }

  /**
   * Returns the new place of the scrollbar if it must move:
   * - a scrollbar at its end leaves room to scroll to rows that have come;
   * - a view of the last row stays there when its height changes.
   *
   * `pixelRatio` is the number of screen pixels for each pixel of the page.
   */
  resize(rowCount: number, viewHeight: number, pixelRatio = 1): number | undefined {
    const cap = Math.min(maxHeight, Math.floor(maxScreenPixels / pixelRatio));
    const isSameScale = cap === this.#cap || Math.min(cap, this.#cap) >= this.#height;
    const stays = rowCount === this.#rowCount && this.#top > 0 && this.#top === this.#lastTop;
    if (stays && viewHeight === this.#viewHeight && isSameScale) return undefined;
    this.#rowCount = rowCount;
    this.#viewHeight = viewHeight;
    this.#cap = cap;
    this.#top = stays ? this.#lastTop : Math.min(this.#top, this.#lastTop);
    if (stays || (!isSameScale && this.#top > 0)) return this.#placeScrollbar();
    // With fewer rows the scale may be gone. The scrollbar is then elsewhere for the same place.
    if (this.#scale === 1) return Math.abs(this.#physicalTop - this.#top) > 1 ? this.#placeScrollbar() : undefined;
    if (this.#top === this.#lastTop || !this.#isAtEnd(this.#physicalTop)) return undefined;
    return this.#placeScrollbar();
  }

  scrolled(physicalTop: number): void {
    const moved = physicalTop - this.#physicalTop;
    this.#physicalTop = physicalTop;
    const atEnd = this.#isAtEnd(physicalTop);
    const fine = this.#scale !== 1 && Math.abs(moved) < maxFinePixels && physicalTop > 0 && !atEnd;
    const top = atEnd ? this.#lastTop : fine ? this.#top + moved : physicalTop * this.#scale;
    this.#top = Math.round(Math.max(0, Math.min(this.#lastTop, top)));
  }

  /** Moves as little as possible to show a row. Returns the new place of the scrollbar. */
  reveal(row: number): number {
    const above = row * this.rowHeight;
    const below = above + this.rowHeight - this.#viewHeight;
    if (above < this.#top) this.#top = above;
    else if (below > this.#top) this.#top = Math.max(0, below);
    return this.#placeScrollbar();
  }

  /** Returns the place of the scrollbar. */
  goTo(top: number): number {
    this.#top = Math.round(Math.max(0, Math.min(this.#lastTop, top)));
    return this.#placeScrollbar();
  }

  visible(): readonly [first: number, end: number] {
    const first = Math.floor(this.#top / this.rowHeight);
    const end = Math.ceil((this.#top + this.#viewHeight) / this.rowHeight);
    return [Math.min(first, this.#rowCount), Math.min(end, this.#rowCount)];
  }

  /** Below a header of one row. A row far out of view is placed just outside: farther away, it would lengthen the scrolled area. */
  offsetOf(row: number): number {
    const offset = (row + 1) * this.rowHeight - this.#top;
    return Math.max(-this.rowHeight, Math.min(this.#viewHeight + this.rowHeight, offset));
  }

  /** Places the scrollbar at an end only if the rows are at their end, too, so that the user can scroll on. */
  #placeScrollbar(): number {
    const between = Math.max(1, Math.min(Math.round(this.#top / this.#scale), this.#physicalEnd - endTolerance - 1));
    const isBetween = this.#top > 0 && this.#top < this.#lastTop;
    this.#physicalTop = this.#scale !== 1 && isBetween ? between : Math.round(this.#top / this.#scale);
    return this.#physicalTop;
  }

  /** A scrollbar may end early: the height may be no whole number of screen pixels, and browsers round great heights. */
  #isAtEnd(physicalTop: number): boolean {
    return physicalTop > this.#physicalEnd - (this.#scale === 1 ? 1 : endTolerance);
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
