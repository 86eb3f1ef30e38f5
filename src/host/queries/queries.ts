import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { asBoolean, asString, object, optional } from '../../base/decode.ts';
import { misuse } from '../../base/errors.ts';
import { nameForProjectLine } from '../../model/projectChoice.ts';
import { fileNameFor, queryText, type UnsavedQuery } from '../../model/queries/queryFiles.ts';
import { effectOf } from '../../sql/effect/statementEffect.ts';
import type { StatementList } from '../../sql/text/statementIndex.ts';
import { isEmbeddingLanguage } from '../../sql/embedded/embeddingLanguages.ts';
import type { DocumentProjects } from '../connections/documentProjects.ts';
import type { Projects } from '../connections/projects.ts';
import type { DocumentStatements } from '../documents/documentStatements.ts';
import { type SelectedStatement, selectedStatements } from '../documents/selectedStatements.ts';
import type { SqlEditor } from '../documents/sqlEditor.ts';
import { errorMessage } from '../errorMessages.ts';
import { showError, showInformation } from '../notifications.ts';
import { askForPlace, deleteQuery, moveQuery, promptForPath, revealQuery } from './queryMoves.ts';
import { QueryNode, queryRoots, QueryTree, rootIcon } from './queryTree.ts';

interface QueriesParts {
  readonly globalStorage: vscode.Uri;
  readonly projects: Projects;
  readonly documents: DocumentProjects;
  readonly statements: () => Promise<DocumentStatements>;
  readonly runAll: (editor: SqlEditor) => Promise<void>;
  readonly onChange: () => void;
}

const asUnsavedQuery = object({
  sql: asString,
  title: optional(asString),
  project: optional(object({ id: asString, name: asString })),
});

const asHistoryNode = object({
  entry: object({ sql: asString, profileId: asString, project: asString, isCut: asBoolean }),
});

function asQueryOfHistory(argument: unknown): UnsavedQuery | undefined {
  const { entry } = asHistoryNode(argument) ?? {};
  if (!entry) return undefined;
  const note = entry.isCut ? `-- ${vscode.l10n.t('The history has only the beginning of this statement.')}\n` : '';
  return { sql: note + entry.sql, project: { id: entry.profileId, name: entry.project } };
}

/** The commands of the view Queries, and Save Query. A bundle of its own, loaded with the first of them. */
export class Queries implements Disposable {
  readonly tree: QueryTree;
  readonly #parts: QueriesParts;

  constructor(parts: QueriesParts) {
    this.#parts = parts;
    this.tree = new QueryTree(parts.globalStorage, parts.onChange);
  }

  async newFile(argument: unknown): Promise<void> {
    await this.#write({ sql: '' }, newFileTitle(), argument instanceof QueryNode ? argument.folder : undefined);
  }

  /** Makes a folder with its first query: the view shows no empty folders. */
  async newFolder(argument: unknown): Promise<void> {
    const title = vscode.l10n.t('New Folder for Queries');
    const parent = argument instanceof QueryNode ? argument.folder : await this.#promptForFolder(title);
    const folder = parent && (await promptForPath(parent, { title, value: '', kind: 'folder' }));
    if (folder) await this.#write({ sql: '' }, newFileTitle(), folder);
  }

