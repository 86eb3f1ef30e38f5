import { element } from '../../ui/element.ts';
import { GridRowElement } from './gridRow.ts';
import { numbersIn } from './viewport.ts';

/** The elements of the rows in view. They are in the order of the rows, for screen readers. */
export class RowLayer {
  readonly root = element('div', 'layer', { role: 'rowgroup' });
  /** Contains all rows: scrolling moves them with one transform, without a paint of each row. */
  readonly #body = element('div', 'rows', { role: 'presentation' });
  readonly #mountedRows = new Map<number, GridRowElement>();

  constructor(header: HTMLElement) {
    this.root.append(header, this.#body);
  }

  moveTo(y: number): void {
    this.#body.style.transform = `translateY(${y}px)`;
  }

  /** Paints rows, given in ascending order. Reuses elements of other rows. */
  show(rows: readonly number[], paint: (row: number, rowElement: GridRowElement) => void): void {
    const unusedElements = this.#unmountAllExcept(new Set(rows));
    let previous: HTMLElement | undefined;
    for (const row of rows) {
      let mounted = this.#mountedRows.get(row);
      if (!mounted) {
        mounted = unusedElements.pop() ?? new GridRowElement();
        this.#mountedRows.set(row, mounted);
        // The other rows are in order already, so only new ones move.
        if (!previous) this.#body.prepend(mounted.root);
        else if (previous.nextElementSibling !== mounted.root) previous.after(mounted.root);
      }
      paint(row, mounted);
      previous = mounted.root;
    }
    for (const { root } of unusedElements) root.remove();
  }

  #unmountAllExcept(rows: ReadonlySet<number>): GridRowElement[] {
    const unmounted: GridRowElement[] = [];
    for (const [row, mounted] of this.#mountedRows) {
      if (rows.has(row)) continue;
      this.#mountedRows.delete(row);
      unmounted.push(mounted);
    }
    return unmounted;
  }
}

/** The rows in view, and the active row, because a screen reader follows its element. */
export function rowsToMount([first, end]: readonly [first: number, end: number], active: number | undefined): number[] {
  const rows = numbersIn([first, end]);
  if (active === undefined || (active >= first && active < end)) return rows;
  return active < first ? [active, ...rows] : [...rows, active];
}
