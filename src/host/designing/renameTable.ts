import * as vscode from 'vscode';
import { ProjectError } from '../../base/errors.ts';
import type { Project } from '../../client/index.ts';
import type { Profile } from '../../model/profiles.ts';
import { nameFault } from '../../model/shaping/designFaults.ts';
import { sendStatements } from '../../model/results/statementSequence.ts';
import { quoteIdentifierIfNeeded } from '../../sql/text/quoting.ts';
import { errorMessage } from '../errorMessages.ts';
import { withProgress } from '../progress.ts';
import { placeOf } from '../projectAppearance.ts';
import { refusalText } from '../shaping/planTexts.ts';
import { confirm, tableLook } from '../questions.ts';
import type { DesignParts } from './tableDesigners.ts';

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
  const deed = vscode.l10n.t('Rename Table');
  if (!(await confirm(question, detail, tableLook(profile, table), deed))) return undefined;
  const client = await clients.for(profile);
  try {
    await sendRename(client.project(profile.projectId), { sql, table, newName });
  } finally {
    // Also after a failure: if the answer was lost, the name may be new.
    catalog.forget();
  }
  return newName;
}

interface Rename {
  readonly sql: string;
  readonly table: string;
  readonly newName: string;
}

export async function sendRename(project: Pick<Project, 'sql'>, { sql, table, newName }: Rename): Promise<void> {
  const title = vscode.l10n.t("Renaming '{0}'", table);
  const stop = await withProgress(title, signal => sendStatements(project, [sql], signal));
  if (!stop) return;
  if (!stop.isUnknown) throw stop.error;
  const message = vscode.l10n.t(
    "No answer came, so it is unknown whether '{0}' was renamed to '{1}': {2} Check the table's name before you rename it again.",
    table,
    newName,
    errorMessage(stop.error),
  );
  throw new ProjectError('misuse', 'rename_unknown', message, { cause: stop.error });
}

/** Undefined if the user cancels or leaves the name as it is. */
async function promptForName(table: string, presentNames: readonly string[]): Promise<string | undefined> {
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Rename {0}', table),
    prompt: vscode.l10n.t('The new name of the table'),
    value: table,
    ignoreFocusOut: true,
    // SQLite cannot change the case of a name alone, so the present name counts too.
    validateInput: name => {
      const fault = name === table ? undefined : nameFault(name, presentNames);
      return fault && refusalText(fault);
    },
  });
  return typed === undefined || typed === table ? undefined : typed;
}
