import type { BrowseRun } from '../../model/browsing/browseRun.ts';
import { type ServedMethods, serveMethods } from '../../protocol/bridge.ts';
import type { JumpTarget } from '../../protocol/browsing.ts';
import { browsingMethods } from '../../protocol/gridBridge.ts';
import { staleOrder } from '../results/resultCalls.ts';
import type { TableEditor } from './tableEditor.ts';

/** Answers the calls that only the page of a browsed table makes. */
export function browsingCalls(editor: TableEditor, run: BrowseRun): ServedMethods<typeof browsingMethods> {
  return serveMethods(browsingMethods, {
    jump: ({ row }) => {
      editor.navigation.arrived();
      return jump(editor, run, row);
    },
    askRow: () => editor.goToRow(),
    count: () => run.countAll(),
    stopCounting: () => run.stopCounting(),
    refresh: () => editor.refresh(),
    sortByKey: () => run.sortByKey(),
    showReferencing: ({ row, orderVersion }) => {
      if (orderVersion !== run.queries.orderVersion) throw staleOrder();
      return editor.navigation.showReferencing(row);
    },
    goToStep: ({ index, row, column }) => editor.navigation.goToStep(index, { row, column }),
    showStatement: () => editor.showStatement(),
  });
}

/** Null if the row cannot be loaded: the page then shows the error of the run. */
async function jump({ host }: TableEditor, run: BrowseRun, wantedRow: number): Promise<JumpTarget | null> {
  const row = await run.jump(wantedRow).catch((thrown: unknown) => {
    if (run.error !== undefined) return undefined;
    throw thrown;
  });
  if (row === undefined) return null;
  if (row < wantedRow) host.showMissingRow(run, wantedRow);
  return { row, rowCount: run.rowCount };
}
