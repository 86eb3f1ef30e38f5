import type { ShownValue } from '../../../src/wire/values.ts';
import { element } from '../../ui/element.ts';
import { setAttribute, showLoading, showValue } from '../values/cellContent.ts';
import { CellStrip } from './cellStrip.ts';
import { type Frame, sameCells } from './frame.ts';
import type { GridRow } from './rowCache.ts';

/** The element that a screen reader is told to be at. */
export const activeCellId = 'active-cell';

interface GridCell {
  readonly root: HTMLElement;
  /** What is painted in it, so that it is not painted again. */
  value?: ShownValue | undefined;
  column?: number;
}

/** One row's elements, used again for other rows as the grid scrolls. */
export class GridRowElement {
  readonly root = element('div', 'row');
  readonly #number = element('div', 'cell number');
  readonly #strip: CellStrip<GridCell>;
  #row = -1;
  #y: number | undefined;
  #cells: GridRow | undefined;
  #frame: Frame | undefined;

  constructor() {
    this.root.setAttribute('role', 'row');
    this.#number.setAttribute('role', 'rowheader');
    this.#number.setAttribute('aria-colindex', '1');
    this.#strip = new CellStrip(this.root, this.#number, () => {
      const root = element('div', 'cell');
      root.setAttribute('role', 'gridcell');
      return { root };
    });
  }

  paint(row: number, cells: GridRow | undefined, y: number, frame: Frame): void {
    if (y !== this.#y) this.root.style.transform = `translateY(${y}px)`;
    this.#y = y;
    this.#strip.scroll(frame.x);
    if (row === this.#row && cells === this.#cells && sameCells(this.#frame, frame)) return;
    [this.#row, this.#cells, this.#frame] = [row, cells, frame];
    const { selection, layout } = frame;
    // A service may give rows without a column, which have no cell to be at.
    const hasCells = layout.shown.length > 0;
    const active = hasCells && row === selection.active.row ? selection.active.position : undefined;
    this.root.setAttribute('aria-rowindex', String(row + 2));
    this.root.style.width = `${frame.width}px`;
    this.root.classList.toggle('odd', row % 2 === 1);
    this.#showNumber(row, frame);
    this.#number.classList.toggle('active', active !== undefined);
    this.#number.setAttribute('aria-selected', String(selection.hasRow(row, layout.shown.length)));
    this.#strip.lay(frame, active, (cell, position) => {
      this.#paintValue(cell, layout.columnAt(position), frame);
      const { root } = cell;
      const selected = selection.contains(row, position);
      root.classList.toggle('selected', selected);
      root.classList.toggle('active', position === active);
      setAttribute(root, 'id', position === active ? activeCellId : undefined);
      root.setAttribute('aria-selected', String(selected));
    });
  }

  #showNumber(row: number, { labels, isRepeated }: Frame): void {
    const repeated = isRepeated(row);
    this.#number.textContent = String(row + 1);
    this.#number.title = repeated ? labels.repeatedRow : '';
    setAttribute(this.#number, 'aria-description', repeated ? labels.repeatedRow : undefined);
    this.root.classList.toggle('repeated', repeated);
  }

  #paintValue(cell: GridCell, column: number, { columns, labels }: Frame): void {
    const value = this.#cells?.[column];
    if (value !== undefined && cell.value === value) return;
    if (value === undefined && cell.value === undefined && cell.column === column) return;
    cell.value = value;
    cell.column = column;
    if (value) showValue(cell.root, value, labels);
    else showLoading(cell.root, columns[column]?.name ?? '', labels);
  }
}
