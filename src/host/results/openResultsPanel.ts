import type * as vscode from 'vscode';
import type { DiskBudget } from '../../model/results/diskBudget.ts';
import type { RowsWorker } from '../../model/results/queries/rowsWorker.ts';
import { KeptResult } from './keptResult.ts';
import { KeptResults } from './keptResults.ts';
import { ResultsPanel } from './resultsPanel.ts';

export interface OpenResultsPanelParts {
  readonly context: vscode.ExtensionContext;
  readonly worker: () => Promise<RowsWorker>;
  readonly disk: DiskBudget;
}

/** The results of this window, with those that were pinned in the one before. */
export async function openResultsPanel({ context, worker, disk }: OpenResultsPanelParts): Promise<ResultsPanel> {
  const kept = new KeptResults(context);
  const [{ KeptRun }, rowsWorker] = [await import('../../model/results/resultRuns.ts'), await worker()];
  return new ResultsPanel({
    extensionUri: context.extensionUri,
    kept,
    reopen: ({ id, title, subject, facts }) => {
      const run = new KeptRun({ file: kept.fileOf(id), facts, worker: rowsWorker, disk });
      const result = new KeptResult(run, subject, id);
      result.title = title;
      result.isKept = true;
      void run.run();
      return result;
    },
  });
}
