import { element } from '../../ui/element.ts';
import { positionsIn, type Viewport } from './viewport.ts';

/** The cells of one row: the row number and frozen cells stay in place, the others scroll below them. */
export class CellStrip<Cell extends { readonly root: HTMLElement }> {
  readonly #createCell: () => Cell;
  readonly #fixed = element('div', 'fixed');
  readonly #track = element('div', 'track');
  readonly #fixedCells: Cell[] = [];
  readonly #trackCells: Cell[] = [];
  readonly #rowNumber: HTMLElement;
  #scrollLeft: number | undefined;

  constructor(row: HTMLElement, rowNumber: HTMLElement, createCell: () => Cell) {
    this.#createCell = createCell;
    this.#rowNumber = rowNumber;
    for (const part of [this.#fixed, this.#track]) part.setAttribute('role', 'presentation');
    this.#fixed.append(rowNumber);
    row.append(this.#fixed, this.#track);
  }

  /** Places and paints the cells in view, and the cell at `extra` even when it is out of view. */
  layOut(viewport: Viewport, extra: number | undefined, paint: (cell: Cell, position: number) => void): void {
    const { layout, gutter, frozen, visible } = viewport;
    this.#rowNumber.style.width = `${gutter}px`;
    this.#fill(this.#fixed, this.#fixedCells, frozen);
    const scrolled = positionsIn(visible);
    if (extra !== undefined && extra >= frozen && extra < visible[0]) scrolled.unshift(extra);
    if (extra !== undefined && extra >= Math.max(frozen, visible[1])) scrolled.push(extra);
    this.#fill(this.#track, this.#trackCells, scrolled.length);
    [...this.#fixedCells, ...this.#trackCells].forEach((cell, i) => {
      const position = i < frozen ? i : (scrolled[i - frozen] ?? 0);
      const { root } = cell;
      // The row number is the first column.
      root.setAttribute('aria-colindex', String(position + 2));
      root.style.left = `${gutter + layout.left(position)}px`;
      root.style.width = `${layout.widthAt(position)}px`;
      root.classList.toggle('last-frozen', position === frozen - 1);
      paint(cell, position);
    });
  }

  scrollTo(scrollLeft: number): void {
    if (scrollLeft === this.#scrollLeft) return;
    this.#scrollLeft = scrollLeft;
    this.#track.style.transform = `translateX(${-scrollLeft}px)`;
  }

  #fill(parent: HTMLElement, cells: Cell[], count: number): void {
    while (cells.length < count) {
      const cell = this.#createCell();
      cells.push(cell);
      parent.append(cell.root);
    }
    while (cells.length > count) cells.pop()?.root.remove();
  }
}
