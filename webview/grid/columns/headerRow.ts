import { t } from '@vscode/l10n';
import type { Arrangement } from '../../../src/protocol/rowQueries.ts';
import type { GridColumn } from '../../../src/protocol/results.ts';
import { element, setAttribute } from '../../ui/element.ts';
import { icon } from '../../ui/icons.ts';
import { showText, visibleText } from '../../ui/visibleText.ts';
import type { GridFont } from '../gridFont.ts';
import { CellStrip, hasSameCells, type Viewport } from '../rows/viewport.ts';
import { headerGap } from './columnWidths.ts';
import './header.css';

/** The header cells: names and types, with marks for keys, sort keys, filters and hidden columns. */
export function createHeaderRow(font: GridFont) {
  const row = element('div', 'row header', { role: 'row', 'aria-rowindex': '1' });
  const corner = element('div', 'cell number corner', { 'aria-hidden': 'true' });
  const strip = new CellStrip(row, corner, createCell);
  let shownViewport: Viewport | undefined;
  const paint = (viewport: Viewport, arrangement: Arrangement): void => {
    strip.scrollTo(viewport.scrollLeft);
    if (hasSameCells(shownViewport, viewport)) return;
    shownViewport = viewport;
    const { columns, layout, selection, showsTypes } = viewport;
    row.style.width = `${viewport.width}px`;
    strip.layOut(viewport, undefined, ({ root, key, name, type: shownType, marks, menu }, position) => {
      const column = layout.columnAt(position);
      const { name: rawName = '', type = '', isKey = false, references, missingIn } = columns[column] ?? {};
      const text = visibleText(rawName);
      showText(name, rawName);
      showText(shownType, showsTypes ? type : '');
      const keyNotes = [
        ...(isKey ? [t('Primary key')] : []),
        ...(references === undefined ? [] : [t('References {0}', visibleText(references))]),
      ];
      if (missingIn !== undefined) keyNotes.push(t('Not in {0}', visibleText(missingIn)));
      const keyIcon = isKey ? 'primaryKey' : references === undefined ? undefined : 'foreignKey';
      showKey(key, keyIcon);
      root.setAttribute('aria-label', text);
      const note = numberedNote(rawName, columns);
      const isLast = position === layout.shown.length - 1;
      const hiddenBefore = layout.hiddenBefore(position);
      const hiddenBehind = isLast ? layout.hiddenBefore(position + 1) : 0;
      const hidden = hiddenBefore + hiddenBehind;
      if (hidden > 0) note.push(hidden === 1 ? t('1 hidden column') : t('{0} hidden columns', hidden));
      const signs = signWidth(column, arrangement) + (hidden > 0 ? hiddenSignsWidth : 0);
      const room = layout.widthAt(position) - cellPadding - font.nameWidthOf(text) - signs;
      const keyRoom = keyIcon ? headerGap + keyWidth : 0;
      const typeRoom = type === '' ? 0 : headerGap + font.typeWidthOf(visibleText(type));
      // The key and the type are shown only if they fit beside the whole name. The tooltip has them too.
      key.hidden = keyRoom > room;
      shownType.hidden = keyRoom + typeRoom > room;
      root.classList.toggle('hidden-before', hiddenBefore > 0);
      root.classList.toggle('hidden-behind', hiddenBehind > 0);
      root.title = [type ? `${text} ${visibleText(type)}` : text, ...keyNotes, ...note].join('\n');
      root.classList.toggle('numeric', viewport.isNumeric(column));
      root.classList.toggle('active', position === selection.active.position);
      root.classList.toggle('selected', selection.hasColumn(position));
      menu.setAttribute('aria-label', t('Column {0}', text));
      showMarks(root, marks, column, arrangement, keyNotes);
    });
  };
  return { root: row, paint };
}

/** The padding and border of a header, and a part of a pixel. */
const cellPadding = 18;
/** These widths are as in the style sheet. */
const keyWidth = 12;
const sortSignWidth = 12;
const rankWidth = 8;
const filterSignWidth = 14;
const hiddenSignsWidth = 5;

function signWidth(column: number, { sort, filters }: Arrangement): number {
  const isSorted = sort.some(key => key.column === column);
  const sorted = isSorted ? sortSignWidth + (sort.length > 1 ? rankWidth : 0) : 0;
  const filtered = filters.some(filter => filter.column === column) ? filterSignWidth : 0;
  return headerGap + sorted + filtered;
}

/** A note on a column whose name has a number because another column has the same name, as in `a:1`. */
function numberedNote(name: string, columns: readonly GridColumn[]): string[] {
  const base = /^(.*):\d+$/s.exec(name)?.[1];
  const isNumbered = base !== undefined && columns.some(column => column.name === base);
  return isNumbered
    ? [t("Another column is also named '{0}'. Use AS to give each its own name.", visibleText(base))]
    : [];
}

function createCell() {
  const root = element('div', 'cell', { role: 'columnheader' });
  const key = element('span', 'key');
  const name = element('span', 'name');
  const type = element('span', 'type');
  const marks = element('span', 'marks');
  // Another key opens the menu of the active column, so that Tab leaves the grid at once.
  const menu = element('button', 'column-menu', { tabindex: '-1' });
  const edge = element('span', 'edge');
  root.append(key, name, type, marks, menu, edge);
  return { root, key, name, type, marks, menu };
}

function showKey(key: HTMLElement, name: 'primaryKey' | 'foreignKey' | undefined): void {
  if (key.dataset['icon'] === name) return;
  setAttribute(key, 'data-icon', name);
  key.replaceChildren(...(name === undefined ? [] : [icon(name)]));
}

/** The style sheet draws the marks. Attributes describe them to screen readers. */
function showMarks(
  root: HTMLElement,
  marks: HTMLElement,
  column: number,
  arrangement: Arrangement,
  notes: readonly string[],
): void {
  const rank = arrangement.sort.findIndex(key => key.column === column);
  const key = arrangement.sort[rank];
  const hasRank = key !== undefined && arrangement.sort.length > 1;
  const isFiltered = arrangement.filters.some(filter => filter.column === column);
  setAttribute(root, 'aria-sort', key && (key.descending ? 'descending' : 'ascending'));
  setAttribute(marks, 'data-rank', hasRank ? String(rank + 1) : undefined);
  marks.classList.toggle('filtered', isFiltered);
  const description: string[] = [...notes];
  if (hasRank) description.push(t('sort key {0}', rank + 1));
  if (isFiltered) description.push(t('filtered'));
  setAttribute(root, 'aria-description', description.length > 0 ? description.join(', ') : undefined);
}
