import { element } from '../../ui/element.ts';
import type { Frame } from './frame.ts';
import { positionsOf } from './frame.ts';

/** The cells of one row: those that stay, with the row's number before them, and those that scroll below them. */
export class CellStrip<Cell extends { readonly root: HTMLElement }> {
  readonly #make: () => Cell;
  readonly #fixed = element('div', 'fixed');
  readonly #track = element('div', 'track');
  readonly #fixedCells: Cell[] = [];
  readonly #trackCells: Cell[] = [];
  readonly #first: HTMLElement;
  #x: number | undefined;

  constructor(row: HTMLElement, first: HTMLElement, make: () => Cell) {
    this.#make = make;
    this.#first = first;
    for (const part of [this.#fixed, this.#track]) part.setAttribute('role', 'presentation');
    this.#fixed.append(first);
    row.append(this.#fixed, this.#track);
  }

  /** Puts cells where the frame wants them, one more at `extra` when that is out of view, and has each painted. */
  lay(frame: Frame, extra: number | undefined, paint: (cell: Cell, position: number) => void): void {
    const { layout, gutter, frozen } = frame;
    this.#first.style.width = `${gutter}px`;
    this.#fill(this.#fixed, this.#fixedCells, frozen);
    const scrolled = positionsOf(frame.visible);
    if (extra !== undefined && extra >= frozen && extra < frame.visible[0]) scrolled.unshift(extra);
    if (extra !== undefined && extra >= Math.max(frozen, frame.visible[1])) scrolled.push(extra);
    this.#fill(this.#track, this.#trackCells, scrolled.length);
    [...this.#fixedCells, ...this.#trackCells].forEach((cell, i) => {
      const position = i < frozen ? i : (scrolled[i - frozen] ?? 0);
      const { root } = cell;
      // The row's number is the first column.
      root.setAttribute('aria-colindex', String(position + 2));
      root.style.left = `${gutter + layout.left(position)}px`;
      root.style.width = `${layout.widthAt(position)}px`;
      root.classList.toggle('last-frozen', position === frozen - 1);
      paint(cell, position);
    });
  }

  scroll(x: number): void {
    if (x === this.#x) return;
    this.#x = x;
    this.#track.style.transform = `translateX(${-x}px)`;
  }

  #fill(parent: HTMLElement, cells: Cell[], count: number): void {
    while (cells.length < count) {
      const cell = this.#make();
      cells.push(cell);
      parent.append(cell.root);
    }
    while (cells.length > count) cells.pop()?.root.remove();
  }
}
