import * as vscode from 'vscode';
import type { BrowseRun } from '../../model/browsing/browseRun.ts';
import { withoutIcons } from '../notifications.ts';
import { type ServedMethods, serve } from '../../protocol/bridge.ts';
import type { JumpTarget } from '../../protocol/browsing.ts';
import { browsingMethods, resultMethods } from '../../protocol/gridBridge.ts';

export interface BrowsingActions {
  goToRow(): Promise<void>;
  exportAll(columns?: readonly number[]): Promise<void>;
  refresh(): Promise<void>;
  showStatement(): Promise<void>;
}

/** Answers what the page of a browsed table calls, beyond the calls of every grid. */
export function browsingCalls(actions: BrowsingActions, run: BrowseRun): ServedMethods {
  return {
    ...serve(browsingMethods, {
      jump: ({ row }) => jump(run, row),
      askRow: () => actions.goToRow(),
      count: () => run.countAll(),
      stopCounting: () => run.stopCounting(),
      refresh: () => actions.refresh(),
      showStatement: () => actions.showStatement(),
    }),
    // Replaces the export of other results: a table is counted before.
    ...serve({ export: resultMethods.export }, { export: ({ columns }) => actions.exportAll(columns) }),
  };
}

/** Nothing where the row could not be had, which the run tells of. */
async function jump(run: BrowseRun, row: number): Promise<JumpTarget | null> {
  const place = await run.jump(row).catch((thrown: unknown) => {
    if (run.error !== undefined) return undefined;
    throw thrown;
  });
  if (place === undefined) return null;
  if (place < row) vscode.window.setStatusBarMessage(withoutIcons(missing(run, row)), 5000);
  return { row: place, rowCount: run.rowCount };
}

/** Where the rows could not be counted, the last that is known of need not be the last. */
function missing({ table: { name }, hasEnd, rowCount }: BrowseRun, row: number): string {
  const [asked, last] = [row + 1, rowCount].map(number => number.toLocaleString(vscode.env.language));
  if (hasEnd) return vscode.l10n.t('{0} ends at row {1}.', name, last!);
  return vscode.l10n.t('{0} has no row {1}. The service does not tell where it ends.', name, asked!);
}
