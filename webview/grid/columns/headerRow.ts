import { fill, type GridLabels } from '../../../src/protocol/labels.ts';
import type { Arrangement } from '../../../src/protocol/rowQueries.ts';
import { element } from '../../ui/element.ts';
import { CellStrip } from '../rows/cellStrip.ts';
import { type Frame, sameCells } from '../rows/frame.ts';
import { setAttribute, showPieces } from '../values/cellContent.ts';
import { visiblePieces } from '../values/visibleText.ts';
import './header.css';

interface HeaderCell {
  readonly root: HTMLElement;
  readonly name: HTMLElement;
  readonly marks: HTMLElement;
  readonly menu: HTMLElement;
}

/** The names of the columns, with marks for how rows are sorted and filtered by them. */
export class HeaderRow {
  readonly root = element('div', 'row header');
  readonly #strip: CellStrip<HeaderCell>;
  #frame: Frame | undefined;

  constructor() {
    this.root.setAttribute('role', 'row');
    this.root.setAttribute('aria-rowindex', '1');
    const corner = element('div', 'cell number corner');
    corner.setAttribute('aria-hidden', 'true');
    this.#strip = new CellStrip(this.root, corner, makeCell);
  }

  paint(frame: Frame, arrangement: Arrangement): void {
    this.#strip.scroll(frame.x);
    if (sameCells(this.#frame, frame)) return;
    this.#frame = frame;
    const { columns, layout, selection, labels } = frame;
    this.root.style.width = `${frame.width}px`;
    this.#strip.lay(frame, undefined, ({ root, name, marks, menu }, position) => {
      const column = layout.columnAt(position);
      const { name: text = '', type = '' } = columns[column] ?? {};
      showPieces(name, visiblePieces(text));
      root.setAttribute('aria-label', text);
      root.title = type ? `${text} ${type}` : text;
      root.classList.toggle('active', position === selection.active.position);
      root.classList.toggle('selected', selection.hasColumn(position));
      menu.setAttribute('aria-label', fill(labels.columnMenu, text));
      mark(root, marks, column, arrangement, labels);
    });
  }
}

function makeCell(): HeaderCell {
  const root = element('div', 'cell');
  root.setAttribute('role', 'columnheader');
  const [name, marks] = [element('span', 'name'), element('span', 'marks')];
  const [menu, edge] = [element('button', 'column-menu'), element('span', 'edge')];
  // Keys open the menu of the active cell's column, so that Tab leaves the grid and does not go through its columns.
  menu.tabIndex = -1;
  root.append(name, marks, menu, edge);
  return { root, name, marks, menu };
}

/** Signs are drawn by the style sheet, and told to a screen reader in words. */
function mark(
  root: HTMLElement,
  marks: HTMLElement,
  column: number,
  arrangement: Arrangement,
  labels: GridLabels,
): void {
  const rank = arrangement.sort.findIndex(key => key.column === column);
  const key = arrangement.sort[rank];
  const several = arrangement.sort.length > 1;
  const filtered = arrangement.filters.some(filter => filter.column === column);
  setAttribute(root, 'aria-sort', key && (key.descending ? 'descending' : 'ascending'));
  setAttribute(marks, 'data-rank', key && several ? String(rank + 1) : undefined);
  marks.classList.toggle('filtered', filtered);
  const told = [key && several ? fill(labels.sortRank, rank + 1) : '', filtered ? labels.filtered : ''].filter(Boolean);
  setAttribute(root, 'aria-description', told.length > 0 ? told.join(', ') : undefined);
}
