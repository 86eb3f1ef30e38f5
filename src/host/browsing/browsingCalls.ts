import * as vscode from 'vscode';
import { ProjectError } from '../../base/errors.ts';
import type { BrowseRun } from '../../model/browsing/browseRun.ts';
import { resultsMethods } from '../../protocol/results.ts';
import { decodeColumns } from '../../protocol/rowQueries.ts';
import { asRecord } from '../../base/shape.ts';
import { withoutIcons } from '../notifications.ts';
import { browsingMethods, decodeRow, type JumpPlace } from '../../protocol/browsing.ts';
import type { Methods } from '../../protocol/rpc.ts';

export interface BrowsingActions {
  goToRow(): Promise<void>;
  exportAll(columns?: readonly number[]): Promise<void>;
  refresh(): Promise<void>;
  showStatement(): Promise<void>;
}

/** What the page of a table can ask for beyond what any page can. */
export function browsingCalls(actions: BrowsingActions, run: BrowseRun): Methods {
  return {
    [browsingMethods.jump]: async params => {
      const row = decodeRow(params);
      if (row === undefined) throw new ProjectError('misuse', 'bad_request', 'This is no row to go to.');
      return jump(run, row);
    },
    [browsingMethods.askRow]: () => actions.goToRow(),
    [browsingMethods.count]: () => run.countAll(),
    [browsingMethods.stopCounting]: () => run.stopCounting(),
    [resultsMethods.export]: params => actions.exportAll(decodeColumns(asRecord(params)?.['columns'])),
    [browsingMethods.refresh]: () => actions.refresh(),
    [browsingMethods.showStatement]: () => actions.showStatement(),
  };
}

/** Nothing where the row could not be had, which the run tells of. */
async function jump(run: BrowseRun, row: number): Promise<JumpPlace | null> {
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
