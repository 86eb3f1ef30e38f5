import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { asProjectError, isAbort } from '../../base/errors.ts';
import type { BrowseRun } from '../../model/browsing/browseRun.ts';
import { moveArrangement } from '../../model/results/moveArrangement.ts';
import type { BrowsedTable } from '../../model/browsing/browsedTable.ts';
import type { Profile } from '../../model/profiles.ts';
import type { BrowseState, BrowseView } from '../../protocol/browsing.ts';
import type { ResultAction } from '../../protocol/results.ts';
import { offerRemedy, remedyFor } from '../remedies.ts';
import type { DocumentProjects } from '../connections/documentProjects.ts';
import { commands } from '../names.ts';
import { editorIcon } from '../projectAppearance.ts';
import { decisionsOn } from '../results/resultActions.ts';
import { newResult, type Result } from '../results/result.ts';
import { ResultPage } from '../results/resultPage.ts';
import { askForRow } from './askForRow.ts';
import { type BrowsingActions, browsingCalls } from './browsingCalls.ts';
import { tableLabels } from './tableLabels.ts';
import { openTable, type OpenTableParts } from './openTable.ts';
import { openStatement } from './statementDocument.ts';

export interface TableEditorParts extends OpenTableParts {
  readonly extensionUri: vscode.Uri;
  readonly documents: DocumentProjects;
}

export interface TableEditorOptions {
  readonly panel: vscode.WebviewPanel;
  readonly profile: Profile;
  readonly table: BrowsedTable;
  /** How it was looked at before the window was opened again. */
  readonly before?: BrowseState;
}

/** An editor that browses one table. */
export class TableEditor implements BrowsingActions, Disposable {
  readonly #parts: TableEditorParts;
  readonly #options: TableEditorOptions;
  readonly #run: BrowseRun;
  readonly #page: ResultPage;
  readonly #owned = new DisposableStore();
  #profile: Profile;
  #result: Result;

