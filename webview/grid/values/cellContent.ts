import { beginningOf } from '../../../src/base/oneLine.ts';
import { fill, type GridLabels } from '../../../src/protocol/labels.ts';
import { type ShownValue, textOf } from '../../../src/protocol/shownValues.ts';
import { element, setAttribute } from '../../ui/element.ts';
import { showText, visibleText } from '../../ui/visibleText.ts';
import { blobOf, blobText } from './blobCell.ts';

/** The most characters that a cell shows. */
const maxLength = 300;

/** Puts a value into a cell of the grid, on one line. `type` is that of its column. */
export function showValue(cell: HTMLElement, value: ShownValue, type: string, labels: GridLabels): void {
  const blob = blobOf(value, type);
  const text = value.kind === 'null' ? 'NULL' : textOf(value);
  const isCut = !blob && (value.length !== undefined || text.length > maxLength);
  cell.dataset['kind'] = blob ? 'blob' : value.kind;
  if (blob) cell.textContent = `${labels.blob} ${blobText(blob)}`;
  else showText(cell, beginningOf(text, maxLength));
  if (isCut) cell.append(element('span', 'mark', '…'));
  // An attribute, because Find must not take the mark of an empty text for text.
  setAttribute(cell, 'data-mark', !blob && value.kind === 'text' && text === '' ? labels.emptyText : undefined);
  setAttribute(cell, 'aria-description', blob ? undefined : descriptionOf(value, isCut, labels));
  setAttribute(cell, 'aria-label', undefined);
}

/** The text that a cell shows for a value. `type` is that of its column. */
export function shownTextOf(value: ShownValue, type: string, labels: GridLabels): string {
  if (value.kind === 'null') return 'NULL';
  const blob = blobOf(value, type);
  if (blob) return `${labels.blob} ${blobText(blob)}`;
  const text = textOf(value);
  return text === '' ? labels.emptyText : visibleText(beginningOf(text, maxLength));
}

/** The way from a cell to another place. */
export interface CellLink {
  readonly label: string;
  /** Whether the label is in view. Otherwise an arrow stands for it, at the cell under the pointer and at the active one. */
  readonly isShown?: boolean;
}

/** Adds a link to a cell. A menu and a key can follow it too. */
export function showLink(cell: HTMLElement, { label, isShown = false }: CellLink): void {
  // Not a button, which would take the focus from the grid and lose it when the row is painted anew.
  const link = element('span', isShown ? 'follow words' : 'follow');
  link.title = label;
  link.setAttribute('aria-hidden', 'true');
  // Find must not take the label for a part of the value.
  if (isShown) {
    link.dataset['label'] = label;
    cell.setAttribute('aria-description', label);
  }
  cell.append(link);
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
