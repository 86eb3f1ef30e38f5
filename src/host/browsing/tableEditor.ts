import type * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { asProjectError, isAbort } from '../../base/errors.ts';
import type { BrowsedTable } from '../../model/browsing/browsedTable.ts';
import type { BrowseRun } from '../../model/browsing/browseRun.ts';
import { moveArrangement } from '../../model/results/moveArrangement.ts';
import type { Profile } from '../../model/profiles.ts';
import { type Arrangement, type CellRange, isArranged } from '../../protocol/rowQueries.ts';
import type { BrowseState, BrowseView } from '../../protocol/browsing.ts';
import type { ResultAction } from '../../protocol/results.ts';
import type { Projects } from '../connections/projects.ts';
import { editorIcon } from '../projectAppearance.ts';
import { remedyFor } from '../remedies.ts';
import { newResult, type Result } from '../results/result.ts';
import { decisionsOn } from '../results/resultActions.ts';
import { ResultPage } from '../results/resultPage.ts';
import { type BrowsingActions, browsingCalls } from './browsingCalls.ts';
import type { BrowsingHost, RowRange } from './browsingHost.ts';
import { type FilteredTable, referencedRow } from './referencedRow.ts';
import { openTable, type OpenTableParts } from './openTable.ts';
import { tableLabels } from './tableLabels.ts';

export interface TableEditorParts extends OpenTableParts {
  readonly extensionUri: vscode.Uri;
  readonly projects: Pick<Projects, 'get' | 'find' | 'onDidChange'>;
  readonly host: BrowsingHost;
}