  private constructor(parts: TableEditorParts, options: TableEditorOptions, run: BrowseRun) {
    const { panel, profile, table } = options;
    this.#parts = parts;
    this.#options = options;
    this.#run = run;
    this.#profile = profile;
    this.#result = { ...this.#newResult(), ...(options.before && { id: options.before.runId }) };
    this.#page = this.#owned.add(
      new ResultPage({
        ...{ extensionUri: parts.extensionUri, webview: panel.webview, title: table.name },
        isVisible: () => panel.visible,
        labels: tableLabels(),
        actions: {
          of: () => this.#offered(),
          act: action => this.#act(action),
        },
        methods: browsingCalls(this, run),
      }),
    );
    this.#owned.add(parts.projects.onDidChange(() => void this.#findProject()));
  }

  /**
   * Undefined when it was closed before it began. Its rows are not waited for: VS Code shows nothing of an editor that it
   * restores before that is done.
   */
  static async open(parts: TableEditorParts, options: TableEditorOptions): Promise<TableEditor | undefined> {
    const { panel, profile, table, before } = options;
    panel.iconPath = iconOf(options);
    let isClosed = false;
    panel.onDidDispose(() => (isClosed = true));
    const run = await openTable(parts, profile, table, before?.row);
    if (isClosed) return undefined;
    const editor = new TableEditor(parts, options, run);
    panel.onDidDispose(() => editor.dispose());
    void editor.#begin();
    return editor;
  }

  get table(): BrowsedTable {
    return this.#options.table;
  }

  /** Rows that were arranged before are shown so from the beginning. Faults are told, and do not reject. */
  async #begin(): Promise<void> {
    const { before } = this.#options;
    void this.#show();
    if (!before || before.arrangement.sort.length + before.arrangement.filters.length === 0) return this.#run.start();
    const { arrangement, row } = before;
    const known = before.columns.map(name => ({ name }));
    await this.#orRemedy(() => this.#run.startArranged(columns => moveArrangement(arrangement, known, columns), row));
  }

  async #show(): Promise<void> {
    await this.#page.show(this.#result);
  }

  #offered(): ResultAction[] {
    const { state, error, columns } = this.#run;
    return [
      ...decisionsOn(this.#run),
      ...(state === 'failed' ? waysOn(error, this.#profile) : []),
      ...(state === 'cancelled' ? (['retry'] as const) : []),
      ...(columns.length > 0 ? (['export'] as const) : []),
    ];
  }

  async #act(action: ResultAction): Promise<void> {
    if (action === 'export') return this.exportAll();
    if (action === 'cancelWait') return this.#run.controls.wait?.cancel();
    if (action === 'retry') return this.#tryAgain();
    if (action !== 'setKey' && action !== 'issueKey' && action !== 'editProject') return this.#run.controls.cancel();
    await vscode.commands.executeCommand(commands[action], this.#profile.id);
    await this.#tryAgain();
  }

  /** What was to be shown from the beginning still is, as it was arranged before. */
  #tryAgain(): Promise<void> {
    return this.#run.columns.length === 0 ? this.#begin() : this.#run.retry();
  }

  /** Asks which row to go to, and goes there. */
  async goToRow(): Promise<void> {
    const row = await askForRow(this.table.name, this.#run);
    if (row !== undefined) this.#page.notify('goTo', { row });
  }

  async countAll(): Promise<void> {
    await this.#orRemedy(() => this.#run.countAll());
  }

  /** All rows that there are; `columns` are those that are shown, in their order. */
  async exportAll(columns?: readonly number[]): Promise<void> {
    await this.#orRemedy(async () => {
      // How many rows there are is said with the question, so that nobody takes a part for the whole.
      if (!this.#run.hasEnd) await this.#run.countAll();
      if (!this.#run.hasEnd) return;
      const { exportRows } = await import('../results/exportRows.ts');
      await exportRows(this.#result, { columns });
    });
  }

  async refresh(): Promise<void> {
    await this.#orRemedy(() => this.#refresh());
  }

  async #refresh(): Promise<void> {
    const before = namesOf(this.#run);
    await this.#run.refresh();
    if (before === namesOf(this.#run)) return;
    // A grid is made for its columns, and the tree shows them as well.
    this.#result = this.#newResult();
    this.#parts.catalogs.for(this.#profile).forget();
    await this.#show();
  }

  async showStatement(): Promise<void> {
    await openStatement(this.#parts.documents, this.#profile, this.#run.statement);
  }

  dispose(): void {
    this.#owned.dispose();
    void this.#run.dispose();
  }

  #newResult(): Result {
    const profile = (): Profile => this.#profile;
    return newResult(this.#run, {
      get profile() {
        return profile();
      },
      ...{ statement: this.table.name, title: this.table.name, table: this.table.name },
      browsing: () => this.#view(),
    });
  }

  #view(): BrowseView {
    const { hasEnd, isCounting, isByStatement, repeatedCount = 0 } = this.#run;
    const { id: profileId, name: project } = this.#profile;
    const { name: table, kind } = this.table;
    const subject = { profileId, project, table, kind };
    return { subject, hasEnd, counting: isCounting, byStatement: isByStatement, repeated: repeatedCount };
  }

  async #orRemedy(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      // Whoever asked for something else meanwhile has what he wants.
      if (!isAbort(thrown)) await offerRemedy(thrown, this.#profile);
    }
  }

  /** Its name, colour and protection may be others by now. */
  async #findProject(): Promise<void> {
    this.#profile = (await this.#parts.projects.find(this.#profile.id)) ?? this.#profile;
    if (this.#owned.isDisposed) return;
    this.#options.panel.iconPath = iconOf({ ...this.#options, profile: this.#profile });
    await this.#show();
  }
}

const iconOf = ({ profile, table }: TableEditorOptions): vscode.ThemeIcon =>
  editorIcon(profile, table.kind === 'view' ? 'eye' : 'table');

/** What can be done about rows that could not be had. Columns that are others are there after a refresh only. */
function waysOn(fault: unknown, profile: Profile): ResultAction[] {
  const remedy = remedyFor(fault, profile);
  if (asProjectError(fault)?.code === 'columns_changed') return [];
  return remedy === 'tryAgain' ? ['retry'] : [remedy, 'retry'];
}

const namesOf = ({ columns }: BrowseRun): string => JSON.stringify(columns.map(({ name }) => name));
