import type { Column } from '../../src/wire/values.ts';
import { element } from '../ui/element.ts';
import { ColumnLayout } from './columnLayout.ts';
import { place } from './gridRow.ts';
import { type Cell, moveBy } from './movement.ts';
import type { FetchRows } from './rowCache.ts';
import { RowCache } from './rowCache.ts';
import { RowLayer, rowsToMount } from './rowLayer.ts';
import { VerticalScroll } from './verticalScroll.ts';
import type { RowWindow } from '../../src/protocol/results.ts';

const rowHeight = 24;
/** Rows painted beyond the view, so that a slow frame shows no gap. */
const overscan = 4;

export interface GridOptions {
  readonly columns: readonly Column[];
  readonly first: RowWindow;
  readonly label: string;
  readonly loading: string;
  /** Of the grid's font, in pixels. */
  readonly characterWidth: number;
  readonly fetch: FetchRows;
}

/** The grid of one result. It keeps elements for what is in view and pulls those rows; the rest is arithmetic. */
export class GridView {
  readonly root = element('div', 'grid');
  readonly #options: GridOptions;
  readonly #layout: ColumnLayout;
  readonly #scroll = new VerticalScroll(rowHeight);
  readonly #cache: RowCache;
  readonly #header = element('div', 'row header');
  readonly #rows = new RowLayer(this.#header);
  readonly #spacer = element('div', 'spacer');
  readonly #observer = new ResizeObserver(() => this.#invalidate());
  #columns: readonly Column[];
  #rowCount = 0;
  #active: Cell = { row: 0, column: 0 };
  #frame = 0;

  constructor(options: GridOptions) {
    this.#options = options;
    this.#columns = options.columns;
    this.#layout = new ColumnLayout(options.columns, options.first.rows, options.characterWidth);
    this.#cache = new RowCache(options.columns.length, options.fetch, () => this.#invalidate());
    this.#cache.offer(options.first);
    this.root.setAttribute('role', 'grid');
    this.root.setAttribute('aria-label', options.label);
    this.root.setAttribute('aria-colcount', String(options.columns.length));
    this.root.tabIndex = 0;
    this.#header.setAttribute('role', 'row');
    this.#header.setAttribute('aria-rowindex', '1');
    this.root.append(this.#rows.root, this.#spacer);
    this.root.addEventListener('scroll', () => this.#onScroll(), { passive: true });
    this.root.addEventListener('keydown', event => this.#onKey(event));
    this.root.addEventListener('mousedown', event => this.#onPress(event));
    this.#observer.observe(this.root);
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
    this.#invalidate();
  }

  dispose(): void {
    this.#observer.disconnect();
    cancelAnimationFrame(this.#frame);
    this.#cache.dispose();
    this.root.remove();
  }

  #invalidate(): void {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#render();
    });
  }

  #onScroll(): void {
    this.#scroll.scrolled(this.root.scrollTop);
    this.#render();
  }

  #onKey(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(this.#viewHeight / rowHeight) - 1);
    const extent = { rows: this.#rowCount, columns: this.#columns.length, page };
    const target = moveBy(event, this.#active, extent);
    if (!target) return;
    event.preventDefault();
    this.#activate(target);
  }

  #onPress({ target }: MouseEvent): void {
    const cell = target instanceof Element ? target.closest('[role="gridcell"]') : null;
    const row = Number(cell?.parentElement?.getAttribute('aria-rowindex')) - 2;
    const column = Number(cell?.getAttribute('aria-colindex')) - 1;
    if (cell && row >= 0) this.#activate({ row, column });
  }

  #activate(cell: Cell): void {
    this.#active = cell;
    this.root.scrollTop = this.#scroll.reveal(cell.row);
    const [left, width] = [this.#layout.left(cell.column), this.#layout.widthOf(cell.column)];
    if (left < this.root.scrollLeft) this.root.scrollLeft = left;
    else if (left + width > this.root.scrollLeft + this.root.clientWidth) {
      this.root.scrollLeft = left + width - this.root.clientWidth;
    }
    this.#render();
  }

  get #viewHeight(): number {
    return Math.max(0, this.root.clientHeight - rowHeight);
  }

  #render(): void {
    this.#scroll.resize(this.#rowCount, this.#viewHeight);
    this.#spacer.style.height = `${this.#scroll.physicalHeight + rowHeight}px`;
    this.#spacer.style.width = `${this.#layout.width}px`;
    const x = this.root.scrollLeft;
    const visible = this.#layout.visible(x, x + this.root.clientWidth);
    const [first, end] = this.#scroll.visible();
    this.#cache.want(first, end, this.#rowCount);
    this.#paintHeader(visible, x);
    const { row: active, column } = this.#active;
    const near = [Math.max(0, first - overscan), Math.min(this.#rowCount, end + overscan)] as const;
    this.#rows.show(rowsToMount(near, active < this.#rowCount ? active : undefined), (row, painted) =>
      painted.paint({
        row,
        cells: this.#cache.get(row),
        columns: this.#columns,
        layout: this.#layout,
        visible: row === active ? including(visible, column) : visible,
        x,
        y: this.#scroll.offsetOf(row),
        activeColumn: row === active ? column : undefined,
        loading: this.#options.loading,
      }),
    );
    this.root.setAttribute('aria-activedescendant', this.#rowCount > 0 ? 'active-cell' : '');
  }

  #paintHeader([first, end]: readonly [number, number], x: number): void {
    this.#header.style.transform = `translate(${-x}px, 0)`;
    this.#header.style.width = `${this.#layout.width}px`;
    const cells = this.#columns.slice(first, end).map(({ name, type }, i) => {
      const cell = element('div', 'cell', name);
      cell.setAttribute('role', 'columnheader');
      cell.title = type ? `${name} ${type}` : name;
      place(cell, this.#layout, first + i);
      return cell;
    });
    this.#header.replaceChildren(...cells);
  }
}

const including = ([first, end]: readonly [number, number], column: number): readonly [number, number] => [
  Math.min(first, column),
  Math.max(end, column + 1),
];
