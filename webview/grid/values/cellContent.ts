import { t } from '@vscode/l10n';
import { beginningOf } from '../../../src/base/oneLine.ts';
import type { GridColumn } from '../../../src/protocol/results.ts';
import { type ShownValue, textOf } from '../../../src/protocol/shownValues.ts';
import { element, setAttribute } from '../../ui/element.ts';
import { formatCount } from '../../ui/counts.ts';
import { showText, visibleText } from '../../ui/visibleText.ts';
import { blobOf, blobText } from './blob.ts';

const maxLength = 300;

/** Shows a value on one line. `type` is that of its column. */
export function showValue(cell: HTMLElement, value: ShownValue, type: string): void {
  const blob = blobOf(value, type);
  const text = value.kind === 'null' ? 'NULL' : textOf(value);
  const isCut = !blob && (value.length !== undefined || text.length > maxLength);
  cell.dataset['kind'] = blob ? 'blob' : value.kind;
  if (blob) cell.textContent = `BLOB ${blobText(blob)}`;
  else showText(cell, beginningOf(text, maxLength));
  if (isCut) cell.append(element('span', 'mark', '…'));
  // An attribute, because Find must not take the mark for a text of the result.
  setAttribute(cell, 'data-mark', !blob && value.kind === 'text' && text === '' ? t('(empty)') : undefined);
  setAttribute(cell, 'aria-description', blob ? undefined : descriptionOf(value, isCut));
  setAttribute(cell, 'aria-label', undefined);
}

/** The text that a cell shows. `type` is that of its column. */
export function shownTextOf(value: ShownValue, type: string): string {
  if (value.kind === 'null') return 'NULL';
  const blob = blobOf(value, type);
  if (blob) return `BLOB ${blobText(blob)}`;
  const text = textOf(value);
  return text === '' ? t('(empty)') : visibleText(beginningOf(text, maxLength));
}

/** A link from a cell to another place. */
export interface CellLink {
  readonly label: string;
  /** Whether the label is in view. Otherwise the link is an arrow, shown at the active cell and under the pointer. */
  readonly isShown?: boolean;
}

/** The label of the link of a row. */
export function linkLabel(leadsTo: GridColumn['leadsTo']): string | undefined {
  switch (leadsTo) {
    case 'groupedRows':
      return t('Show Rows');
    case 'statement':
      return t('Go to Statement');
    case 'row':
      return t('Open Row');
    case 'plan':
      return t('Show Query Plan');
    default:
      return undefined;
  }
}

/** A menu and a key can follow the link, too. */
export function showLink(cell: HTMLElement, { label, isShown = false }: CellLink): void {
  // Not a button: it would take the focus from the grid, and lose it when the row is painted again.
  const link = element('span', isShown ? 'follow words' : 'follow', { 'aria-hidden': 'true' });
  link.title = label;
  // Find must not take the label for a part of the value.
  if (isShown) {
    link.dataset['label'] = label;
    cell.setAttribute('aria-description', label);
  }
  cell.append(link);
}

export function showLoading(cell: HTMLElement, column: string): void {
  cell.dataset['kind'] = 'loading';
  cell.textContent = '…';
  setAttribute(cell, 'data-mark', undefined);
  setAttribute(cell, 'aria-description', undefined);
  setAttribute(cell, 'aria-label', `${visibleText(column)} ${t('Loading')}`);
}

function descriptionOf(value: ShownValue, isCut: boolean): string | undefined {
  if (value.kind === 'null') return t('no value');
  if (value.kind === 'text' && value.text === '') return t('(empty)');
  return isCut ? charactersText(value.length ?? textOf(value).length) : undefined;
}

export const charactersText = (count: number): string =>
  count === 1 ? t('1 character') : t('{0} characters', formatCount(count));
