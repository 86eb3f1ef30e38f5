import * as vscode from 'vscode';
import { asCount } from '../../base/decode.ts';
import { lazy } from '../../base/lazy.ts';
import type { BrowseRun } from '../../model/browsing/browseRun.ts';
import { boundScript, type BoundSql } from '../../model/boundSql.ts';
import type { Profile } from '../../model/profiles.ts';
import type { Remedy } from '../../protocol/settings.ts';
import type { DocumentProjects } from '../connections/documentProjects.ts';
import { commandId, customEditors, settings } from '../names.ts';
import { showInformation, showWarning, withoutIcons } from '../notifications.ts';
import { confirm, type Look } from '../questions.ts';
import { offerRemedy } from '../remedies.ts';
import type { Project } from '../../client/index.ts';
import { type EditPrompts, vscodeEditPrompts, countsText, vscodeSavePrompts } from '../editing/editPrompts.ts';
import type { EditPlace } from '../editing/reviewEdits.ts';
import type { TableDocument } from '../editing/tableDocument.ts';
import type { ExportRows } from '../results/exportRows.ts';
import type { TableNode } from '../tree/treeNodes.ts';
import { promptForRow } from '../results/promptForRow.ts';
import type { FilteredTable } from './referencedRow.ts';
import type { Referencing } from './referencingRows.ts';
import { numberText, rowsText } from '../numbers.ts';

const defaultPageSize = 500;
/** The service accepts no higher limit. */
const maxPageSize = 10_000;
const messageMs = 5000;

export type CommandRemedy = Exclude<Remedy, 'tryAgain'>;

export type RowRange = Pick<BrowseRun, 'table' | 'hasEnd' | 'rowCount'>;

/** Everything that table editors show or ask outside of their pages. */
export type BrowsingHost = Pick<VscodeBrowsingHost, keyof VscodeBrowsingHost>;

