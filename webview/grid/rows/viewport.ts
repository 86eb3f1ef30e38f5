import type { GridColumn } from '../../../src/protocol/results.ts';
import type { ColumnLayout } from '../columnLayout.ts';
import type { ChangedCells } from '../comparison/changedCells.ts';
import type { Selection } from '../selection/selection.ts';
import type { RowCache } from './rowCache.ts';
import { element, resizeList } from '../../ui/element.ts';

/** The columns in view, and all else that the rows of one paint share. */
export interface Viewport {
  readonly columns: readonly GridColumn[];
  readonly showsTypes: boolean;
  readonly layout: ColumnLayout;
  readonly selection: Selection;
  /** Numbers are aligned to the right. */
  readonly isNumeric: (column: number) => boolean;
  /** The number of rows above the result's first row, for screen readers. */
  readonly headerRows: number;
  readonly cache: RowCache;
  /** Set for a comparison. */
  readonly changes: ChangedCells | undefined;
  readonly frozen: number;
  /** After the frozen columns. */
  readonly visible: readonly [first: number, end: number];
  readonly gutter: number;
  readonly scrollLeft: number;
  readonly width: number;
  /** Changes with the layout, the selection and the arrangement, but not with scrolling. */
  readonly version: number;
}

export const numbersIn = ([first, end]: readonly [first: number, end: number]): number[] =>
  Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i);

/** The positions that get cells: the frozen ones, those in view, and `extra` even out of view. */
export function positionsToMount({ frozen, visible }: Viewport, extra: number | undefined): number[] {
  const scrolled = numbersIn(visible);
  if (extra !== undefined && extra >= frozen && extra < visible[0]) scrolled.unshift(extra);
  if (extra !== undefined && extra >= Math.max(frozen, visible[1])) scrolled.push(extra);
  return [...numbersIn([0, frozen]), ...scrolled];
}

/** Whether both viewports have the same cells at the same places. */
export const hasSameCells = (one: Viewport | undefined, other: Viewport): boolean =>
  one?.version === other.version &&
  one.visible[0] === other.visible[0] &&
  one.visible[1] === other.visible[1] &&
  one.frozen === other.frozen &&
  one.gutter === other.gutter &&
  one.width === other.width;

/** The cells of one row. The row number and frozen cells stay in place, and the others scroll below them. */
export class CellStrip<Cell extends { readonly root: HTMLElement }> {
  readonly #createCell: () => Cell;
  readonly #fixed = element('div', 'fixed', { role: 'presentation' });
  readonly #track = element('div', 'track', { role: 'presentation' });
  readonly #fixedCells: Cell[] = [];
  readonly #trackCells: Cell[] = [];
  readonly #rowNumber: HTMLElement;
  #scrollLeft: number | undefined;

  constructor(row: HTMLElement, rowNumber: HTMLElement, createCell: () => Cell) {
    this.#createCell = createCell;
    this.#rowNumber = rowNumber;
    this.#fixed.append(rowNumber);
    row.append(this.#fixed, this.#track);
  }

  /** Places and paints the cells in view, and the cell at `extra` even out of view. */
  layOut(viewport: Viewport, extra: number | undefined, paint: (cell: Cell, position: number) => void): void {
    const { layout, gutter, frozen } = viewport;
    this.#rowNumber.style.width = `${gutter}px`;
    const positions = positionsToMount(viewport, extra);
    this.#fill(this.#fixed, this.#fixedCells, frozen);
    this.#fill(this.#track, this.#trackCells, positions.length - frozen);
    [...this.#fixedCells, ...this.#trackCells].forEach((cell, i) => {
      const position = positions[i] ?? 0;
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
    resizeList(cells, count, () => {
      const cell = this.#createCell();
      parent.append(cell.root);
      return cell;
    });
  }
}