  /** Runs all statements of a file, as its editor does. */
  async run(argument: unknown): Promise<void> {
    await this.#onNode(argument, async ({ uri }) => {
      const document = await vscode.workspace.openTextDocument(uri);
      await vscode.window.showTextDocument(document, { preview: true });
      await this.#parts.runAll({ document, selections: [] });
    });
  }

  async rename(argument: unknown): Promise<void> {
    await this.#onNode(argument, async ({ uri, name, isFile }) => {
      const title = vscode.l10n.t("Rename '{0}'", name);
      const kind = isFile ? 'file' : 'folder';
      const target = await promptForPath(vscode.Uri.joinPath(uri, '..'), { title, value: name, kind });
      if (target) await moveQuery(uri, target);
    });
  }

  async delete(argument: unknown): Promise<void> {
    await this.#onNode(argument, ({ uri, isFile }) => deleteQuery(uri, isFile));
  }

  async reveal(argument: unknown): Promise<void> {
    await this.#onNode(argument, ({ uri }) => revealQuery(uri));
  }

  /** Moves dragged files and folders into a folder. */
  async drop(nodes: readonly QueryNode[], target: QueryNode): Promise<void> {
    await this.#showingErrors(async () => {
      for (const { uri, name, parent } of nodes) {
        if (parent) await moveQuery(uri, vscode.Uri.joinPath(target.folder, name));
      }
    });
  }

  /** Saves the query that a command's argument is, or else that of the editor. False if the argument names a result. */
  async saveNamed(argument: unknown, editor: SqlEditor | undefined): Promise<boolean> {
    const isOfEditor = argument === undefined || argument instanceof vscode.Uri;
    const query = asUnsavedQuery(argument) ?? asQueryOfHistory(argument);
    if (query) await this.save(query);
    else if (editor && isOfEditor) await this.#saveSelection(editor);
    else return false;
    return true;
  }

  /** Asks for a place and a name, and opens the file. */
  async save(query: UnsavedQuery): Promise<void> {
    await this.#write(query, vscode.l10n.t('Save Query'));
  }

  /** Saves the selected statements, or the one at the cursor, with the comment above them. */
  async #saveSelection(editor: SqlEditor): Promise<void> {
    const { documents, statements } = this.#parts;
    const { document } = editor;
    const list = await (await statements()).load(document);
    const selected = selectedStatements(editor, list);
    const [first] = selected;
    if (!first) {
      void showInformation(vscode.l10n.t('There is no SQL statement at the cursor.'));
      return;
    }
    const choice = await documents.choiceFor(document);
    await this.save({
      sql: textOf(editor, list, selected),
      title: first.heading,
      project: choice.kind === 'project' ? choice.profile : undefined,
    });
  }

  dispose(): void {
    this.tree.dispose();
  }

  async #write({ sql, title: name, project }: UnsavedQuery, title: string, folder?: vscode.Uri): Promise<void> {
    const place = folder ?? (await this.#promptForFolder(title));
    if (!place) return;
    const proposal = name ?? effectOf(sql).tables[0]?.name ?? '';
    let value = sql === '' ? '' : fileNameFor(proposal);
    for (;;) {
      const file = await promptForPath(place, { title, value, kind: 'file' });
      const state = file && (await askForPlace(file));
      if (!file) return;
      if (state) {
        const text = queryText(sql, project && (await this.#projectName(project)));
        return this.#showingErrors(() => writeQuery(file, text, state === 'replace'));
      }
      value = file.path.slice(place.path.length + 1);
    }
  }

  async #projectName({ id, name }: { readonly id: string; readonly name: string }): Promise<string> {
    const { profiles } = await this.#parts.projects.list();
    const profile = profiles.find(listed => listed.id === id);
    return profile ? nameForProjectLine(profiles, profile) : name;
  }

  /** The personal folder or one of the workspace. Without a workspace, there is nothing to choose. */
  async #promptForFolder(title: string): Promise<vscode.Uri | undefined> {
    const [personal, ...others] = queryRoots(this.#parts.globalStorage);
    if (others.length === 0) return personal.uri;
    const items = [personal, ...others].map(root => ({
      label: root.name,
      description: root.uri.fsPath,
      iconPath: rootIcon(root),
      uri: root.uri,
    }));
    const placeHolder = vscode.l10n.t('Choose the folder of the file.');
    return (await vscode.window.showQuickPick(items, { title, placeHolder, ignoreFocusOut: true }))?.uri;
  }

  async #onNode(argument: unknown, act: (node: QueryNode) => Promise<void>): Promise<void> {
    if (!(argument instanceof QueryNode)) {
      void showInformation(vscode.l10n.t('Choose the command in the menu of a query in the view Queries.'));
      return;
    }
    await this.#showingErrors(() => act(argument));
  }

  async #showingErrors(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      void showError(errorMessage(thrown));
    }
    // Not every file system reports changes.
    await this.tree.refresh();
  }
}

const newFileTitle = (): string => vscode.l10n.t('New Query File');

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

/** Writes and opens a file. The text is written beside it first: if the window is killed, no text is
 * half. Fails if the file exists and is not replaced. */
async function writeQuery(file: vscode.Uri, text: string, isReplaced: boolean): Promise<void> {
  const part = file.with({ path: `${file.path}.${randomUUID()}.part` });
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(part, { contents: Buffer.from(text) });
  edit.renameFile(part, file, { overwrite: isReplaced });
  if (!(await vscode.workspace.applyEdit(edit))) {
    await vscode.workspace.fs.delete(part).then(undefined, () => undefined);
    throw misuse('not_written', vscode.l10n.t('{0} could not be written. Save the query again.', file.fsPath));
  }
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file), { preview: false });
}
