import * as vscode from 'vscode';

/** A number for people, in the language of VS Code. */
export const numberText = (count: number | bigint): string => count.toLocaleString(vscode.env.language);

export const rowsText = (count: number | bigint): string =>
  Number(count) === 1 ? vscode.l10n.t('1 row') : vscode.l10n.t('{0} rows', numberText(count));
