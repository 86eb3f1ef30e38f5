import type { BrowseRun } from '../../model/browsing/browseRun.ts';
import { type ServedMethods, serveMethods } from '../../protocol/bridge.ts';
import type { JumpTarget } from '../../protocol/browsing.ts';
import { browsingMethods } from '../../protocol/gridBridge.ts';
import { staleOrder } from '../results/resultCalls.ts';
import type { BrowsingHost } from './browsingHost.ts';
import type { TableNavigation } from './tableNavigation.ts';

export interface BrowsingActions {
  goToRow(): Promise<void>;
  refresh(): Promise<void>;
  showStatement(): Promise<void>;
  readonly navigation: TableNavigation;
  readonly host: Pick<BrowsingHost, 'showMissingRow'>;
}

/** Answers the calls that only the page of a browsed table makes. */
export function browsingCalls(actions: BrowsingActions, run: BrowseRun): ServedMethods<typeof browsingMethods> {
  return serveMethods(browsingMethods, {
    jump: ({ row }) => {
      actions.navigation.arrived();
      return jump(actions, run, row);
    },
    askRow: () => actions.goToRow(),
    count: () => run.countAll(),
    stopCounting: () => run.stopCounting(),
    refresh: () => actions.refresh(),
    sortByKey: () => run.sortByKey(),
    showReferencing: ({ row, orderVersion }) => {
      if (orderVersion !== run.queries.orderVersion) throw staleOrder();
      return actions.navigation.showReferencing(row);
    },
    goToStep: ({ index, row, column }) => actions.navigation.goToStep(index, { row, column }),
    showStatement: () => actions.showStatement(),
  });
}

/** Null if the row cannot be loaded: the page then shows the error of the run. */
async function jump(actions: BrowsingActions, run: BrowseRun, wantedRow: number): Promise<JumpTarget | null> {
  const row = await run.jump(wantedRow).catch((thrown: unknown) => {
    if (run.error !== undefined) return undefined;
    throw thrown;
  });
  if (row === undefined) return null;
  if (row < wantedRow) actions.host.showMissingRow(run, wantedRow);
  return { row, rowCount: run.rowCount };
}
