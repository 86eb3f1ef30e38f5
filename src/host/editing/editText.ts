import * as vscode from 'vscode';
import { cutText } from '../../base/oneLine.ts';
import type { EditValue } from '../../protocol/editValues.ts';

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
