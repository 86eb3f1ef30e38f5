import type { ColumnLayout } from './columnLayout.ts';
import type { GridFont } from './gridFont.ts';
import type { VerticalScroll } from './rows/verticalScroll.ts';
import type { Cell } from './selection/selection.ts';

const numberPadding = 20;
/** Room for a thousand rows, so that columns do not move while the first rows come. */
const minDigits = 3;

interface GridGeometryOptions {
  readonly root: HTMLElement;
  readonly layout: ColumnLayout;
  readonly scroll: VerticalScroll;
  readonly font: GridFont;
  readonly rowCount: () => number;
  readonly headerHeight: () => number;
}

/** A point of the page, such as a pointer event. */
interface PagePoint {
  readonly clientX: number;
  readonly clientY: number;
}

/** Converts between points of the page and cells of the grid. */
export class GridGeometry {
  readonly #options: GridGeometryOptions;

  constructor(options: GridGeometryOptions) {
    this.#options = options;
  }

  get headerHeight(): number {
    return this.#options.headerHeight();
  }

  get viewHeight(): number {
    return Math.max(0, this.#options.root.clientHeight - this.headerHeight);
  }

  /** PageDown moves by one row fewer than fit, so that one row stays in view. */
  get pageRows(): number {
    return Math.max(1, Math.floor(this.viewHeight / this.#options.scroll.rowHeight) - 1);
  }

  get gutter(): number {
    const { rowCount, font } = this.#options;
    return gutterFor(rowCount(), font);
  }

  get room(): number {
    return Math.max(0, this.#options.root.clientWidth - this.gutter);
  }

  get frozen(): number {
    return this.#options.layout.frozenWithin(this.room);
  }

  /** For a point outside of the grid, the nearest cell. */
  cellAt(clientX: number, clientY: number): Cell {
    const { scroll, rowCount } = this.#options;
    const y = this.#toGrid(clientX, clientY).y - this.headerHeight;
    const row = Math.floor((scroll.top + Math.max(0, Math.min(y, this.viewHeight - 1))) / scroll.rowHeight);
    return { row: Math.max(0, Math.min(row, rowCount() - 1)), position: this.positionAt(clientX) };
  }

  positionAt(clientX: number): number {
    const { root, layout } = this.#options;
    const x = Math.max(0, Math.min(this.#toGrid(clientX, 0).x - this.gutter, this.room - 1));
    return layout.positionAtPixel(x < layout.left(this.frozen) ? x : x + root.scrollLeft);
  }

  /** The visible left edge of a column, in pixels from the left edge of the grid. */
  edgeAt(position: number): number {
    const { root, layout } = this.#options;
    const scrolled = position > this.frozen || (position === this.frozen && position === 0) ? root.scrollLeft : 0;
    return Math.max(this.gutter, this.gutter + layout.left(position) - scrolled);
  }

  /** How far a drag has left the area that scrolls. One that started on frozen columns never leaves it on the left. */
  distanceOutside(to: PagePoint, from: PagePoint): { readonly x: number; readonly y: number } {
    const { root, layout } = this.#options;
    const { x, y } = this.#toGrid(to.clientX, to.clientY);
    const scrolledFrom = this.gutter + layout.left(this.frozen);
    const startedLeft = this.#toGrid(from.clientX, from.clientY).x < scrolledFrom;
    const left = startedLeft ? -Infinity : root.scrollLeft > 0 ? scrolledFrom : 0;
    return {
      x: distanceBeyond(x, left, root.clientWidth),
      y: distanceBeyond(y, this.headerHeight, root.clientHeight),
    };
  }

  #toGrid(clientX: number, clientY: number): { readonly x: number; readonly y: number } {
    const { root } = this.#options;
    const { left, top } = root.getBoundingClientRect();
    return { x: clientX - left - root.clientLeft, y: clientY - top - root.clientTop };
  }
}

const distanceBeyond = (value: number, min: number, max: number): number =>
  value < min ? value - min : Math.max(0, value - max);

function gutterFor(rowCount: number, { characterWidth }: GridFont): number {
  const digits = Math.max(minDigits, String(rowCount).length);
  return Math.ceil(digits * characterWidth) + numberPadding;
}

/** The borders of the grid, and a scrollbar. */
const edgeWidth = 20;

/** The width for columns before the grid is in the page. */
export const roomFor = (rowCount: number, width: number, font: GridFont): number =>
  width - gutterFor(rowCount, font) - edgeWidth;
