import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { monotonicClock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { BrowsedTable } from '../../model/browsing/browsedTable.ts';
import type { Profile } from '../../model/profiles.ts';
import { gridBridge } from '../../protocol/gridBridge.ts';
import { isSameName } from '../../sql/text/names.ts';
import type { DocumentProjects } from '../connections/documentProjects.ts';
import { EditDrafts } from '../editing/editDrafts.ts';
import { type DocumentEdit, TableDocument } from '../editing/tableDocument.ts';
import { showInformation, showWarning } from '../notifications.ts';
import type { ExportRows } from '../results/exportRows.ts';
import { openPage } from '../webviews/webviewPage.ts';
import { VscodeBrowsingHost } from './browsingHost.ts';
import { currentProject } from './currentProject.ts';
import { TableEditor, type TableEditorParts } from './tableEditor.ts';
import { equalTo, type FilteredTable } from './referencedRow.ts';
import { isSameTable, type TableViewState, Trail, type TrailStep } from './trail.ts';
import { tableTitles } from './tableTitles.ts';
import { tableAddressOf, tableUri } from './tableUri.ts';

export interface TableEditorsParts extends TableEditorParts {
  readonly drafts: EditDrafts;
  /** Without an edit, the document differs from the table for another reason. */
  readonly onEdit: (document: TableDocument, edit?: DocumentEdit) => void;
}

interface OpenTable {
  readonly document: TableDocument;
  readonly panel: vscode.WebviewPanel;
  /** Undefined if the panel was closed before the editor was there. */
  readonly editor: Promise<TableEditor | undefined>;
  /** Replaced when the project changes. */
  profile: Profile;
}

export interface OpenEditorOptions {
  /** Whether the next preview may take the place of this one. */
  readonly isPreview?: boolean;
}

interface SaveTableOptions {
  readonly signal: AbortSignal;
  /** Whether VS Code may have saved by itself, after a delay or because the focus went elsewhere. */
  readonly mayBeAutomatic: boolean;
}

/** The editors of tables. Editors of one table share a document, which has its edits. */
export class TableEditors implements Disposable {
  readonly #parts: TableEditorsParts;
  readonly #documents = new Map<string, TableDocument>();
  readonly #openTables = new Set<OpenTable>();
  /** By URI, for tables that this window opens itself. Other editors are restored as their pages remember them. */
  readonly #firstStates = new Map<string, TableViewState | 'unsorted'>();
  readonly #trail = new Trail();
  readonly #owned = new DisposableStore();

  constructor(parts: TableEditorsParts) {
    this.#parts = parts;
    this.#owned.add(parts.projects.onDidChange(() => void this.#updateProfiles()));
  }

  /** A preview leaves the focus where it is. */
  async open(
    profile: Profile,
    table: BrowsedTable,
    { isPreview = false }: OpenEditorOptions = {},
  ): Promise<TableEditor | undefined> {
    const uri = this.#uriOf(profile, table);
    if (!this.#openOf(uri)) this.#firstStates.set(uri.toString(), 'unsorted');
    await this.#parts.host.openEditor(uri, isPreview);
    return this.#openOf(uri)?.editor;
  }

  async openFiltered(profile: Profile, rows: FilteredTable, from?: TrailStep): Promise<void> {
    const columns = rows.values.map(({ column }) => column);
    const shownState = { columns, arrangement: equalTo(rows.values), place: { row: 0 } };
    await this.openShown(profile, rows.table, shownState, from);
  }

  async openShown(profile: Profile, table: BrowsedTable, shownState: TableViewState, from?: TrailStep): Promise<void> {
    const step: TrailStep = { profile, table, shownState };
    const replaced = await this.#shownRowsOf(step);
    this.#trail.follow(from, step);
    if (!from || !isSameTable(from, step)) this.#trail.keepReplaced(replaced);
    await this.#showStep(step);
  }

  async #goToStep(index: number, shownState: TableViewState): Promise<void> {
    const stepBefore = this.#trail.current;
    const move = this.#trail.goTo(index, shownState);
    if (!stepBefore || !move) return;
    const { step, isForward, leftSteps } = move;
    if (isForward && !isSameTable(stepBefore, step)) this.#trail.keepReplaced(await this.#shownRowsOf(step));
    // Begin before the step is shown: the user may go forward again at once.
    const restored = this.#restore(leftSteps.filter(other => !isSameTable(other, step)));
    await this.#showStep(step);
    await restored;
  }

  /** Shows tables as they were before these steps. If a table has several steps, the last one counts. */
  async #restore(steps: readonly TrailStep[]): Promise<void> {
    const byTable = new Map(steps.map(step => [this.#uriOf(step.profile, step.table).toString(), step]));
    const restoreTable = async ({ profile, table, replacedState }: TrailStep): Promise<void> => {
      const editor = await this.#openOf(this.#uriOf(profile, table))?.editor;
      if (replacedState) await editor?.navigation.show(replacedState);
    };
    await Promise.all(byTable.values().map(restoreTable));
  }

  async #shownRowsOf({ profile, table }: TrailStep): Promise<TableViewState | undefined> {
    return (await this.#openOf(this.#uriOf(profile, table))?.editor)?.navigation.shownRows();
  }

  async #showStep({ profile, table, shownState }: TrailStep): Promise<void> {
    const uri = this.#uriOf(profile, table);
    const openTable = this.#openOf(uri);
    if (!openTable) this.#firstStates.set(uri.toString(), shownState);
    await this.#parts.host.openEditor(uri, false);
    await (await openTable?.editor)?.navigation.show(shownState);
    await this.#withEditors(this.#openTables, editor => editor.show());
  }

  /** Never rejects: VS Code would hide the reason. */
  async openDocument(uri: vscode.Uri, isFromBackup: boolean): Promise<TableDocument> {
    const address = tableAddressOf(uri);
    const { profileId = '', table = { name: '', kind: 'table' as const } } = address ?? {};
    const key = uri.toString();
    const document: TableDocument = new TableDocument({
      uri,
      profileId,
      table,
      project: currentProject(this.#parts, { id: profileId }),
      drafts: this.#parts.drafts,
      clock: monotonicClock,
      isFromBackup,
      onEdit: this.#parts.onEdit,
      // VS Code marks the tab when this undo has ended.
      onEmptyUndo: () => setImmediate(() => void this.#parts.host.markSaved(uri)),
      onClosed: () => {
        if (this.#documents.get(key) === document) this.#documents.delete(key);
      },
    });
    this.#documents.set(key, document);
    return document;
  }

  /** Fills the editor of a document. */
  async resolve(document: TableDocument, panel: vscode.WebviewPanel): Promise<void> {
    const { uri } = document;
    const address = tableAddressOf(uri);
    let isClosed = false;
    panel.onDidDispose(() => (isClosed = true));
    const firstState = this.#firstStates.get(uri.toString());
    this.#firstStates.delete(uri.toString());
    if (!address) {
      this.#showMessage(panel, vscode.l10n.t('This tab could not be restored. Open the table from the tree.'));
      return;
    }
    const profile = await this.#parts.projects.find(address.profileId);
    if (isClosed) return;
    if (profile) await this.#fill(document, panel, profile, firstState);
    else this.#waitForProject(document, panel, address.project);
  }

  /** Saves the edits if the user wants it. Asks when that is not certain. Refreshes the table's editors afterwards. */
  async save(document: TableDocument, { signal, mayBeAutomatic }: SaveTableOptions): Promise<void> {
    const { host, projects } = this.#parts;
    if (!document.isDirty || host.isMarkedOnly(document.uri)) return;
    const mayWrite = host.mayWrite(document.uri);
    // VS Code shows no message when an automatic save fails.
    if (!mayWrite && mayBeAutomatic) {
      throw new Error(vscode.l10n.t('Auto Save does not write to the database. Choose Save Changes in the table.'));
    }
    const profile = await projects.get(document.profileId);
    // A save of a project that confirms writes asks in any case.
    if (!mayWrite && profile.protection === 'open') {
      const isConfirmed = await host.savePrompts.confirmSave(profile, document);
      if (!isConfirmed) throw new vscode.CancellationError();
    }
    const project = currentProject(this.#parts, profile);
    const { saveEdits } = await import('../editing/saveEdits.ts');
    try {
      await saveEdits({ document, project, profile, prompts: host.savePrompts, signal });
    } finally {
      const edited = [...this.#openTables].filter(open => open.document === document);
      void this.#withEditors(edited, editor => editor.refreshRows());
    }
  }

  /** Refreshes the editors of a table whose columns may have changed. */
  async refresh(profile: Profile, table: string): Promise<void> {
    const changed = [...this.#openTables].filter(({ document }) => isOf(document, profile, table));
    await this.#withEditors(changed, editor => editor.refresh());
  }

  async revert(document: TableDocument): Promise<void> {
    const { isOutcomeUnknown } = document;
    await document.revert();
    if (isOutcomeUnknown) this.#parts.host.warnOfUnknownOutcome(document);
  }

  async inActive(act: (editor: TableEditor) => unknown): Promise<void> {
    const editor = await this.active();
    if (editor) await act(editor);
    else void showInformation(vscode.l10n.t('No table is shown. Open one from the SQL Projects view.'));
  }

  async active(): Promise<TableEditor | undefined> {
    return [...this.#openTables].find(({ panel }) => panel.active)?.editor;
  }

  /** Leaves the tabs open, so that VS Code restores them. */
  dispose(): void {
    this.#owned.dispose();
    this.#parts.drafts.dispose();
    void this.#withEditors(this.#openTables, editor => editor.dispose());
  }

  /** A failure of one editor does not stop the others. */
  async #withEditors(tables: Iterable<OpenTable>, use: (editor: TableEditor) => Promise<void> | void): Promise<void> {
    const uses = [...tables].map(async ({ editor }) => {
      const opened = await editor;
      if (opened) await use(opened);
    });
    await Promise.allSettled(uses);
  }

  /** An open table keeps its URI after its project got another name. */
  #uriOf(profile: Profile, table: BrowsedTable): vscode.Uri {
    const open = [...this.#documents.values()].find(document => isOf(document, profile, table.name));
    return open?.uri ?? tableUri(profile, table);
  }

  #openOf(uri: vscode.Uri): OpenTable | undefined {
    return [...this.#openTables].find(({ document }) => document.uri.toString() === uri.toString());
  }

  async #fill(
    document: TableDocument,
    panel: vscode.WebviewPanel,
    profile: Profile,
    firstState: TableViewState | 'unsorted' | undefined,
  ): Promise<void> {
    const { table } = document;
    const stepOf = () => ({ profile: openTable.profile, table });
    const openTable: OpenTable = {
      document,
      panel,
      editor: TableEditor.open(this.#parts, {
        panel,
        profile,
        document,
        firstState,
        trail: {
          follow: (rows, shownState) => this.openFiltered(openTable.profile, rows, { ...stepOf(), shownState }),
          goTo: (index, shown) => this.#goToStep(index, shown),
          keepReplaced: replaced => {
            const { current } = this.#trail;
            if (current && isSameTable(current, stepOf())) this.#trail.keepReplaced(replaced);
          },
          viewFor: shown => this.#trail.viewFor(stepOf(), shown),
        },
      }),
      profile,
    };
    panel.onDidDispose(() => {
      this.#openTables.delete(openTable);
      this.#updateTitles();
    });
    this.#openTables.add(openTable);
    this.#updateTitles();
    await openTable.editor;
  }

  /** Two editors of one table have the same title. */
  #updateTitles(): void {
    const open = [...this.#openTables];
    const titles = tableTitles(open.map(({ document: { table }, profile }) => ({ table, profile })));
    for (const [index, { panel }] of open.entries()) {
      if (panel.title !== titles[index]) panel.title = titles[index]!;
    }
  }

  async #updateProfiles(): Promise<void> {
    for (const openTable of this.#openTables) {
      openTable.profile = (await this.#parts.projects.find(openTable.profile.id)) ?? openTable.profile;
    }
    this.#updateTitles();
  }

  /** Says that the project is missing. Fills the panel when the project is back. */
  #waitForProject(document: TableDocument, panel: vscode.WebviewPanel, project: string): void {
    const message = vscode.l10n.t(
      "The project '{0}' is not in the list of projects now, so '{1}' cannot be shown. It is shown as soon as the project is back: start its local service, trust the workspace, or add the project again.",
      project,
      document.table.name,
    );
    const waiting = new DisposableStore();
    const fillIfBack = async (): Promise<void> => {
      const profile = await this.#parts.projects.find(document.profileId);
      if (!profile || waiting.isDisposed) return;
      waiting.dispose();
      await this.#fill(document, panel, profile, undefined);
    };
    waiting.add(this.#showMessage(panel, message));
    waiting.add(this.#parts.projects.onDidChange(() => void fillIfBack()));
    panel.onDidDispose(() => waiting.dispose());
  }

  /** The page keeps its state for the next reload. */
  #showMessage(panel: vscode.WebviewPanel, message: string): Disposable {
    return openPage(panel.webview, {
      extensionUri: this.#parts.extensionUri,
      bridge: gridBridge,
      title: panel.title,
      message,
      methods: { ready: () => undefined },
    });
  }
}

const isOf = ({ profileId, table }: TableDocument, { id }: Profile, name: string): boolean =>
  profileId === id && isSameName(table.name, name);

interface CreateTableEditorsParts extends Omit<TableEditorsParts, 'host' | 'drafts'> {
  readonly documents: DocumentProjects;
  readonly exportRows: ExportRows;
  /** The folder that the windows of all workspaces share. */
  readonly globalStorage: string;
}

export function createTableEditors(options: CreateTableEditorsParts): TableEditors {
  const { documents, exportRows, globalStorage, ...parts } = options;
  const drafts = new EditDrafts(draftsFolderOf(globalStorage), reportUnreadable);
  const host = new VscodeBrowsingHost(documents, exportRows);
  return new TableEditors({ ...parts, host, drafts });
}

/** Such a draft is from a later version of the extension, or from a damaged disk. */
function reportUnreadable(table: string, file: string): void {
  void showWarning(
    vscode.l10n.t("Unsaved changes of '{0}' from an earlier window cannot be read. They are kept in {1}.", table, file),
  );
}

/**
 * The folder for the drafts of this workspace. VS Code's own storage does not do: while the process of a killed window still
 * runs, a new window gets another storage, and would not find the edits.
 */
function draftsFolderOf(globalStorage: string): string {
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  const workspace = workspaceFile?.toString() ?? workspaceFolders.map(({ uri }) => uri.toString()).join('\n');
  const name = createHash('sha256').update(workspace).digest('hex').slice(0, 16);
  return join(globalStorage, 'drafts', name);
}
