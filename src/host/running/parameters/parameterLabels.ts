import * as vscode from 'vscode';
import { beginningOf, oneLine } from '../../../base/oneLine.ts';
import type { ParameterType } from '../../../model/parameters/parameterValues.ts';
import type { ParameterHint } from '../../../sql/parameters/parameterHints.ts';

/** How to write a value of a type, shown when the text is not one. */
export function typeHelp(type: ParameterType): string {
  switch (type) {
    case 'text':
      return vscode.l10n.t('This text has an incomplete character (half of a surrogate pair).');
    case 'integer':
      return vscode.l10n.t('Enter an integer: digits with or without a sign, at most 64 bits.');
    case 'real':
      return vscode.l10n.t('Enter a number with a point and, if needed, an exponent, such as -1.5e3.');
    case 'boolean':
      return vscode.l10n.t('Enter true or false.');
    case 'null':
      return '';
  }
}

/** The column that a parameter is compared with or written to, if its statement names it. */
export function parameterName({ name, table }: ParameterHint): string {
  if (name === undefined) return vscode.l10n.t('parameter');
  return table === undefined ? name : `${table}.${name}`;
}

const lengthBefore = 40;
const lengthAfter = 20;

/** The text around a `?`, on one line. */
export function parameterContext(sql: string, { start, end }: ParameterHint): string {
  // The text may begin with the second half of a character.
  const before = sql.slice(Math.max(0, start - lengthBefore), start).replace(/^[\uDC00-\uDFFF]/, '');
  const after = beginningOf(sql.slice(end), lengthAfter);
  const ellipsisBefore = start > lengthBefore ? '…' : '';
  const ellipsisAfter = end + lengthAfter < sql.length ? '…' : '';
  return oneLine(`${ellipsisBefore}${before}?${after}${ellipsisAfter}`);
}
