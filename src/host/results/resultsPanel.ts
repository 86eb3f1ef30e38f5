import * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import type { DiskBudget } from '../../model/results/diskBudget.ts';
import { planRun } from '../../model/results/planRun.ts';
import type { RowsThread } from '../../model/results/queries/rowsThread.ts';
import { RestoredRun } from '../../model/results/restoredRun.ts';
import type { Run } from '../../model/results/run.ts';
import { serveMethods } from '../../protocol/bridge.ts';
import { panelMethods } from '../../protocol/gridBridge.ts';
import type { TypedValue } from '../../protocol/parameterForm.ts';
import { commandId, contextKeys, views } from '../names.ts';
import { showInformation } from '../notifications.ts';
import { confirm, type Look } from '../questions.ts';
import { savedResultsFolder, savesParameterValues } from '../savedValues.ts';
import type { UnsavedQuery } from '../../model/queries/queryFiles.ts';
import type { ExportRows } from './exportRows.ts';
import { OpenResults, type OpenResultsParts, runIdOf } from './openResults.ts';
import { type PanelForm, panelForms } from './panelForm.ts';
import type { ResultRecord } from './resultRecord.ts';
import { act, actionsOf } from './resultActions.ts';
import { ResultEditor } from './resultEditor.ts';
import { ResultPage } from './resultPage.ts';
import type { ResultSubject } from './result.ts';
import { maxUnpinnedResults } from './resultLimits.ts';
import { ResultTab } from './resultTab.ts';
import { tabOf } from './resultViews.ts';
import { SavedResults } from './savedResults.ts';

export type ResultCommand =
  'pin' | 'unpin' | 'rename' | 'close' | 'closeOthers' | 'openInEditor' | 'export' | 'chart' | 'saveQuery';

/** The commands that a result in an editor has as well. */
const editorCommands: ReadonlySet<ResultCommand> = new Set(['rename', 'close', 'export', 'chart', 'saveQuery']);

export interface ResultsPanelParts {
  readonly context: vscode.ExtensionContext;
  readonly rowsThread: () => Promise<RowsThread>;
  readonly disk: DiskBudget;
  readonly exportRows: ExportRows;
  readonly rerun: NonNullable<ResultSubject['rerun']>;
  readonly follow: (profileId: string, run: Run, row: number, column: number) => Promise<void>;
}

/** Opens the panel, with the results that were pinned in the window before. */
export async function openResultsPanel(parts: ResultsPanelParts): Promise<ResultsPanel> {
  const { workspaceState: state } = parts.context;
  const folder = savedResultsFolder(parts.context);
  const savedResults = new SavedResults({ state, folder, savesValues: savesParameterValues });
  const thread = await parts.rowsThread();
  const restore = (record: ResultRecord): ResultTab => restoredTab(record, savedResults, thread, parts);
  const panel = new ResultsPanel(parts, { savedResults, restore }, await savedResults.records());
  void savedResults.removeOrphans();
  return panel;
}

function restoredTab(
  { id, title, isRenamed, startedAt, subject, run: record, historyFile }: ResultRecord,
  savedResults: SavedResults,
  thread: RowsThread,
  { disk, rerun, follow }: ResultsPanelParts,
): ResultTab {
  const file = historyFile ?? savedResults.rowsFile(id);
  const run = subject.plan
    ? planRun(record.elapsedMs)
    : new RestoredRun({ file, record, thread, disk, clock: systemClock });
  // Without a record, there is no project to run the statement in. A comparison and a
  // search have no statement, and rows of the history stay as they were.
  const { id: profileId } = subject.profile;
  const isStatement = profileId !== '' && !subject.comparison && !subject.search && historyFile === undefined;
  const links = { rerun, follow: (row: number, column: number) => follow(profileId, run, row, column) };
  const tab = new ResultTab(run, isStatement ? { ...subject, ...links } : subject, {
    id,
    title,
    isRenamed,
    startedAt,
    isRestored: true,
  });
  tab.isSaved = historyFile === undefined;
  void run.start();
  return tab;
}

/** The view in the panel, with a tab for each result. `results` decides what it shows. */
export class ResultsPanel {
  readonly results: OpenResults;
  readonly restoreFocus = restoreFocus;
  readonly #extensionUri: vscode.Uri;
  readonly #exportRows: ExportRows;
  readonly #forms = panelForms(form => this.#page?.notify('form', { form }));
  #view: vscode.WebviewView | undefined;
  #page: ResultPage<ResultTab> | undefined;

  constructor(
    { context: { extensionUri }, exportRows }: ResultsPanelParts,
    saved: Pick<OpenResultsParts, 'savedResults' | 'restore'>,
    records: readonly ResultRecord[],
  ) {
    this.#extensionUri = extensionUri;
    this.#exportRows = exportRows;
    this.results = new OpenResults(
      {
        ...saved,
        panel: this,
        prompts: resultPrompts,
        openEditor: (result, events, restoredPanel) =>
          new ResultEditor(result, { extensionUri, tabActions: this.results, exportRows, events, restoredPanel }),
        maxUnpinned: maxUnpinnedResults,
        clock: systemClock,
      },
      records,
    );
  }

