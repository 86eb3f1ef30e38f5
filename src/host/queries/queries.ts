import * as vscode from 'vscode';
import { asString, object, optional } from '../../base/decode.ts';
import { misuse } from '../../base/errors.ts';
import { nameForProjectLine } from '../../model/projectChoice.ts';
import { isQueryFile, queryText, type UnsavedQuery } from '../../model/queries/queryFiles.ts';
import { effectOf } from '../../sql/effect/statementEffect.ts';
import { isEmbeddingLanguage } from '../../sql/embedded/embeddingLanguages.ts';
import type { StatementList } from '../../sql/text/statementIndex.ts';
import type { WindowParts } from '../composition.ts';
import { type SelectedStatement, selectedStatements } from '../documents/selectedStatements.ts';
import type { SqlEditor } from '../documents/sqlEditor.ts';
import { errorMessage } from '../errorMessages.ts';
import { contextValues } from '../names.ts';
import { showError, showInformation } from '../notifications.ts';
import { fileNameOf, promptForSaving } from '../prompts/saveDialog.ts';
import { confirm } from '../questions.ts';
import { isQueryNode, personalFolder, type QueryNode } from './queryTree.ts';

type QueriesParts = Pick<
  WindowParts,
  'globalStorage' | 'projects' | 'documents' | 'sqlDocuments' | 'running' | 'refreshQueries'
>;

const asUnsavedQuery = object({
  sql: asString,
  title: optional(asString),
  project: optional(object({ id: asString, name: asString })),
});

// The commands of the view Queries, and Save Query. A bundle of its own, loaded with the first of them.

/** Saves the query that a command's argument is, or else that of the editor. False if the argument names a result. */
export async function saveQuery(
  parts: QueriesParts,
  argument: unknown,
  editor: SqlEditor | undefined,
): Promise<boolean> {
  const isOfEditor = argument === undefined || argument instanceof vscode.Uri;
  const query = asUnsavedQuery(argument);
  if (!query && !(editor && isOfEditor)) return false;
  await showingErrors(parts.refreshQueries, async () => {
    const unsaved = query ?? (editor && (await queryOf(parts, editor)));
    if (unsaved) await write(parts, unsaved, vscode.l10n.t('Save Query'));
    else void showInformation(vscode.l10n.t('There is no SQL statement at the cursor.'));
  });
  return true;
}

/** The view shows no empty folders, so a folder is made with its first query. */
export async function newQueryFile(parts: QueriesParts, argument: unknown): Promise<void> {
  const folder = isQueryNode(argument) ? argument.folder : undefined;
  await showingErrors(parts.refreshQueries, () => write(parts, { sql: '' }, vscode.l10n.t('New Query File'), folder));
}

/** Runs all statements of a file, as its editor does. */
export async function runQuery(parts: QueriesParts, argument: unknown): Promise<void> {
  await onNode(parts, argument, async ({ resourceUri }) => {
    const document = await vscode.workspace.openTextDocument(resourceUri);
    await vscode.window.showTextDocument(document, { preview: true });
    await (await parts.running()).runAll({ document, selections: [] });
  });
}

export async function renameQuery(parts: QueriesParts, argument: unknown): Promise<void> {
  await onNode(parts, argument, async ({ resourceUri, label }) => {
    const text = await vscode.window.showInputBox({
      title: vscode.l10n.t("Rename '{0}'", label),
      value: label,
      valueSelection: [0, label.replace(/\.sql$/i, '').length],
      ignoreFocusOut: true,
    });
    const name = text?.trim() ?? '';
    if (name === '' || name === label) return;
    const ending = isQueryFile(label) && !isQueryFile(name) ? '.sql' : '';
    const target = vscode.Uri.joinPath(resourceUri, '..', name + ending);
    await applyEdit(edit => edit.renameFile(resourceUri, target));
  });
}

export async function deleteQuery(parts: QueriesParts, argument: unknown): Promise<void> {
  await onNode(parts, argument, async ({ resourceUri, label }) => {
    const question = vscode.l10n.t("Delete '{0}'?", label);
    const detail = vscode.l10n.t(
      'A folder is deleted with all its files. Files go to the trash if this machine has one.',
    );
    const look = { shows: 'file', run: () => reveal(resourceUri) } as const;
    if (!(await confirm(question, detail, look, vscode.l10n.t('Delete')))) return;
    await applyEdit(edit => edit.deleteFile(resourceUri, { recursive: true }));
  });
}

export async function revealQuery(parts: QueriesParts, argument: unknown): Promise<void> {
  await onNode(parts, argument, ({ resourceUri }) => reveal(resourceUri));
}

