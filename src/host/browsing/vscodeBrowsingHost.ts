import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { asCount } from '../../base/decode.ts';
import type { TableStatement } from '../../model/browsing/tableStatements.ts';
import type { Profile } from '../../model/profiles.ts';
import { exactNumbers, jsonParameters } from '../../wire/values.ts';
import type { DocumentProjects } from '../connections/documentProjects.ts';
import { commands, customEditors, settings } from '../names.ts';
import { confirm, showInformation, showWarning, withoutIcons } from '../notifications.ts';
import { offerRemedy } from '../remedies.ts';
import type { Project } from '../../client/index.ts';
import { unreadableText } from '../editing/draftText.ts';
import { EditDrafts } from '../editing/editDrafts.ts';
import { type EditPrompts, vscodeEditPrompts } from '../editing/editPrompts.ts';
import type { EditReviews } from '../editing/reviewEdits.ts';
import { countsText, vscodeSavePrompts } from '../editing/savePrompts.ts';
import type { TableDocument } from '../editing/tableDocument.ts';
import type { ExportRows } from '../results/exportRows.ts';
import { promptForRow } from '../results/promptForRow.ts';
import type { BrowsingHost, CommandRemedy, RowRange } from './browsingHost.ts';
import type { TableEditorParts } from './tableEditor.ts';
import type { FilteredTable } from './referencedRow.ts';
import type { Referencing } from './referencingRows.ts';
import { type OnEdit, TableEditors } from './tableEditors.ts';
import { numberText, rowsText } from '../numbers.ts';

const defaultPageSize = 500;
/** The service accepts no higher limit. */
const maxPageSize = 10_000;
const messageMs = 5000;

interface CreateTableEditorsParts extends Omit<TableEditorParts, 'host'> {
  readonly documents: DocumentProjects;
  readonly exportRows: ExportRows;
  readonly onEdit: OnEdit;
  /** The folder that the windows of all workspaces share. */
  readonly globalStorage: string;
}

export function createTableEditors(options: CreateTableEditorsParts): TableEditors {
  const { documents, exportRows, onEdit, globalStorage, ...parts } = options;
  const drafts = new EditDrafts(draftsFolderOf(globalStorage), reportUnreadable);
  const host = new VscodeBrowsingHost(documents, exportRows);
  return new TableEditors({ ...parts, host, drafts: () => drafts }, onEdit);
}

const reportUnreadable = (table: string, file: string) => void showWarning(unreadableText(table, file));

/**
 * The folder for the drafts of this workspace. VS Code's storage for a workspace will not do: a window gets another one while
 * the process of a killed window still runs, and would not find the edits.
 */
function draftsFolderOf(globalStorage: string): string {
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  const workspace = workspaceFile?.toString() ?? workspaceFolders.map(({ uri }) => uri.toString()).join('\n');
  const name = createHash('sha256').update(workspace).digest('hex').slice(0, 16);
  return join(globalStorage, 'drafts', name);
}

/** VS Code's own panels, inputs and settings for table editors. */
class VscodeBrowsingHost implements BrowsingHost {
  readonly #documents: DocumentProjects;
  readonly exportRows: ExportRows;
  readonly savePrompts = vscodeSavePrompts;
  readonly #wantedSaves = new Set<string>();
  readonly #markedDocuments = new Set<string>();
  #reviews: EditReviews | undefined;
  readonly offerRemedy = offerRemedy;

  constructor(documents: DocumentProjects, exportRows: ExportRows) {
    this.#documents = documents;
    this.exportRows = exportRows;
  }

  async openEditor(uri: vscode.Uri, isPreview: boolean): Promise<void> {
    const options: vscode.TextDocumentShowOptions = {
      viewColumn: vscode.ViewColumn.Active,
      preview: isPreview,
      preserveFocus: isPreview,
    };
    await vscode.commands.executeCommand('vscode.openWith', uri, customEditors.table, options);
  }

  async keepEditor(): Promise<void> {
    await vscode.commands.executeCommand('workbench.action.keepEditor');
  }

  async save(uri: vscode.Uri): Promise<void> {
    const uriText = uri.toString();
    this.#wantedSaves.add(uriText);
    try {
      // The user may be in another editor now.
      await vscode.workspace.save(uri);
    } finally {
      this.#wantedSaves.delete(uriText);
    }
  }

  async undo(isRedo: boolean): Promise<void> {
    await vscode.commands.executeCommand(isRedo ? 'redo' : 'undo');
  }

  async markSaved(uri: vscode.Uri): Promise<void> {
    const marked = uri.toString();
    this.#markedDocuments.add(marked);
    try {
      await vscode.workspace.save(uri);
    } finally {
      this.#markedDocuments.delete(marked);
    }
  }

  async clearMark(document: TableDocument): Promise<void> {
    if (!document.isFromBackup && !hasUnsavedMark(document.uri)) return;
    // VS Code may restore the mark without a backup. Then it stays until the document has changed and is saved.
    document.announceChange();
    await this.markSaved(document.uri);
  }

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

  mayWrite(uri: vscode.Uri): boolean {
    return this.#wantedSaves.has(uri.toString()) || !savesAutomatically();
  }

  editPrompts(project: Pick<Project, 'query'>): EditPrompts {
    return vscodeEditPrompts(project);
  }

  async review(document: TableDocument): Promise<void> {
    this.#reviews ??= new (await import('../editing/reviewEdits.ts')).EditReviews();
    await this.#reviews.show(document);
  }

  pageSize(): number {
    const setting = asCount(vscode.workspace.getConfiguration().get(settings.browsePageSize));
    return Math.min(setting || defaultPageSize, maxPageSize);
  }

  promptForRow({ table, hasEnd, rowCount }: RowRange): Promise<number | undefined> {
    return promptForRow({ title: vscode.l10n.t('Go to Row of {0}', table.name), hasEnd, rowCount });
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

  async applyRemedy(remedy: CommandRemedy, { id }: Profile): Promise<void> {
    await vscode.commands.executeCommand(commands[remedy], id);
  }

  async openStatement(statement: TableStatement, profile: Profile): Promise<void> {
    const document = await vscode.workspace.openTextDocument({ language: 'sql', content: scriptOf(statement) });
    await this.#documents.assign(document.uri, profile);
    await vscode.window.showTextDocument(document);
  }
}

/** Whether VS Code saves tables by itself. They are outside of every workspace. */
function savesAutomatically(): boolean {
  const files = vscode.workspace.getConfiguration('files');
  return files.get('autoSave') !== 'off' && files.get('autoSaveWorkspaceFilesOnly') !== true;
}

function scriptOf({ sql, params }: TableStatement): string {
  const paramsLine = params.length > 0 ? `-- @params ${JSON.stringify(jsonParameters(params), exactNumbers)}\n` : '';
  return `${paramsLine}${sql};\n`;
}

/** Whether a tab of the document has VS Code's mark of unsaved changes. */
function hasUnsavedMark(uri: vscode.Uri): boolean {
  const marked = uri.toString();
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .some(tab => tab.isDirty && tab.input instanceof vscode.TabInputCustom && tab.input.uri.toString() === marked);
}
