import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Profile } from '../../model/profiles.ts';
import { quoteIdentifierIfNeeded } from '../../sql/text/quoting.ts';
import { maxSmallAnswerBytes } from '../../wire/answerLimits.ts';
import { placeOf } from '../projectAppearance.ts';
import { confirmChange } from '../running/confirmRisk.ts';
import type { DesignParts } from './tableDesigners.ts';
import { tableNameFault } from './tableNames.ts';

/** Asks for the new name of a table, and renames it after a review. Gives the new name, or undefined if nothing was done. */
export async function renameTable(
  { catalogs, clients }: Pick<DesignParts, 'catalogs' | 'clients'>,
  profile: Profile,
  table: string,
): Promise<string | undefined> {
  const catalog = catalogs.for(profile);
  const [tables, views = []] = await Promise.all([catalog.tables(), catalog.views()]);
  const newName = await promptForName(table, [...tables, ...views]);
  if (newName === undefined) return undefined;
  const sql = `ALTER TABLE ${quoteIdentifierIfNeeded(table)} RENAME TO ${quoteIdentifierIfNeeded(newName)}`;
  const question = vscode.l10n.t("Rename '{0}' to '{1}' in {2}?", table, newName, placeOf(profile));
  const note = vscode.l10n.t('References in views, triggers and foreign keys follow. Statements in files do not.');
  const detail = [sql, note, profile.baseUrl].join('\n\n');
  if (!(await confirmChange(question, detail, vscode.l10n.t('Rename Table')))) return undefined;
  const client = await clients.for(profile);
  const options = {
    idempotencyKey: randomUUID(),
    maxAnswerBytes: maxSmallAnswerBytes,
  };
  try {
    await client.execSql(profile.projectId, { sql, params: null }, options);
  } finally {
    // Also after a failure: a lost answer leaves open whether the name is new.
    catalog.forget();
  }
  return newName;
}

/** Undefined if the user cancels or leaves the name as it is. */
async function promptForName(table: string, present: readonly string[]): Promise<string | undefined> {
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Rename {0}', table),
    prompt: vscode.l10n.t('The new name of the table'),
    value: table,
    ignoreFocusOut: true,
    // SQLite cannot change the case of a name alone, so the present name counts too.
    validateInput: name => (name === table ? undefined : tableNameFault(name, present)),
  });
  return typed === undefined || typed === table ? undefined : typed;
}