/** The selected statements, or the one at the cursor. */
async function queryOf(parts: QueriesParts, editor: SqlEditor): Promise<UnsavedQuery | undefined> {
  const { documents, sqlDocuments } = parts;
  const { document } = editor;
  const { statements } = await sqlDocuments();
  const list = await statements.load(document);
  const selected = selectedStatements(editor, list);
  const [first] = selected;
  if (!first) return undefined;
  const choice = await documents.choiceFor(document);
  return {
    sql: textOf(editor, list, selected),
    title: first.heading,
    project: choice.kind === 'project' ? choice.profile : undefined,
  };
}

/** Asks for a place and a name, and opens the file. */
async function write(
  parts: QueriesParts,
  query: UnsavedQuery,
  title: string,
  folder = personalFolder(parts.globalStorage),
): Promise<void> {
  const { sql, title: subject = effectOf(sql).tables[0]?.name ?? '', project } = query;
  await vscode.workspace.fs.createDirectory(folder);
  const name = fileNameOf(subject) || 'query';
  const file = await promptForSaving({ title, folder, name, extension: 'sql', type: 'SQL' });
  if (!file) return;
  const text = queryText(sql, project && (await projectName(parts, project)));
  await applyEdit(edit => edit.createFile(file, { contents: Buffer.from(text), overwrite: true }));
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file), { preview: false });
}

async function projectName(
  parts: QueriesParts,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<string> {
  const { profiles } = await parts.projects.list();
  const profile = profiles.find(listed => listed.id === id);
  return profile ? nameForProjectLine(profiles, profile) : name;
}

async function onNode(parts: QueriesParts, argument: unknown, act: (node: QueryNode) => Promise<void>): Promise<void> {
  if (isQueryNode(argument)) await showingErrors(parts.refreshQueries, () => act(argument));
  else void showInformation(vscode.l10n.t('Choose the command in the menu of a query in the view Queries.'));
}

/** Moves dragged files and folders into a folder. Their editors go along, with text that is not saved. */
export async function moveQueries(
  refresh: () => Promise<void>,
  nodes: readonly QueryNode[],
  { folder }: QueryNode,
): Promise<void> {
  await showingErrors(refresh, () =>
    applyEdit(edit => {
      for (const { resourceUri, label, contextValue } of nodes) {
        const target = vscode.Uri.joinPath(folder, label);
        const isMoved = contextValue !== contextValues.queryRoot && target.toString() !== resourceUri.toString();
        if (isMoved) edit.renameFile(resourceUri, target);
      }
    }),
  );
}

/** Not every file system reports changes, so the view is refreshed. */
async function showingErrors(refresh: () => Promise<void>, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    void showError(errorMessage(thrown));
  }
  await refresh();
}

/** The selected text as it is, or the statements at the cursors. The first one has the comment above it. */
function textOf(
  { document, selections }: SqlEditor,
  list: StatementList,
  selected: readonly SelectedStatement[],
): string {
  const isProgram = isEmbeddingLanguage(document.languageId);
  const ranges = isProgram ? [] : selections.filter(({ isEmpty }) => !isEmpty);
  if (ranges.length > 0) return ranges.map(range => document.getText(range)).join('\n\n');
  const comment = isProgram ? '' : commentAbove(list, selected[0]!);
  return comment + selected.map(({ sql }) => sql).join('\n\n');
}

/** The comment directly above a statement, on lines of its own. */
function commentAbove(list: StatementList, { start }: SelectedStatement): string {
  const previous = list.at(list.firstEndingAfter(start) - 1);
  const above = list.slice(previous?.end ?? 0, start);
  const ownLines = previous ? above.replace(/^[^\n]*(?:\n|$)/, '') : above;
  return ownLines.replace(/^[^]*\n[ \t]*\r?\n/, '').trimStart();
}

/** Shows a file in the Explorer, or one outside of the workspace in the file manager of the system. */
async function reveal(file: vscode.Uri): Promise<void> {
  const isLocal = vscode.env.uiKind === vscode.UIKind.Desktop && vscode.env.remoteName === undefined;
  const isListed = vscode.workspace.getWorkspaceFolder(file) !== undefined;
  if (isListed || isLocal) await vscode.commands.executeCommand(isListed ? 'revealInExplorer' : 'revealFileInOS', file);
  else void showInformation(vscode.l10n.t('The file is on another machine than this window: {0}', file.fsPath));
}

/** Changes files as the Explorer does: with their editors, and with undo. */
async function applyEdit(describe: (edit: vscode.WorkspaceEdit) => void): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  describe(edit);
  if (await vscode.workspace.applyEdit(edit)) return;
  const message = vscode.l10n.t('VS Code could not do this. A file may have this name, or the name is not allowed.');
  throw misuse('not_changed', message);
}