  attach(view: vscode.WebviewView): void {
    const { results } = this;
    const exportRows = this.#exportRows;
    const page = new ResultPage<ResultTab>({
      extensionUri: this.#extensionUri,
      webview: view.webview,
      title: vscode.l10n.t('SQL Results'),
      isVisible: () => view.visible,
      onFocus: () => results.panelFocused(),
      exportRows,
      actions: {
        of: tab => actionsOf(tab, 'panel'),
        act: (action, tab) => act(action, tab, { tabActions: results, exportRows, restoreFocus }),
      },
      methods: serveMethods(panelMethods, {
        focusParameter: ({ id, index }) => this.#forms.focus(id, index),
        submitParameters: ({ id, values }) => this.#forms.submit(id, values),
        cancelParameters: ({ id }) => this.#forms.cancel(id),
        selectTab: ({ runId }) => this.#withTab(runId, tab => results.select(tab)),
        closeTab: ({ runId }) => this.#withTab(runId, tab => results.close(tab)),
        renameTab: ({ runId }) => this.#withTab(runId, tab => results.rename(tab, restoreFocus)),
        begin: async ({ with: command }) => void (await vscode.commands.executeCommand(commandId(command))),
      }),
      restoreFocus,
      onReady: () => {
        results.updateTabs();
        this.#forms.send();
      },
    });
    this.#view = view;
    this.#page = page;
    void page.show(results.activeTab);
    view.onDidDispose(() => {
      page.dispose();
      this.#forms.cancel();
      this.#page = undefined;
      this.#view = undefined;
    });
  }

  /** Shows a form in place of the results. Undefined when the user cancels it. */
  promptForValues(form: PanelForm): Promise<readonly TypedValue[] | undefined> {
    return this.#forms.prompt(form, restoreFocus);
  }

  /** Shows a result, or that there is none. `beforeSend` is called right before the page gets it. */
  async show(tab: ResultTab | undefined, beforeSend?: () => void): Promise<void> {
    if (this.#page) return this.#page.show(tab, beforeSend);
    beforeSend?.();
  }

  showTabs(tabs: readonly ResultTab[], active: ResultTab | undefined): void {
    this.#page?.notify('tabs', { tabs: tabs.map(tabOf), active: active?.id });
  }

  showChart(): void {
    this.#page?.showChart();
  }

  async reveal(): Promise<void> {
    if (this.#view?.visible) return;
    if (this.#view) this.#view.show(true);
    else await vscode.commands.executeCommand(`${views.results}.focus`, { preserveFocus: true });
  }

  /** Says whether any result is open, in the panel or in an editor. */
  setHasResult(hasResult: boolean): void {
    void vscode.commands.executeCommand('setContext', contextKeys.hasResult, hasResult);
  }

  /** Runs a command on the result that a menu names, or else on the one that the user looked at last. */
  async run(command: ResultCommand, argument: unknown): Promise<void> {
    const { results } = this;
    const runId = runIdOf(argument);
    const inEditor = editorCommands.has(command) ? results.lastFocusedEditor : undefined;
    const result = runId === undefined ? (inEditor ?? results.activeTab) : results.findTab(runId);
    if (!result) {
      void showInformation(vscode.l10n.t('No result is open in the panel. Run a statement, then try again.'));
      return;
    }
    // Only the menu of a tab names a result. After a command of the palette, VS Code restores the focus itself.
    const restore = runId === undefined ? undefined : restoreFocus;
    switch (command) {
      case 'rename':
        return results.rename(result, restore);
      case 'close':
        return results.close(result);
      case 'closeOthers':
        return results.closeOthers(result);
      case 'chart':
        return results.showChart(result);
      case 'saveQuery':
        return void vscode.commands.executeCommand(commandId('saveQuery'), queryOf(result));
      default:
        return act(command, result, { tabActions: results, exportRows: this.#exportRows, restoreFocus: restore });
    }
  }

  async dispose(): Promise<void> {
    this.#page?.dispose();
    await this.results.dispose();
  }

  async #withTab(runId: string, use: (tab: ResultTab) => unknown): Promise<void> {
    const tab = this.results.findTab(runId);
    if (tab) await use(tab);
  }
}

/** The tab of a plan or a script has another name than the query. */
function queryOf({ subject, title, isRenamed }: ResultTab): UnsavedQuery {
  const { statement: sql, profile: project } = subject;
  const isNamed = isRenamed || (subject.title !== undefined && !subject.plan && !subject.log);
  return { sql, project, title: isNamed ? title : undefined };
}

/** Focuses the view: when a prompt closes, VS Code focuses an editor. */
const restoreFocus = (): Thenable<unknown> => vscode.commands.executeCommand(`${views.results}.focus`);

export const resultPrompts = {
  /** Undefined when the user cancels. */
  async promptForTitle({ title: value }: ResultTab): Promise<string | undefined> {
    return vscode.window.showInputBox({
      title: vscode.l10n.t('Rename Result'),
      value,
      // The prompt stays when the focus moves, so that restoring the focus cannot close it.
      ignoreFocusOut: true,
    });
  },
  /** Asks if closing would end a write, or lose the rows of a pinned result. */
  async confirmClosing({ title, isWriting }: ResultTab, look: Look): Promise<boolean> {
    const question = isWriting
      ? vscode.l10n.t('{0} is still running. Close its result?', title)
      : vscode.l10n.t('{0} is pinned. Close it?', title);
    const detail = isWriting
      ? vscode.l10n.t('The statement is stopped. Its outcome may stay unknown.')
      : vscode.l10n.t('Its rows are deleted from this machine.');
    return confirm(question, detail, look, vscode.l10n.t('Close Result'));
  },
};
