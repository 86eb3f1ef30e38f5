import * as vscode from 'vscode';
import { cutText } from '../../base/oneLine.ts';
import type { PendingEdits, PendingRow } from '../../model/editing/pendingEdits.ts';
import type { EditValue } from '../../protocol/editValues.ts';

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
