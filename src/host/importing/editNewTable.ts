import * as vscode from 'vscode';
import { proposeColumns, proposeTable } from '../../model/importing/newTable.ts';
import { openReader } from '../../model/importing/readers/openReader.ts';
import type { SourceFile } from '../../model/importing/sourceFile.ts';
import type { Profile } from '../../model/profiles.ts';
import { createdObject } from '../../sql/running/namedChange.ts';
import type { DocumentProjects } from '../connections/documentProjects.ts';
import { showInformation } from '../notifications.ts';
import { withProgress } from '../progress.ts';
import type { ImportChoice } from './importChoice.ts';

/** The statement that creates a table, as the user wants it. */
interface NewTable {
  readonly name: string;
  readonly sql: string;
}

interface NewTableParts {
  readonly documents: DocumentProjects;
  readonly profile: Profile;
  readonly file: SourceFile;
}

/** Shows the proposed statement in an editor, where the user can change it. Undefined when the user cancels. */
export async function editNewTable(
  { documents, profile, file }: NewTableParts,
  { table, source }: ImportChoice,
): Promise<NewTable | undefined> {
  const title = vscode.l10n.t("Reading all rows for the types of '{0}'", table.name);
  const columns = await withProgress(title, async signal => proposeColumns(await openReader(file, source), signal));
  const content = `${proposeTable(table.name, columns)};\n`;
  const document = await vscode.workspace.openTextDocument({ language: 'sql', content });
  await documents.assign(document.uri, profile);
  await vscode.window.showTextDocument(document);
  const create = vscode.l10n.t('Create Table and Import');
  let question = vscode.l10n.t('Check the statement of the new table. You can change it in the editor.');
  for (;;) {
    const chosen = await showInformation(question, create);
    if (chosen !== create) return undefined;
    const text = document.getText();
    const created = createdObject(text);
    if (created?.object === 'table') return { name: created.name, sql: text.trim().replace(/;$/, '') };
    question = vscode.l10n.t('The editor must have one CREATE TABLE statement. Change it, then create the table.');
  }
}
