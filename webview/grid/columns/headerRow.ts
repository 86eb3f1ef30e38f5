import { fill, type GridLabels } from '../../../src/protocol/labels.ts';
import type { Arrangement } from '../../../src/protocol/rowQueries.ts';
import { element, setAttribute } from '../../ui/element.ts';
import { showText, visibleText } from '../../ui/visibleText.ts';
import { CellStrip } from '../rows/cellStrip.ts';
import { hasSameCells, type Viewport } from '../rows/viewport.ts';
import './header.css';

interface HeaderCell {
  readonly root: HTMLElement;
  readonly name: HTMLElement;
  readonly marks: HTMLElement;
  readonly menu: HTMLElement;
}

/** The names of the columns, with marks for sorted and filtered columns. */
export class HeaderRow {
  readonly root = element('div', 'row header');
  readonly #strip: CellStrip<HeaderCell>;
  #viewport: Viewport | undefined;

  constructor() {
    this.root.setAttribute('role', 'row');
    this.root.setAttribute('aria-rowindex', '1');
    const corner = element('div', 'cell number corner');
    corner.setAttribute('aria-hidden', 'true');
    this.#strip = new CellStrip(this.root, corner, createCell);
  }

  paint(viewport: Viewport, arrangement: Arrangement): void {
    this.#strip.scrollTo(viewport.scrollLeft);
    if (hasSameCells(this.#viewport, viewport)) return;
    this.#viewport = viewport;
    const { columns, layout, selection, labels } = viewport;
    this.root.style.width = `${viewport.width}px`;
    this.#strip.layOut(viewport, undefined, ({ root, name, marks, menu }, position) => {
      const column = layout.columnAt(position);
      const { name: rawName = '', type = '' } = columns[column] ?? {};
      const text = visibleText(rawName);
      showText(name, rawName);
      root.setAttribute('aria-label', text);
      root.title = type ? `${text} ${visibleText(type)}` : text;
      root.classList.toggle('active', position === selection.active.position);
      root.classList.toggle('selected', selection.hasColumn(position));
      menu.setAttribute('aria-label', fill(labels.columnMenu, text));
      showMarks(root, marks, column, arrangement, labels);
    });
  }
}

function createCell(): HeaderCell {
  const root = element('div', 'cell');
  root.setAttribute('role', 'columnheader');
  const name = element('span', 'name');
  const marks = element('span', 'marks');
  const menu = element('button', 'column-menu');
  const edge = element('span', 'edge');
  // A key opens the menu of the active column, so Tab leaves the grid at once.
  menu.tabIndex = -1;
  root.append(name, marks, menu, edge);
  return { root, name, marks, menu };
}

/** The style sheet draws the marks. Attributes tell a screen reader in words. */
function showMarks(
  root: HTMLElement,
  marks: HTMLElement,
  column: number,
  arrangement: Arrangement,
  labels: GridLabels,
): void {
  const rank = arrangement.sort.findIndex(key => key.column === column);
  const key = arrangement.sort[rank];
  const hasRank = key !== undefined && arrangement.sort.length > 1;
  const isFiltered = arrangement.filters.some(filter => filter.column === column);
  setAttribute(root, 'aria-sort', key && (key.descending ? 'descending' : 'ascending'));
  setAttribute(marks, 'data-rank', hasRank ? String(rank + 1) : undefined);
  marks.classList.toggle('filtered', isFiltered);
  const description: string[] = [];
  if (hasRank) description.push(fill(labels.sortRank, rank + 1));
  if (isFiltered) description.push(labels.filtered);
  setAttribute(root, 'aria-description', description.length > 0 ? description.join(', ') : undefined);
}
