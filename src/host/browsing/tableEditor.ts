import * as vscode from 'vscode';
import { monotonicClock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { isAbort, messageOf } from '../../base/errors.ts';
import type { BrowsedTable } from '../../model/browsing/browsedTable.ts';
import type { BrowseRequest } from '../../model/browsing/browseRequest.ts';
import { BrowseRun } from '../../model/browsing/browseRun.ts';
import { ServiceWaits } from '../../model/serviceWaits.ts';
import { moveArrangement } from '../../model/results/rowQueries.ts';
import type { Profile } from '../../model/profiles.ts';
import { isArranged } from '../../protocol/rowQueries.ts';
import type { BrowseState, BrowseView, JumpTarget } from '../../protocol/browsing.ts';
import type { ResultAction } from '../../protocol/results.ts';
import type { EditedRow } from '../../model/editing/tableEditing.ts';
import type { ReadOnlyReason } from '../../model/catalog/editableTable.ts';
import { type ServedMethods, serveMethods } from '../../protocol/bridge.ts';
import { browsingMethods, type tableMethods } from '../../protocol/gridBridge.ts';
import type { Catalogs, Projects } from '../connections/projects.ts';
import type { Clients } from '../connections/clients.ts';
import { type EditingActions, editingCalls } from '../editing/editingCalls.ts';
import { editingView, readOnlyText, editedRows, ProblemTour, rowHidden } from '../editing/editingView.ts';
import type { TableDocument } from '../editing/tableDocument.ts';
import { editorIcon } from '../projectAppearance.ts';
import type { ExportRowsOptions } from '../results/exportRows.ts';
import { newResult, type Result } from '../results/result.ts';
import { decisionsOn } from '../results/resultActions.ts';
import { remediesFor } from '../remedies.ts';
import { staleOrder } from '../results/resultCalls.ts';
import { ResultPage } from '../results/resultPage.ts';
import type { BrowsingHost } from './browsingHost.ts';
import { TableNavigation } from './tableNavigation.ts';
import type { EditorTrail, TableViewState } from './trail.ts';
import { currentProject } from './currentProject.ts';

export interface TableEditorParts {
  readonly extensionUri: vscode.Uri;
  readonly projects: Pick<Projects, 'get' | 'find' | 'onDidChange'>;
  readonly clients: Pick<Clients, 'for'>;
  readonly catalogs: Pick<Catalogs, 'for'>;
  readonly downloadParts: BrowseRequest['downloadParts'];
  readonly host: BrowsingHost;
}

interface TableEditorOptions {
  readonly panel: vscode.WebviewPanel;
  readonly profile: Profile;
  readonly document: TableDocument;
  /** How the rows are arranged at first. Undefined: as the page remembers from an earlier window. */
  readonly firstState: TableViewState | 'unsorted' | undefined;
  readonly trail?: EditorTrail;
}

export class TableEditor implements EditingActions, Disposable {
  readonly #parts: TableEditorParts;
  readonly #options: TableEditorOptions;
  readonly #run: BrowseRun;
  readonly #page: ResultPage;
  readonly host: BrowsingHost;
  readonly table: BrowsedTable;
  readonly navigation: TableNavigation;
  readonly #owned = new DisposableStore();
  readonly #rememberedState = Promise.withResolvers<TableViewState | undefined>();
  readonly #sentRows = new Map<string, EditedRow>();
  #profile: Profile;
  #result: Result;
  #readOnlyReason: ReadOnlyReason | undefined;
  #isKept = false;

  private constructor(parts: TableEditorParts, options: TableEditorOptions, run: BrowseRun) {
    const { panel, profile, document, firstState, trail } = options;
    this.#parts = parts;
    this.#options = options;
    this.host = parts.host;
    this.table = document.table;
    this.#run = run;
    this.#profile = profile;
    this.#result = this.#createResult();
    this.navigation = new TableNavigation({
      run,
      place: typeof firstState === 'object' ? firstState.place : undefined,
      trail,
      host: parts.host,
      catalog: () => parts.catalogs.for(this.#profile),
      project: () => currentProject(parts, this.#profile),
      orRemedy: work => this.#orRemedy(work),
      goTo: async ({ row, column }) => {
        // The page must have the arrangement first.
        await this.show();
        this.#page.notify('goTo', { row, ...(column !== undefined && { column }) });
      },
    });
    this.#page = this.#owned.add(
      new ResultPage({
        extensionUri: parts.extensionUri,
        webview: panel.webview,
        title: document.table.name,
        isVisible: () => panel.visible,
        exportRows: (_result, request) => this.exportAll(request),
        message: vscode.l10n.t('Loading…'),
        actions: {
          of: () => this.#actions(),
          act: action => this.#act(action),
        },
        methods: this.#methods(),
        onReady: state => this.#takeRemembered(state),
      }),
    );
    this.#owned.add(document.onDidChange(() => void this.show()));
    this.#owned.add(run.onChange(() => this.#keepArranged()));
    this.#owned.add(parts.projects.onDidChange(() => void this.#updateProfile()));
  }

  /** Undefined if the panel is closed meanwhile. Does not wait for rows: VS Code shows a restored editor only when this settles. */
  static async open(parts: TableEditorParts, options: TableEditorOptions): Promise<TableEditor | undefined> {
    const { panel, profile, document } = options;
    panel.iconPath = editorIcon(profile, document.table.kind);
    let isClosed = false;
    panel.onDidDispose(() => (isClosed = true));
    const run = await newRun(parts, options);
    if (isClosed) return undefined;
    const editor = new TableEditor(parts, options, run);
    panel.onDidDispose(() => editor.dispose());
    void editor.#start();
    return editor;
  }

  get profileId(): string {
    return this.#profile.id;
  }

  async goToRow(): Promise<void> {
    const row = await this.host.promptForRow(this.#run);
    if (row !== undefined) this.#page.notify('goTo', { row });
  }

  async countAll(): Promise<void> {
    await this.#orRemedy(() => this.#run.countAll());
  }

  /** Exports all rows, with the shown columns in their order. */
  async exportAll(options?: ExportRowsOptions): Promise<void> {
    await this.#orRemedy(async () => {
      // The export prompt names the row count, so that nobody takes a part for the whole.
      if (!this.#run.hasEnd) await this.#run.countAll();
      // Without an end, the user has stopped the count.
      if (this.#run.hasEnd) await this.host.exportRows(this.#result, options);
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
      await this.#readSchema();
      await this.show();
    });
  }

  async showStatement(): Promise<void> {
    await this.host.openStatement(this.#run.statement, this.#profile);
  }

  async refreshRows(): Promise<void> {
    await this.#run.refresh();
  }

  async save(): Promise<void> {
    const { document } = this.#options;
    try {
      await this.host.save(document.uri);
    } catch (thrown) {
      // The page shows this problem beside the edits. Screen readers would read a second message as well.
      if (!isAbort(thrown) && messageOf(thrown) !== document.problem) throw thrown;
    }
  }

  async checkOutcome(): Promise<void> {
    const { document } = this.#options;
    const project = currentProject(this.#parts, this.#profile);
    const { checkOutcome } = await import('../editing/saveEdits.ts');
    const prompts = this.host.savePrompts;
    await checkOutcome({ document, project, profile: this.#profile, prompts, signal: new AbortController().signal });
    if (!document.isDirty) await this.host.markSaved(document.uri);
    await this.refreshRows();
  }

  async review(): Promise<void> {
    await this.#orRemedy(async () => {
      const { document } = this.#options;
      const edit = await this.host.review(document);
      if (!edit) return;
      await this.host.openEditor(document.uri, false);
      const place = await new ProblemTour(document, this.#run).placeOf(edit);
      if (!place) throw rowHidden();
      this.#page.notify('goTo', place);
    });
  }

  /** Asks first. VS Code's own command would revert the active editor. */
  async discard(): Promise<void> {
    const { document } = this.#options;
    if (!(await this.host.confirmDiscard(document))) return;
    await document.revert();
    if (!document.isDirty) await this.host.markSaved(document.uri);
  }

  /** VS Code undoes in the active editor, which may be another one by now. */
  async undo(isRedo: boolean): Promise<void> {
    if (this.#options.panel.active) await this.host.undo(isRedo);
  }

  async addRow(): Promise<void> {
    await this.#orRemedy(async () => {
      const { document } = this.#options;
      await document.edit(vscode.l10n.t('Add Row'), () => document.editing.addRow());
      this.goToNewRow();
    });
  }

  goToNewRow(): void {
    const { columns } = editingView(this.#options.document, this.#run.columns, undefined);
    const column = columns.findIndex(view => view?.needsValue);
    this.#page.notify('goTo', { row: 0, ...(column !== -1 && { column }) });
  }

  dispose(): void {
    this.#options.document.editing.texts.markNotEntered();
    this.#owned.dispose();
    void this.#run.dispose();
  }

  async #start(): Promise<void> {
    void this.show();
    void this.#readSchema();
    await this.#startRows();
    await this.navigation.started();
  }

  /** Shows restored rows only in their arrangement. Never rejects: the page shows errors. */
  async #startRows(): Promise<void> {
    const { firstState = await this.#rememberedState.promise } = this.#options;
    if (typeof firstState !== 'object') return this.#run.start();
    const { columns: names, arrangement, place } = firstState;
    const { row } = place;
    if (!isArranged(arrangement)) return this.#run.start(row);
    const restoredColumns = names.map(name => ({ name }));
    await this.#orRemedy(() =>
      this.#run.startArranged(columns => moveArrangement(arrangement, restoredColumns, columns), row),
    );
  }

  show(): Promise<void> {
    return this.#page.show(this.#result);
  }

  /** Keeps a sorted or filtered table open when another table is previewed. */
  #keepArranged(): void {
    if (this.#isKept || !this.#run.isByStatement || !this.#options.panel.active) return;
    this.#isKept = true;
    void this.host.keepEditor();
  }

  /** The page stores the user's place under the id of its result. */
  #takeRemembered(remembered: BrowseState | undefined): void {
    const { firstState, document } = this.#options;
    document.editing.texts.markNotEntered();
    if (remembered) {
      const { runId, row, ...shown } = remembered;
      const state: TableViewState = { ...shown, place: { row } };
      // A foreign key has opened a table that an earlier window has shown.
      if (typeof firstState === 'object' && runId !== this.#result.id) this.#options.trail?.keepReplaced(state);
      if (firstState === undefined) this.#result = { ...this.#result, id: runId };
      this.#rememberedState.resolve(state);
    } else this.#rememberedState.resolve(undefined);
    void this.show();
    void this.navigation.goToPlace();
  }

  /** Reads what can be edited, and takes the edits of an earlier window. Rows do not wait for it. */
  async #readSchema(): Promise<void> {
    const { document } = this.#options;
    document.editing.forgetSchema();
    try {
      const schema = await document.editing.schema();
      this.#readOnlyReason = typeof schema === 'string' ? schema : undefined;
    } catch {
      // The state of the rows says why the service does not answer. Editing asks again.
      this.#readOnlyReason = 'unknownSchema';
    }
    await document.restore();
    // The backup's edits may be saved, or another window may have them.
    if (!document.isDirty) await this.host.clearMark(document);
    if (!this.#owned.isDisposed) await this.show();
  }

  #methods(): ServedMethods<typeof tableMethods> {
    const { document } = this.#options;
    const editing = editingCalls({
      document,
      run: this.#run,
      runId: () => this.#result.id,
      sentRows: this.#sentRows,
      refusal: () => this.#readOnlyText,
      prompts: this.host.editPrompts(currentProject(this.#parts, this.#profile)),
      actions: this,
    });
    const run = this.#run;
    const browsing = serveMethods(browsingMethods, {
      jump: ({ row }) => this.#jump(row),
      askRow: () => this.goToRow(),
      count: () => run.countAll(),
      stopCounting: () => run.stopCounting(),
      refresh: () => this.refresh(),
      sortByKey: () => run.sortByKey(),
      showReferencing: ({ row, orderVersion }) => {
        if (orderVersion !== run.queries.orderVersion) throw staleOrder();
        return this.navigation.showReferencing(row);
      },
      goToStep: ({ index, row, column }) => this.navigation.goToStep(index, { row, column }),
      showStatement: () => this.showStatement(),
    });
    return { ...browsing, ...editing };
  }

  /** Null if the row cannot be loaded: the page then shows the error of the run. */
  async #jump(wantedRow: number): Promise<JumpTarget | null> {
    const run = this.#run;
    this.navigation.arrived();
    const row = await run.jump(wantedRow).catch((thrown: unknown) => {
      if (run.error !== undefined) return undefined;
      throw thrown;
    });
    if (row === undefined) return null;
    if (row < wantedRow) this.host.showMissingRow(run, wantedRow);
    return { row, rowCount: run.rowCount };
  }

  get #readOnlyText(): string | undefined {
    return readOnlyText(this.#readOnlyReason, this.#profile);
  }

  #actions(): ResultAction[] {
    const { state, error, columns } = this.#run;
    const actions = decisionsOn(this.#run);
    if (state === 'failed') actions.push(...remediesFor(error, this.#profile));
    if (state === 'cancelled') actions.push('retry');
    if (columns.length > 0) actions.push('export');
    const isEmpty = state === 'done' && this.#run.rowCount === 0 && !isArranged(this.#run.queries.arrangement);
    if (isEmpty && this.#readOnlyText === undefined) actions.push('importRows');
    return actions;
  }

  async #act(action: ResultAction): Promise<void> {
    const { controls } = this.#run;
    switch (action) {
      case 'export':
        return this.exportAll();
      case 'importRows':
        await this.host.importRows({ ...this.table, profile: this.#profile });
        return this.refreshRows();
      case 'cancelWait':
        return controls.wait?.cancel();
      case 'retry':
        return this.#retry();
      case 'setKey':
      case 'issueKey':
      case 'editProject':
        await this.host.applyRemedy(action, this.#profile);
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
      edits: async (start, count) => {
        const rows = await this.#run.tableRows(Array.from({ length: count }, (_, index) => start + index));
        return editedRows(this.#options.document, this.#run, rows, start, this.#sentRows);
      },
      follow: (row, column) => this.navigation.follow(row, column),
    });
  }

  #view(): BrowseView {
    const { hasEnd, isCounting, isByStatement } = this.#run;
    const { trail } = this.navigation;
    return {
      isTable: this.table.kind === 'table',
      hasEnd,
      counting: isCounting,
      byStatement: isByStatement,
      editing: editingView(this.#options.document, this.#run.columns, this.#readOnlyText),
      ...(trail && { trail }),
    };
  }

  async #orRemedy(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      // The user cancelled it, or has done something else.
      if (!isAbort(thrown)) await this.host.offerRemedy(thrown, this.#profile);
    }
  }

  /** The project's name, color and protection may have changed. */
  async #updateProfile(): Promise<void> {
    this.#profile = (await this.#parts.projects.find(this.#profile.id)) ?? this.#profile;
    if (this.#owned.isDisposed) return;
    this.#options.panel.iconPath = editorIcon(this.#profile, this.table.kind);
    await this.show();
  }
}

/** Fetches nothing before the run is started. */
async function newRun(parts: TableEditorParts, options: TableEditorOptions): Promise<BrowseRun> {
  const { projects, catalogs, downloadParts, host } = parts;
  const { profile, document, firstState } = options;
  const { table, overlay } = document;
  const { Pager } = await import('../../client/index.ts');
  const waits = new ServiceWaits(monotonicClock);
  const project = currentProject(parts, profile, waits.onWait);
  return new BrowseRun({
    table,
    project,
    downloadParts,
    start: typeof firstState === 'object' ? firstState.place.row : 0,
    pageSize: host.pageSize(),
    waits,
    overlay,
    clock: monotonicClock,
    pagerAt: range => new Pager({ project, table: table.name, ...range }),
    columns: async () => catalogs.for(await projects.get(profile.id)).freshColumns(table.name),
  });
}

const columnNames = ({ columns }: BrowseRun): string => JSON.stringify(columns.map(({ name }) => name));
