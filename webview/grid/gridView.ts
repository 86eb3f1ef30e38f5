import type { GridLabels } from '../../src/protocol/labels.ts';
import type { Arrangement } from '../../src/protocol/rowQueries.ts';
import type { Column } from '../../src/wire/values.ts';
import { element } from '../ui/element.ts';
import type { ColumnLayout } from './columns/columnLayout.ts';
import { HeaderRow } from './columns/headerRow.ts';
import type { GridFont } from './gridFont.ts';
import { GridGeometry } from './gridGeometry.ts';
import type { Frame } from './rows/frame.ts';
import { activeCellId } from './rows/gridRow.ts';
import type { RowCache } from './rows/rowCache.ts';
import { RowLayer, rowsToMount } from './rows/rowLayer.ts';
import { VerticalScroll } from './rows/verticalScroll.ts';
import type { Cell, Selection } from './selection/selection.ts';

/** Rows painted beyond the view, so that a slow frame shows no gap. */
const overscan = 6;
/** Browsers place elements exactly only so far from where they began. */
const farthest = 100_000;

export interface GridViewOptions {
  readonly columns: readonly Column[];
  readonly layout: ColumnLayout;
  readonly selection: Selection;
  readonly cache: RowCache;
  readonly labels: GridLabels;
  readonly font: GridFont;
  readonly arrangement: () => Arrangement;
  /** A row that is read elsewhere, and has to be there even when it is out of view. */
  readonly alsoWanted: () => number | undefined;
  /** Called after rows were painted, now that they are in the page. */
  readonly painted: (root: HTMLElement) => void;
}

export interface ScrollPlace {
  readonly top: number;
  readonly left: number;
}

/** The grid itself. It keeps elements for what is in view and pulls those rows; the rest is arithmetic. */
export class GridView {
  readonly root = element('div', 'grid');
  readonly geometry: GridGeometry;
  readonly #options: GridViewOptions;
  readonly #scroll: VerticalScroll;
  readonly #header = new HeaderRow();
  readonly #rows = new RowLayer(this.#header.root);
  readonly #spacer = element('div', 'spacer');
  readonly #observer = new ResizeObserver(() => this.#invalidate());
  #columns: readonly Column[];
  #rowCount = 0;
  #frame = 0;
  #stamp = 0;
  #x = 0;
  /** How far the grid was scrolled when the rows were put where they stand. */
  #putAt = 0;
  /** Where to go when the grid is next seen, since it cannot be scrolled before. */
  #goTo: ScrollPlace | undefined;

