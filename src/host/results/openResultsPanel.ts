import type * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { DiskBudget } from '../../model/results/diskBudget.ts';
import type { RowsThread } from '../../model/results/queries/rowsThread.ts';
import { KeptResult } from './keptResult.ts';
import { KeptResults } from './keptResults.ts';
import type { ResultSubject } from './result.ts';
import { ResultsPanel } from './resultsPanel.ts';

export interface OpenResultsPanelParts {
  readonly context: vscode.ExtensionContext;
  readonly worker: () => Promise<RowsThread>;
  readonly disk: DiskBudget;
  readonly clock: Clock;
  readonly rerun: RerunKept;
}

/** Runs the statement of a result once more that an earlier window left. */
export type RerunKept = NonNullable<ResultSubject['rerun']>;

/** The results of this window, with those that were pinned in the one before. */
export async function openResultsPanel(parts: OpenResultsPanelParts): Promise<ResultsPanel> {
  const { context, worker, disk, clock, rerun } = parts;
  const kept = new KeptResults(context);
  const [{ RestoredRun }, rowsWorker] = [await import('../../model/results/resultRuns.ts'), await worker()];
  return new ResultsPanel({
    extensionUri: context.extensionUri,
    kept,
    reopen: ({ id, title, subject, facts }) => {
      const run = new RestoredRun({ file: kept.fileOf(id), facts, worker: rowsWorker, disk, clock });
      // Of what nothing is known but its name, nothing can run.
      const result = new KeptResult(run, subject.profile.id === '' ? subject : { ...subject, rerun }, id);
      result.title = title;
      result.isKept = true;
      void run.start();
      return result;
    },
  });
}
