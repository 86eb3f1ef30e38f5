import * as vscode from 'vscode';
import { isSameName } from '../../sql/text/names.ts';

/** Says why a table cannot have a name. Undefined if it can. `others` are the tables and views of the project. */
export function tableNameFault(name: string, others: readonly string[]): string | undefined {
  if (name === '') return vscode.l10n.t('A table needs a name.');
  if (name.includes('\0')) return vscode.l10n.t('A name cannot contain a NUL character.');
  if (/^sqlite_/i.test(name)) return vscode.l10n.t("Names that begin with 'sqlite_' belong to SQLite.");
  const same = others.find(other => isSameName(other, name));
  return same === undefined ? undefined : vscode.l10n.t("'{0}' already exists in this project.", same);
}