  constructor(options: GridViewOptions) {
    this.#options = options;
    this.#columns = options.columns;
    const { layout, font } = options;
    this.#scroll = new VerticalScroll(font.rowHeight);
    this.geometry = new GridGeometry({
      ...{ root: this.root, layout, scroll: this.#scroll, font },
      rowCount: () => this.#rowCount,
    });
    this.root.setAttribute('role', 'grid');
    this.root.setAttribute('aria-multiselectable', 'true');
    this.root.setAttribute('aria-readonly', 'true');
    this.root.style.setProperty('--row-height', `${font.rowHeight}px`);
    this.root.tabIndex = 0;
    this.root.append(this.#rows.root, this.#spacer);
    this.root.addEventListener('scroll', () => this.#onScroll(), { passive: true });
    this.#observer.observe(this.root);
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  get columns(): readonly Column[] {
    return this.#columns;
  }

  get scrolled(): ScrollPlace {
    return this.#goTo ?? { top: this.#scroll.top, left: this.#x };
  }

  setRowCount(rowCount: number): void {
    if (rowCount === this.#rowCount) return;
    this.#rowCount = rowCount;
    this.root.setAttribute('aria-rowcount', String(rowCount + 1));
    this.#invalidate();
  }

  /** What became known of the columns since: their types, which come with the end of the answer. */
  setColumns(columns: readonly Column[]): void {
    if (columns.every(({ type }, i) => type === this.#columns[i]?.type)) return;
    this.#columns = columns;
    this.changed();
  }

  /** The layout, the selection or what the marks tell of is another. */
  changed(): void {
    this.#stamp++;
    this.#invalidate();
  }

  /** Rows have come. */
  refresh(): void {
    this.#invalidate();
  }

  /** Has what would be painted with the next frame painted now, for who asks where it is. */
  settle(): void {
    if (this.#frame === 0) return;
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#render();
  }

  scrollTo(place: ScrollPlace): void {
    this.#goTo = place;
    this.#invalidate();
  }

  scrollBy(x: number, y: number): void {
    this.root.scrollBy(x, y);
  }

  /** Scrolls as little as is needed to show a cell. */
  reveal({ row, position }: Cell): void {
    if (this.root.clientHeight === 0) return;
    this.#resize();
    this.root.scrollTop = this.#scroll.reveal(row);
    const { layout } = this.#options;
    const { room, frozen } = this.geometry;
    if (position >= frozen) {
      const [left, right] = [layout.left(position), layout.left(position + 1)];
      const x = this.root.scrollLeft;
      if (left < x + layout.left(frozen)) this.root.scrollLeft = left - layout.left(frozen);
      else if (right > x + room) this.root.scrollLeft = Math.min(right - room, left - layout.left(frozen));
    }
    this.changed();
  }

  /** The rows in view: from the first to before the second. */
  visibleRows(): readonly [number, number] {
    return this.#scroll.visible();
  }

  dispose(): void {
    this.#observer.disconnect();
    cancelAnimationFrame(this.#frame);
    this.root.remove();
  }

  #invalidate(): void {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#render();
    });
  }

  #onScroll(): void {
    // What is hidden is scrolled to its beginning by the browser, which is nobody's wish.
    if (this.root.clientHeight === 0) return;
    // Rows that have come since the last frame count for what the scrollbar means.
    this.#resize();
    this.#scroll.scrolled(this.root.scrollTop);
    this.#render();
  }

  #resize(): void {
    const scrollTop = this.#scroll.resize(this.#rowCount, this.geometry.viewHeight, devicePixelRatio);
    this.#spacer.style.height = `${this.#scroll.physicalHeight + this.#scroll.rowHeight}px`;
    this.#spacer.style.width = `${this.#options.layout.width + this.geometry.gutter}px`;
    if (scrollTop !== undefined) this.root.scrollTop = scrollTop;
  }

  #render(): void {
    if (this.root.clientHeight === 0) {
      this.#goTo ??= { top: this.#scroll.top, left: this.#x };
      return;
    }
    this.#resize();
    this.#goToPlace();
    this.#x = this.root.scrollLeft;
    const { cache, selection, arrangement, alsoWanted } = this.#options;
    const frame = this.#takeFrame();
    const [first, end] = this.#scroll.visible();
    cache.want([first, end], this.#rowCount, alsoWanted());
    this.#header.paint(frame, arrangement());
    const near = [Math.max(0, first - overscan), Math.min(this.#rowCount, end + overscan)] as const;
    const active = selection.active.row < this.#rowCount ? selection.active.row : undefined;
    const moved = this.#moveRows();
    this.#rows.show(rowsToMount(near, active), (row, painted) =>
      painted.paint(row, cache.get(row), this.#scroll.offsetOf(row) - moved, frame),
    );
    const columnCount = this.#options.layout.shown.length;
    this.root.setAttribute('aria-colcount', String(columnCount + 1));
    this.root.setAttribute('aria-activedescendant', this.#rowCount > 0 && columnCount > 0 ? activeCellId : '');
    this.#options.painted(this.#rows.root);
  }

  /** Rows stay where they were put, and what they stand in moves, unless that would be too far for exact places. */
  #moveRows(): number {
    const { top } = this.#scroll;
    if (Math.abs(top - this.#putAt) > farthest) this.#putAt = top;
    this.#rows.moveTo(this.#putAt - top);
    return this.#putAt - top;
  }

  #goToPlace(): void {
    if (!this.#goTo || this.#rowCount === 0) return;
    this.root.scrollTop = this.#scroll.goTo(this.#goTo.top);
    this.root.scrollLeft = this.#goTo.left;
    this.#goTo = undefined;
  }

  #takeFrame(): Frame {
    const { layout, selection, labels, cache } = this.#options;
    const { room, frozen } = this.geometry;
    const [first, end] = layout.visible(this.#x + layout.left(frozen), this.#x + room);
    return {
      ...{ columns: this.#columns, layout, selection, labels, frozen, x: this.#x, stamp: this.#stamp },
      ...{ visible: [Math.max(frozen, first), end], gutter: this.geometry.gutter },
      isRepeated: row => cache.isRepeated(row),
      width: Math.min(this.root.clientWidth, layout.width + this.geometry.gutter),
    };
  }
}
