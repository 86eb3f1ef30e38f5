import type { Column } from '../../src/wire/values.ts';
import { element } from '../ui/element.ts';
import { ColumnLayout } from './columnLayout.ts';
import { GridRowElement, place } from './gridRow.ts';
import { type Cell, moveBy } from './movement.ts';
import type { FetchRows } from './rowCache.ts';
import { RowCache } from './rowCache.ts';
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
  readonly #layer = element('div', 'layer');
  readonly #header = element('div', 'row header');
  readonly #spacer = element('div', 'spacer');
  readonly #mounted = new Map<number, GridRowElement>();
  readonly #observer = new ResizeObserver(() => this.#invalidate());
  #rowCount = 0;
  #active: Cell = { row: 0, column: 0 };
  #frame = 0;

  constructor(options: GridOptions) {
    this.#options = options;
    this.#layout = new ColumnLayout(options.columns, options.first.rows, options.characterWidth);
    this.#cache = new RowCache(options.columns.length, options.fetch, () => this.#invalidate());
    this.#cache.offer(options.first);
    this.root.setAttribute('role', 'grid');
    this.root.setAttribute('aria-label', options.label);
    this.root.setAttribute('aria-colcount', String(options.columns.length));
    this.root.tabIndex = 0;
    this.#header.setAttribute('role', 'row');
    this.#header.setAttribute('aria-rowindex', '1');
    this.#layer.setAttribute('role', 'rowgroup');
    this.#layer.append(this.#header);
    this.root.append(this.#layer, this.#spacer);
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
    const extent = { rows: this.#rowCount, columns: this.#options.columns.length, page };
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
    this.#paintRows(Math.max(0, first - overscan), Math.min(this.#rowCount, end + overscan), visible, x);
    this.root.setAttribute('aria-activedescendant', this.#rowCount > 0 ? 'active-cell' : '');
  }

  #paintRows(first: number, end: number, visible: readonly [number, number], x: number): void {
    const wanted = new Set<number>();
    for (let row = first; row < end; row++) wanted.add(row);
    // A screen reader follows the active cell, so its row stays even when it is scrolled out of view.
    if (this.#active.row < this.#rowCount) wanted.add(this.#active.row);
    const free: GridRowElement[] = [];
    for (const [row, mounted] of this.#mounted) {
      if (wanted.has(row)) continue;
      this.#mounted.delete(row);
      free.push(mounted);
    }
    for (const row of wanted) {
      const mounted = this.#mounted.get(row) ?? free.pop() ?? this.#addRow();
      this.#mounted.set(row, mounted);
      const isActive = row === this.#active.row;
      mounted.paint({
        row,
        cells: this.#cache.get(row),
        columns: this.#options.columns,
        layout: this.#layout,
        visible: isActive ? including(visible, this.#active.column) : visible,
        x,
        y: (row + 1) * rowHeight - this.#scroll.top,
        activeColumn: isActive ? this.#active.column : undefined,
        loading: this.#options.loading,
      });
    }
    for (const { root } of free) root.remove();
  }

  #addRow(): GridRowElement {
    const row = new GridRowElement();
    this.#layer.append(row.root);
    return row;
  }

  #paintHeader([first, end]: readonly [number, number], x: number): void {
    this.#header.style.transform = `translate(${-x}px, 0)`;
    this.#header.style.width = `${this.#layout.width}px`;
    const cells = this.#options.columns.slice(first, end).map(({ name, type }, i) => {
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
