import * as vscode from 'vscode';

/** A number for people, in the language of VS Code. */
export const numberText = (count: number | bigint): string => count.toLocaleString(vscode.env.language);

export const rowsText = (count: number | bigint): string =>
  Number(count) === 1 ? vscode.l10n.t('1 row') : vscode.l10n.t('{0} rows', numberText(count));

/** Rows in the title of a button, such as "3,000 Rows". Without a number if there are none, or if they were not counted. */
export const rowsTitle = (count: number | bigint | undefined): string =>
  count ? rowsText(count).replace(/(?<= )\p{Ll}/u, letter => letter.toUpperCase()) : vscode.l10n.t('Rows');

export const projectsLabel = (count: number): string =>
  count === 1 ? vscode.l10n.t('1 project') : vscode.l10n.t('{0} projects', numberText(count));
