import type { ColumnLayout } from './columns/columnLayout.ts';
import type { GridFont } from './gridFont.ts';
import type { VerticalScroll } from './rows/verticalScroll.ts';
import type { Cell } from './selection/selection.ts';

const numberPadding = 20;
/** So that the first thousand rows do not move the columns as they come. */
const fewestDigits = 3;

export interface GridGeometryOptions {
  readonly root: HTMLElement;
  readonly layout: ColumnLayout;
  readonly scroll: VerticalScroll;
  readonly font: GridFont;
  readonly rowCount: () => number;
}

/** Such as an event has it. */
export interface PagePoint {
  readonly clientX: number;
  readonly clientY: number;
}

/** Between points of the page and cells of the grid. */
export class GridGeometry {
  readonly #options: GridGeometryOptions;

  constructor(options: GridGeometryOptions) {
    this.#options = options;
  }

  /** The height of what rows are seen in, below the header. */
  get viewHeight(): number {
    const { root, scroll } = this.#options;
    return Math.max(0, root.clientHeight - scroll.rowHeight);
  }

  /** Whole rows that fit into the view, less one to keep in sight when a page is turned. */
  get page(): number {
    return Math.max(1, Math.floor(this.viewHeight / this.#options.scroll.rowHeight) - 1);
  }

  /** The width of the row numbers. */
  get gutter(): number {
    const { rowCount, font } = this.#options;
    const digits = Math.max(fewestDigits, String(rowCount()).length);
    return Math.ceil(digits * font.characterWidth) + numberPadding;
  }

  /** The width that there is for columns. */
  get room(): number {
    return Math.max(0, this.#options.root.clientWidth - this.gutter);
  }

  /** Columns that stay when the others are scrolled. */
  get frozen(): number {
    return this.#options.layout.frozenWithin(this.room);
  }

  /** The cell at a point of the page; from outside, the nearest one. */
  cellAt(clientX: number, clientY: number): Cell {
    const { scroll, rowCount } = this.#options;
    const y = this.#inside(clientX, clientY).y - scroll.rowHeight;
    const row = Math.floor((scroll.top + Math.max(0, Math.min(y, this.viewHeight - 1))) / scroll.rowHeight);
    return { row: Math.max(0, Math.min(row, rowCount() - 1)), position: this.positionAt(clientX) };
  }

  /** The position of the column at a point of the page. */
  positionAt(clientX: number): number {
    const { root, layout } = this.#options;
    const x = Math.max(0, Math.min(this.#inside(clientX, 0).x - this.gutter, this.room - 1));
    return layout.positionAtPixel(x < layout.left(this.frozen) ? x : x + root.scrollLeft);
  }

  /** Where the left edge of a position is seen, from the left edge of the grid. */
  edgeAt(position: number): number {
    const { root, layout } = this.#options;
    const scrolled = position > this.frozen || (position === this.frozen && position === 0) ? root.scrollLeft : 0;
    return Math.max(this.gutter, this.gutter + layout.left(position) - scrolled);
  }

  /**
   * How far a point that is dragged to is outside of where cells are scrolled. What was taken hold of left of there, where
   * nothing scrolls, is not outside while it is dragged there.
   */
  outside(to: PagePoint, from: PagePoint): { readonly x: number; readonly y: number } {
    const { root, layout, scroll } = this.#options;
    const { x, y } = this.#inside(to.clientX, to.clientY);
    const scrolled = this.gutter + layout.left(this.frozen);
    const held = this.#inside(from.clientX, from.clientY).x < scrolled;
    const left = held ? -Infinity : root.scrollLeft > 0 ? scrolled : 0;
    return { x: beyond(x, left, root.clientWidth), y: beyond(y, scroll.rowHeight, root.clientHeight) };
  }

  #inside(clientX: number, clientY: number): { readonly x: number; readonly y: number } {
    const { root } = this.#options;
    const { left, top } = root.getBoundingClientRect();
    return { x: clientX - left - root.clientLeft, y: clientY - top - root.clientTop };
  }
}

const beyond = (value: number, least: number, most: number): number =>
  value < least ? value - least : Math.max(0, value - most);
