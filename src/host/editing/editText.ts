import * as vscode from 'vscode';
import { cutText } from '../../base/oneLine.ts';
import type { PendingEdits, PendingRow } from '../../model/editing/pendingEdits.ts';
import type { EditValue } from '../../protocol/editValues.ts';
import { type CellConflict, longText } from '../../model/editing/conflicts.ts';

const maxKeyLength = 60;

/** A value on one line. Text has quotes, so that '' and 'NULL' differ from NULL. */
export function editText(value: EditValue, maxLength: number): string {
  switch (value.kind) {
    case 'null':
      return 'NULL';
    case 'default':
      return vscode.l10n.t('default');
    case 'integer':
    case 'real':
      return value.text;
    case 'text':
      return `'${cutText(value.text, maxLength)}'`;
    case 'blob':
      return `x'${cutText(value.hex, maxLength)}'`;
  }
}

export const keyLabel = (key: readonly EditValue[]): string =>
  key.map(value => editText(value, maxKeyLength)).join(', ');

/** The key of a row. A new row has none, so its number names it. */
export const rowName = (row: PendingRow, { inserted }: PendingEdits): string =>
  row.kind === 'insert' ? vscode.l10n.t('new row {0}', inserted.indexOf(row) + 1) : keyLabel(row.key);

/** A longer value is shown from shortly before its first difference. */
const maxShownLength = 60;
/** This many characters before a difference show where it is. The number is even: a byte has two digits. */
const leadLength = 12;

/** The values of a conflict for people. Long values that begin alike are shown where they differ. */
export function conflictTexts({ base, theirs, mine }: Pick<CellConflict, 'base' | 'theirs' | 'mine'>) {
  const action = mine.kind === 'deleted' ? vscode.l10n.t('row deleted') : vscode.l10n.t('other cells edited');
  return {
    before: textBeside(base, theirs),
    now: textBeside(theirs, base),
    yours: mine.kind === 'deleted' || mine.kind === 'unedited' ? action : textBeside(mine, theirs),
  };
}

/** A long text begins shortly before its first difference to the other value. */
function textBeside(value: EditValue, other: EditValue): string {
  const text = longText(value);
  if (text.length <= maxShownLength) return editText(value, maxShownLength);
  const difference = value.kind === other.kind ? firstDifference(text, longText(other)) : 0;
  const start = difference <= 2 * leadLength ? 0 : difference - (difference % 2) - leadLength;
  // No character is cut in half.
  const part = cutText(text.slice(start).replace(/^[\uDC00-\uDFFF]/, ''), maxShownLength);
  const shown = start === 0 ? part : `…${part}`;
  return value.kind === 'blob' ? `x'${shown}'` : `'${shown}'`;
}

function firstDifference(one: string, other: string): number {
  const end = Math.min(one.length, other.length);
  let index = 0;
  while (index < end && one.charCodeAt(index) === other.charCodeAt(index)) index++;
  return index;
}
