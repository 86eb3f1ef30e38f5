import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { DiskBudget } from '../../model/results/diskBudget.ts';
import type { RowsThread } from '../../model/results/queries/rowsThread.ts';
import type { Run } from '../../model/results/run.ts';
import { planRun } from '../../model/results/planRun.ts';
import { RestoredRun } from '../../model/results/restoredRun.ts';
import { confirm, type Look } from '../questions.ts';
import { savedResultsFolder, savesParameterValues } from '../savedValues.ts';
import type { ExportRows } from './exportRows.ts';
import type { ResultSubject } from './result.ts';
import { maxUnpinnedResults } from './resultLimits.ts';
import { ResultTab } from './resultTab.ts';
import { ResultsPanel } from './resultsPanel.ts';
import { SavedResults } from './savedResults.ts';

export interface OpenResultsPanelParts {
  readonly context: vscode.ExtensionContext;
  readonly rowsThread: () => Promise<RowsThread>;
  readonly disk: DiskBudget;
  readonly clock: Clock;
  readonly exportRows: ExportRows;
  readonly rerun: NonNullable<ResultSubject['rerun']>;
  readonly follow: (profileId: string, run: Run, row: number, column: number) => Promise<void>;
}

/** Makes the panel, with the results that were pinned in the window before. */
export async function openResultsPanel(parts: OpenResultsPanelParts): Promise<ResultsPanel> {
  const { context, rowsThread, disk, clock, exportRows, rerun, follow } = parts;
  const { extensionUri, workspaceState } = context;
  const saved = new SavedResults({
    state: workspaceState,
    folder: savedResultsFolder(context),
    savesValues: savesParameterValues,
  });
  const thread = await rowsThread();
  const panel = new ResultsPanel({
    extensionUri,
    exportRows,
    savedResults: saved,
    clock,
    prompts: resultPrompts,
    maxUnpinned: maxUnpinnedResults,
    restore: ({ id, title, isRenamed, startedAt, subject, run: record, historyFile }) => {
      const run = subject.plan
        ? planRun(record.elapsedMs)
        : new RestoredRun({ file: historyFile ?? saved.rowsFile(id), record, thread, disk, clock });
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
    },
    records: await saved.records(),
  });
  void saved.removeOrphans();
  return panel;
}

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
  async confirmClosingWrite({ title }: ResultTab, look: Look): Promise<boolean> {
    return confirm(
      vscode.l10n.t('{0} is still running. Close its result?', title),
      vscode.l10n.t('The statement is stopped. Its outcome may stay unknown.'),
      look,
      vscode.l10n.t('Close Result'),
    );
  },
  async confirmClosingPinned({ title }: ResultTab, look: Look): Promise<boolean> {
    return confirm(
      vscode.l10n.t('{0} is pinned. Close it?', title),
      vscode.l10n.t('Its rows are deleted from this machine.'),
      look,
      vscode.l10n.t('Close Result'),
    );
  },
};