export interface TableEditorOptions {
  readonly panel: vscode.WebviewPanel;
  readonly profile: Profile;
  readonly table: BrowsedTable;
  /** The state of the page before the window was reloaded. */
  readonly restoredState?: BrowseState;
  /** Opens the rows of another table of the project that pass filters. */
  readonly openFiltered?: (profile: Profile, rows: FilteredTable) => Promise<void>;
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
    const { panel, profile, table, restoredState } = options;
    this.#parts = parts;
    this.#options = options;
    this.#run = run;
    this.#profile = profile;
    const result = this.#createResult();
    // The page remembers where the user was under the id of its result.
    this.#result = restoredState ? { ...result, id: restoredState.runId } : result;
    this.#page = this.#owned.add(
      new ResultPage({
        extensionUri: parts.extensionUri,
        webview: panel.webview,
        title: table.name,
        isVisible: () => panel.visible,
        exportRows: (...request) => parts.host.exportRows(...request),
        labels: tableLabels(),
        actions: {
          of: () => this.#actions(),
          act: action => this.#act(action),
        },
        methods: browsingCalls(this, run),
      }),
    );
    this.#owned.add(parts.projects.onDidChange(() => void this.#updateProfile()));
  }

  /**
   * Opens an editor, or gives undefined if its panel is closed before. Does not wait for rows: VS Code shows a restored
   * editor only when this settles.
   */
  static async open(parts: TableEditorParts, options: TableEditorOptions): Promise<TableEditor | undefined> {
    const { panel, profile, table, restoredState } = options;
    panel.iconPath = iconOf(options);
    let isClosed = false;
    panel.onDidDispose(() => (isClosed = true));
    const run = await openTable(parts, {
      profile,
      table,
      pageSize: parts.host.pageSize(),
      start: restoredState?.row ?? 0,
    });
    if (isClosed) return undefined;
    const editor = new TableEditor(parts, options, run);
    panel.onDidDispose(() => editor.dispose());
    void editor.#start();
    return editor;
  }

  get profileId(): string {
    return this.#profile.id;
  }

  get table(): BrowsedTable {
    return this.#options.table;
  }

  /** Whether the user sorted or filtered the rows. */
  get isArranged(): boolean {
    return this.#run.isByStatement;
  }

  async goToRow(): Promise<void> {
    const row = await this.#parts.host.promptForRow(this.#run);
    if (row !== undefined) this.#page.notify('goTo', { row });
  }

  async countAll(): Promise<void> {
    await this.#orRemedy(() => this.#run.countAll());
  }

  /** Exports all rows of the table, with the shown columns in their order. */
  async exportAll(columns?: readonly number[], selection?: readonly CellRange[]): Promise<void> {
    await this.#orRemedy(async () => {
      // The export prompt names the row count, so that nobody takes a part for the whole.
      if (!this.#run.hasEnd) await this.#run.countAll();
      const wasCountingStopped = !this.#run.hasEnd;
      if (!wasCountingStopped) await this.#parts.host.exportRows(this.#result, { columns, selection });
    });
  }

  async refresh(): Promise<void> {
    await this.#orRemedy(async () => {
      const columnsBefore = columnNames(this.#run);
      await this.#run.refresh();
      if (columnsBefore === columnNames(this.#run)) return;
      // The grid is made for its columns, and the tree shows them as well.
      this.#result = this.#createResult();
      this.#parts.catalogs.for(this.#profile).forget();
      await this.#show();
    });
  }

  async showStatement(): Promise<void> {
    await this.#parts.host.openStatement(this.#run.statement, this.#profile);
  }

  /** Opens the row that the foreign key in a cell refers to. */
  async follow(row: number, column: number): Promise<void> {
    await this.#orRemedy(async () => {
      const rows = await referencedRow(this.#run, this.#parts.catalogs.for(this.#profile), row, column);
      if (rows) await this.#options.openFiltered?.(this.#profile, rows);
    });
  }

  /** Shows the rows with a value in a column. */
  async filter({ column, text }: FilteredTable): Promise<void> {
    await this.#orRemedy(() =>
      this.#run.queries.arrange(moveArrangement(equalTo(text), [{ name: column }], this.#run.columns)),
    );
  }

  showMissingRow(rows: RowRange, row: number): void {
    this.#parts.host.showMissingRow(rows, row);
  }

  dispose(): void {
    this.#owned.dispose();
    void this.#run.dispose();
  }

  /** Shows restored rows only in their arrangement. Faults do not reject: they are shown. */
  async #start(): Promise<void> {
    void this.#show();
    const { restoredState } = this.#options;
    if (!restoredState || !isArranged(restoredState.arrangement)) return this.#run.start();
    const { arrangement, row } = restoredState;
    const restoredColumns = restoredState.columns.map(name => ({ name }));
    await this.#orRemedy(() =>
      this.#run.startArranged(columns => moveArrangement(arrangement, restoredColumns, columns), row),
    );
  }

  async #show(): Promise<void> {
    await this.#page.show(this.#result);
  }

  #actions(): ResultAction[] {
    const { state, error, columns } = this.#run;
    const actions = decisionsOn(this.#run);
    if (state === 'failed') actions.push(...remediesFor(error, this.#profile));
    if (state === 'cancelled') actions.push('retry');
    if (columns.length > 0) actions.push('export');
    return actions;
  }

  async #act(action: ResultAction): Promise<void> {
    const { controls } = this.#run;
    switch (action) {
      case 'export':
        return this.exportAll();
      case 'cancelWait':
        return controls.wait?.cancel();
      case 'retry':
        return this.#retry();
      case 'setKey':
      case 'issueKey':
      case 'editProject':
        await this.#parts.host.applyRemedy(action, this.#profile);
        return this.#retry();
      default:
        return controls.cancel();
    }
  }

  #retry(): Promise<void> {
    return this.#run.columns.length === 0 ? this.#start() : this.#run.retry();
  }

  #createResult(): Result {
    const currentProfile = (): Profile => this.#profile;
    const { name } = this.table;
    return newResult(this.#run, {
      get profile() {
        return currentProfile();
      },
      statement: name,
      title: name,
      table: name,
      browsing: () => this.#view(),
      follow: (row, column) => this.follow(row, column),
    });
  }

  #view(): BrowseView {
    const { hasEnd, isCounting, isByStatement, repeatedCount = 0 } = this.#run;
    const { name: table, kind } = this.table;
    return {
      subject: {
        profileId: this.#profile.id,
        project: this.#profile.name,
        table,
        kind,
      },
      hasEnd,
      counting: isCounting,
      byStatement: isByStatement,
      repeated: repeatedCount,
    };
  }

  async #orRemedy(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      // The user cancelled it, or did something else meanwhile.
      if (!isAbort(thrown)) await this.#parts.host.offerRemedy(thrown, this.#profile);
    }
  }

  /** The project's name, colour and protection may have changed. */
  async #updateProfile(): Promise<void> {
    this.#profile = (await this.#parts.projects.find(this.#profile.id)) ?? this.#profile;
    if (this.#owned.isDisposed) return;
    this.#options.panel.iconPath = iconOf({ profile: this.#profile, table: this.table });
    await this.#show();
  }
}

/** The rows whose first column has a value. */
export const equalTo = (text: string): Arrangement => ({ sort: [], filters: [{ kind: 'equals', column: 0, text }] });

const iconOf = ({ profile, table }: Pick<TableEditorOptions, 'profile' | 'table'>): vscode.ThemeIcon =>
  editorIcon(profile, table.kind === 'view' ? 'eye' : 'table');

/** The actions that help against a fault. Changed columns take a refresh: fetching again does not help. */
function remediesFor(fault: unknown, profile: Profile): ResultAction[] {
  if (asProjectError(fault)?.code === 'columns_changed') return [];
  const remedy = remedyFor(fault, profile);
  return remedy === 'tryAgain' ? ['retry'] : [remedy, 'retry'];
}

const columnNames = ({ columns }: BrowseRun): string => JSON.stringify(columns.map(({ name }) => name));
