import { element } from '../ui/element.ts';
import type { ColumnLayout } from './columnLayout.ts';
import type { GridGeometry } from './gridGeometry.ts';
import type { RowLayer } from './rows/rowLayer.ts';
import { VerticalScroll } from './rows/verticalScroll.ts';
import type { Cell } from './selection/selection.ts';

/** Browsers place elements exactly only within this distance from their first place. */
const maxExactPixels = 100_000;

export interface ScrollPlace {
  readonly top: number;
  readonly left: number;
}

/** Scrolls the grid. A spacer gives the scrollbars their length, and the layer of rows moves under the header. */
export class GridScroll {
  readonly vertical: VerticalScroll;
  readonly #root: HTMLElement;
  readonly #layer: RowLayer;
  readonly #layout: ColumnLayout;
  readonly #spacer = element('div', 'spacer');
  #left = 0;
  /** The vertical place for which the rows were laid out. */
  #anchor = 0;
  /** The place to scroll to at the next paint: a hidden grid cannot be scrolled. */
  #target: ScrollPlace | undefined;

  constructor(root: HTMLElement, layer: RowLayer, layout: ColumnLayout, rowHeight: number) {
    this.#root = root;
    this.#layer = layer;
    this.#layout = layout;
    this.vertical = new VerticalScroll(rowHeight);
    root.append(layer.root, this.#spacer);
  }

  get left(): number {
    return this.#left;
  }

  get place(): ScrollPlace {
    return this.#target ?? { top: this.vertical.top, left: this.#left };
  }

  /** Scrolls at the next paint that has rows. */
  goTo(place: ScrollPlace): void {
    this.#target = place;
  }

  /** Keeps the place of a hidden grid, which the browser scrolls to its beginning. */
  suspend(): void {
    this.#target = this.place;
  }

  fit(rowCount: number, { viewHeight, headerHeight, gutter }: GridGeometry): void {
    const scrollTop = this.vertical.resize(rowCount, viewHeight, devicePixelRatio);
    this.#spacer.style.height = `${this.vertical.physicalHeight + headerHeight}px`;
    this.#spacer.style.width = `${this.#layout.width + gutter}px`;
    if (scrollTop !== undefined) this.#root.scrollTop = scrollTop;
  }

  follow(): void {
    this.vertical.scrolled(this.#root.scrollTop);
  }

  reveal({ row, position }: Cell, geometry: GridGeometry): void {
    this.#root.scrollTop = this.vertical.reveal(row);
    this.revealColumn(position, geometry);
  }

  revealColumn(position: number, { room, frozen }: GridGeometry): void {
    if (position < frozen) return;
    const frozenWidth = this.#layout.left(frozen);
    const left = this.#layout.left(position);
    const right = this.#layout.left(position + 1);
    const { scrollLeft } = this.#root;
    if (left < scrollLeft + frozenWidth) this.#root.scrollLeft = left - frozenWidth;
    else if (right > scrollLeft + room) this.#root.scrollLeft = Math.min(right - room, left - frozenWidth);
  }

  /** Moves the rows for a paint. Returns how far they moved since they were laid out. */
  moveRows(rowCount: number): number {
    if (this.#target && rowCount > 0) {
      this.#root.scrollTop = this.vertical.goTo(this.#target.top);
      this.#root.scrollLeft = this.#target.left;
      this.#target = undefined;
    }
    this.#left = this.#root.scrollLeft;
    const { top } = this.vertical;
    if (Math.abs(top - this.#anchor) > maxExactPixels) this.#anchor = top;
    const moved = this.#anchor - top;
    this.#layer.moveTo(moved);
    return moved;
  }
}
