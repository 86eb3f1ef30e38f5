import { element } from '../../ui/element.ts';
import { GridRowElement } from './gridRow.ts';

/** The elements of the rows in view. They stand in the page as the rows in the result, for who reads it in order. */
export class RowLayer {
  readonly root = element('div', 'layer');
  /** Moves as a whole when the grid is scrolled, so that rows in view are painted once and not with each frame. */
  readonly #body = element('div', 'rows');
  readonly #mounted = new Map<number, GridRowElement>();

  constructor(header: HTMLElement) {
    this.root.setAttribute('role', 'rowgroup');
    this.#body.setAttribute('role', 'presentation');
    this.root.append(header, this.#body);
  }

  /** Moves all rows, to so many pixels from where they were put. */
  moveTo(y: number): void {
    this.#body.style.transform = `translateY(${y}px)`;
  }

  /** Has each of these rows painted, which ascend. Elements of rows that are no longer shown are used again. */
  show(rows: readonly number[], paint: (row: number, painted: GridRowElement) => void): void {
    const free = this.#release(new Set(rows));
    let previous: HTMLElement | undefined;
    for (const row of rows) {
      let mounted = this.#mounted.get(row);
      if (!mounted) {
        mounted = free.pop() ?? new GridRowElement();
        this.#mounted.set(row, mounted);
        // Those that were there are in order already, so that only those that are new move.
        if (!previous) this.#body.prepend(mounted.root);
        else if (previous.nextElementSibling !== mounted.root) previous.after(mounted.root);
      }
      paint(row, mounted);
      previous = mounted.root;
    }
    for (const { root } of free) root.remove();
  }

  #release(wanted: ReadonlySet<number>): GridRowElement[] {
    const free: GridRowElement[] = [];
    for (const [row, mounted] of this.#mounted) {
      if (wanted.has(row)) continue;
      this.#mounted.delete(row);
      free.push(mounted);
    }
    return free;
  }
}

/** The rows to have elements for: those in view, and the active one, since a screen reader follows its element. */
export function rowsToMount([first, end]: readonly [number, number], active: number | undefined): number[] {
  const rows = Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i);
  if (active === undefined || (active >= first && active < end)) return rows;
  return active < first ? [active, ...rows] : [...rows, active];
}
