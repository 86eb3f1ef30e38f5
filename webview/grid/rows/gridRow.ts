import type { ShownValue } from '../../../src/wire/values.ts';
import { element, setAttribute } from '../../ui/element.ts';
import { showLink, showLoading, showValue } from '../values/cellContent.ts';
import { CellStrip } from './cellStrip.ts';
import type { GridRow } from './rowCache.ts';
import { hasSameCells, type Viewport } from './viewport.ts';

/** The active cell's element, which aria-activedescendant names. */
export const activeCellId = 'active-cell';

interface GridCell {
  readonly root: HTMLElement;
  /** The value that the cell shows, so that it is not painted again. */
  value?: ShownValue | undefined;
  column?: number;
  /** The type of the column may come after the value. */
  type?: string;
  references?: string | undefined;
}

/** The elements of one row. They are reused for other rows while the grid is scrolled. */
export class GridRowElement {
  readonly root = element('div', 'row');
  readonly #number = element('div', 'cell number');
  readonly #strip: CellStrip<GridCell>;
  #row = -1;
  #y: number | undefined;
  #cells: GridRow | undefined;
  #viewport: Viewport | undefined;

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

  paint(row: number, cells: GridRow | undefined, y: number, viewport: Viewport): void {
    if (y !== this.#y) this.root.style.transform = `translateY(${y}px)`;
    this.#y = y;
    this.#strip.scrollTo(viewport.scrollLeft);
    if (row === this.#row && cells === this.#cells && hasSameCells(this.#viewport, viewport)) return;
    this.#row = row;
    this.#cells = cells;
    this.#viewport = viewport;
    const { selection, layout, headerRows } = viewport;
    // A service may return rows without columns: they have no active cell.
    const hasCells = layout.shown.length > 0;
    const active = hasCells && row === selection.active.row ? selection.active.position : undefined;
    this.root.setAttribute('aria-rowindex', String(headerRows + row + 1));
    this.root.style.width = `${viewport.width}px`;
    this.root.classList.toggle('odd', row % 2 === 1);
    this.#showNumber(row, viewport);
    this.#number.classList.toggle('active', active !== undefined);
    this.#number.setAttribute('aria-selected', String(selection.hasRow(row, layout.shown.length)));
    this.#strip.layOut(viewport, active, (cell, position) => {
      this.#paintValue(cell, layout.columnAt(position), viewport);
      const { root } = cell;
      const selected = selection.contains(row, position);
      root.classList.toggle('selected', selected);
      root.classList.toggle('active', position === active);
      root.classList.toggle('numeric', viewport.isNumeric(layout.columnAt(position)));
      setAttribute(root, 'id', position === active ? activeCellId : undefined);
      root.setAttribute('aria-selected', String(selected));
    });
  }

  #showNumber(row: number, { labels, isRepeated }: Viewport): void {
    const repeated = isRepeated(row);
    this.#number.textContent = String(row + 1);
    this.#number.title = repeated ? labels.repeatedRow : '';
    setAttribute(this.#number, 'aria-description', repeated ? labels.repeatedRow : undefined);
    this.root.classList.toggle('repeated', repeated);
  }

  #paintValue(cell: GridCell, column: number, { columns, labels }: Viewport): void {
    const value = this.#cells?.[column];
    const { type = '', references } = columns[column] ?? {};
    if (value !== undefined && cell.value === value && cell.type === type && cell.references === references) return;
    if (value === undefined && cell.value === undefined && cell.column === column) return;
    cell.value = value;
    cell.column = column;
    cell.type = type;
    cell.references = references;
    if (!value) return showLoading(cell.root, columns[column]?.name ?? '', labels);
    showValue(cell.root, value, type, labels);
    if (value.kind !== 'null' && references !== undefined) showLink(cell.root, references, labels);
  }
}