/** VS Code's own panels, inputs and settings for table editors. */
export class VscodeBrowsingHost {
  readonly #documents: DocumentProjects;
  readonly exportRows: ExportRows;
  readonly savePrompts = vscodeSavePrompts(document => this.#look(document));
  readonly #wantedSaves = new Set<string>();
  readonly #markedDocuments = new Set<string>();
  readonly #reviews = lazy(async () => new (await import('../editing/reviewEdits.ts')).EditReviews());
  readonly offerRemedy = offerRemedy;

  constructor(documents: DocumentProjects, exportRows: ExportRows) {
    this.#documents = documents;
    this.exportRows = exportRows;
  }

  /** Shows the editor of a table, or opens it. A preview leaves the focus where it is, and the next one takes its place. */
  async openEditor(uri: vscode.Uri, isPreview: boolean): Promise<void> {
    const options: vscode.TextDocumentShowOptions = {
      viewColumn: vscode.ViewColumn.Active,
      preview: isPreview,
      preserveFocus: isPreview,
    };
    await vscode.commands.executeCommand('vscode.openWith', uri, customEditors.table, options);
  }

  /** Keeps the active editor, so that no preview takes its place. */
  async keepEditor(): Promise<void> {
    await vscode.commands.executeCommand('workbench.action.keepEditor');
  }

  /** The user wants this save. */
  save(uri: vscode.Uri): Promise<void> {
    return saveAmong(this.#wantedSaves, uri);
  }

  async undo(isRedo: boolean): Promise<void> {
    await vscode.commands.executeCommand(isRedo ? 'redo' : 'undo');
  }

  /** Makes VS Code take a document without pending edits for saved. Writes nothing, even if an edit has come since. */
  markSaved(uri: vscode.Uri): Promise<void> {
    return saveAmong(this.#markedDocuments, uri);
  }

  /** Removes VS Code's mark of unsaved changes from a restored tab without pending edits. */
  async clearMark(document: TableDocument): Promise<void> {
    if (!document.isFromBackup && !hasUnsavedMark(document.uri)) return;
    // VS Code may restore the mark without a backup. Then it stays until the document has changed and is saved.
    document.announceChange();
    await this.markSaved(document.uri);
  }

  /** Whether VS Code saves a document only to mark it as saved. */
  isMarkedOnly(uri: vscode.Uri): boolean {
    return this.#markedDocuments.has(uri.toString());
  }

  async confirmDiscard(document: TableDocument): Promise<boolean> {
    const { editing, isOutcomeUnknown } = document;
    const warning = vscode.l10n.t(
      'The last save got no answer, so the table may have these changes already. Choose Check Outcome first to find out.',
    );
    const counts = countsText(editing.edits.counts);
    return confirm(
      vscode.l10n.t('Discard all changes that are not saved?'),
      [...(isOutcomeUnknown ? [warning, ''] : []), counts].join('\n'),
      this.#look(document),
      vscode.l10n.t('Discard Changes'),
    );
  }

  warnOfUnknownOutcome(document: TableDocument): void {
    void showWarning(
      vscode.l10n.t(
        "The edits of '{0}' are discarded. The last save got no answer, so the table may have its changes. Compare the rows.",
        document.table.name,
      ),
    );
  }

  /** Whether a save may write: the user wants it, or VS Code never saves by itself. */
  mayWrite(uri: vscode.Uri): boolean {
    return this.#wantedSaves.has(uri.toString()) || !savesAutomatically();
  }

  editPrompts(project: Pick<Project, 'query'>): EditPrompts {
    return vscodeEditPrompts(project);
  }

  async importRows(table: TableNode): Promise<void> {
    await vscode.commands.executeCommand(commandId('importRows'), table);
  }

  /** The edit that the user chooses to see. */
  async review(document: TableDocument): Promise<EditPlace | undefined> {
    return (await this.#reviews()).show(document);
  }

  /** The editor of the table may be closed, so the look shows the statements, not the list of edits, which leads to cells. */
  #look(document: TableDocument): Look {
    return { shows: 'edits', run: async () => (await this.#reviews()).showStatements(document) };
  }

  pageSize(): number {
    const setting = asCount(vscode.workspace.getConfiguration().get(settings.browsePageSize));
    return Math.min(setting || defaultPageSize, maxPageSize);
  }

  /** Undefined when the user cancels. */
  promptForRow({ table, hasEnd, rowCount }: RowRange): Promise<number | undefined> {
    return promptForRow(vscode.l10n.t('Go to Row of {0}', table.name), rowCount, hasEnd);
  }

  showMissingRow({ table, hasEnd, rowCount }: RowRange, row: number): void {
    const message = hasEnd
      ? vscode.l10n.t("'{0}' ends at row {1}.", table.name, numberText(rowCount))
      : vscode.l10n.t(
          "'{0}' has no row {1}. Enter a smaller number, or count the rows.",
          table.name,
          numberText(row + 1),
        );
    vscode.window.setStatusBarMessage(withoutIcons(message), messageMs);
  }

  /** Asks which referencing rows to show. Says so if there are none. */
  async chooseReferencing(table: string, { references, hasKeys }: Referencing): Promise<FilteredTable | undefined> {
    if (references.length === 0) {
      void showInformation(
        hasKeys
          ? vscode.l10n.t(
              "No row can refer to this row of '{0}': it has no value in the columns that foreign keys refer to.",
              table,
            )
          : vscode.l10n.t("No table refers to '{0}'.", table),
      );
      return undefined;
    }
    const items = references.map(({ rows, count }) => ({
      label: withoutIcons(rows.table.name),
      description: withoutIcons(rows.values.map(({ column, text }) => `${column} = ${text}`).join(', ')),
      detail: rowsText(count),
      rows,
    }));
    const title = vscode.l10n.t('Rows That Refer to This Row of {0}', withoutIcons(table));
    return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.rows;
  }

  /** Runs the command of a remedy. Settles when the user is done. */
  async applyRemedy(remedy: CommandRemedy, { id }: Profile): Promise<void> {
    await vscode.commands.executeCommand(commandId(remedy), id);
  }

  async openStatement(statement: BoundSql, profile: Profile): Promise<void> {
    const document = await vscode.workspace.openTextDocument({ language: 'sql', content: boundScript(statement) });
    await this.#documents.assign(document.uri, profile);
    await vscode.window.showTextDocument(document);
  }
}

/** Saves a document, which need not be the active one. Its URI is in the set meanwhile. */
async function saveAmong(saves: Set<string>, uri: vscode.Uri): Promise<void> {
  const uriText = uri.toString();
  saves.add(uriText);
  try {
    await vscode.workspace.save(uri);
  } finally {
    saves.delete(uriText);
  }
}

/** Whether VS Code saves tables by itself. They are outside of every workspace. */
function savesAutomatically(): boolean {
  const files = vscode.workspace.getConfiguration('files');
  return files.get('autoSave') !== 'off' && files.get('autoSaveWorkspaceFilesOnly') !== true;
}

function hasUnsavedMark(uri: vscode.Uri): boolean {
  const marked = uri.toString();
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .some(tab => tab.isDirty && tab.input instanceof vscode.TabInputCustom && tab.input.uri.toString() === marked);
}
