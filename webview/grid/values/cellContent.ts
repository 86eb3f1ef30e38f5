import { fill, type GridLabels } from '../../../src/protocol/labels.ts';
import { type ShownValue, textOf } from '../../../src/wire/values.ts';
import { element, setAttribute } from '../../ui/element.ts';
import { beginningOf, showText, visibleText } from '../../ui/visibleText.ts';

/** A cell shows no more of a text: none is wide enough. */
const maxLength = 300;

/** Puts a value into a cell of the grid, on one line. */
export function showValue(cell: HTMLElement, value: ShownValue, labels: GridLabels): void {
  const text = value.kind === 'null' ? 'NULL' : textOf(value);
  const isCut = value.length !== undefined || text.length > maxLength;
  cell.dataset['kind'] = value.kind;
  showText(cell, beginningOf(text, maxLength));
  if (isCut) cell.append(element('span', 'mark', '…'));
  // An attribute, because Find must not take the mark of an empty text for text.
  setAttribute(cell, 'data-mark', value.kind === 'text' && text === '' ? labels.emptyText : undefined);
  setAttribute(cell, 'aria-description', descriptionOf(value, isCut, labels));
  setAttribute(cell, 'aria-label', undefined);
}

/** The text that a cell shows for a value. */
export function shownTextOf(value: ShownValue, labels: GridLabels): string {
  if (value.kind === 'null') return 'NULL';
  const text = textOf(value);
  return text === '' ? labels.emptyText : visibleText(beginningOf(text, maxLength));
}

/** Shows that a cell's value is being loaded. */
export function showLoading(cell: HTMLElement, column: string, labels: GridLabels): void {
  cell.dataset['kind'] = 'loading';
  cell.textContent = '…';
  setAttribute(cell, 'data-mark', undefined);
  setAttribute(cell, 'aria-description', undefined);
  setAttribute(cell, 'aria-label', `${visibleText(column)} ${labels.loading}`);
}

function descriptionOf(value: ShownValue, isCut: boolean, labels: GridLabels): string | undefined {
  if (value.kind === 'null') return labels.nullMeans;
  if (value.kind === 'text' && value.text === '') return labels.emptyText;
  return isCut ? fill(labels.characters, value.length ?? textOf(value).length) : undefined;
}
