import { fill, type GridLabels } from '../../../src/protocol/labels.ts';
import { type ShownValue, textOf } from '../../../src/wire/values.ts';
import { element } from '../../ui/element.ts';
import { type TextPiece, visiblePieces } from './visibleText.ts';

/** Longer texts are cut for the cell, which could not show them anyway. */
const longestText = 300;

/** Puts a value into a cell of the grid, on one line. */
export function showValue(cell: HTMLElement, value: ShownValue, labels: GridLabels): void {
  const text = value.kind === 'null' ? 'NULL' : textOf(value);
  const cut = value.length !== undefined || text.length > longestText;
  cell.dataset['kind'] = value.kind;
  showPieces(cell, visiblePieces(cutAt(text, longestText)));
  if (cut) cell.append(element('span', 'mark', '…'));
  // The mark for an empty text is no text: nothing that reads or finds the cell's content takes it for one.
  setAttribute(cell, 'data-mark', value.kind === 'text' && text === '' ? labels.emptyText : undefined);
  setAttribute(cell, 'aria-description', descriptionOf(value, cut, labels));
  setAttribute(cell, 'aria-label', undefined);
}

/** What of a value is read in a cell. */
export function shownTextOf(value: ShownValue, labels: GridLabels): string {
  if (value.kind === 'null') return 'NULL';
  const text = textOf(value);
  if (text === '') return labels.emptyText;
  const pieces = visiblePieces(cutAt(text, longestText));
  return pieces.map(piece => piece.text).join('');
}

/** Shows that a cell's value is on its way. */
export function showLoading(cell: HTMLElement, column: string, labels: GridLabels): void {
  cell.dataset['kind'] = 'loading';
  cell.textContent = '…';
  setAttribute(cell, 'data-mark', undefined);
  setAttribute(cell, 'aria-description', undefined);
  setAttribute(cell, 'aria-label', `${column} ${labels.loading}`);
}

export function showPieces(parent: HTMLElement, pieces: readonly TextPiece[]): void {
  const [only, ...others] = pieces;
  if (only && !only.mark && others.length === 0) parent.textContent = only.text;
  else parent.replaceChildren(...pieces.map(({ text, mark }) => (mark ? element('span', 'mark', text) : text)));
}

/** The beginning of a text, never half of a character that takes two units. */
export function cutAt(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length);
}

function descriptionOf(value: ShownValue, cut: boolean, labels: GridLabels): string | undefined {
  if (value.kind === 'null') return labels.nullMeans;
  if (value.kind === 'text' && value.text === '') return labels.emptyText;
  return cut ? fill(labels.characters, value.length ?? textOf(value).length) : undefined;
}

export function setAttribute(cell: HTMLElement, name: string, value: string | undefined): void {
  if (value === undefined) cell.removeAttribute(name);
  else cell.setAttribute(name, value);
}
