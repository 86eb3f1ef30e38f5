import { asRecord } from '../../src/base/decode.ts';
import { gridBridge } from '../../src/protocol/gridBridge.ts';
import { browsingLabelNames, gridLabelNames } from '../../src/protocol/labels.ts';
import type { ResultAction, ResultView, RowsRequest, RowWindow, ViewEvent } from '../../src/protocol/results.ts';
import { CallAlert } from '../ui/callAlert.ts';
import { element } from '../ui/element.ts';
import { focusHere, keepFocus } from '../ui/focus.ts';
import { connectToHost, pageRoot, readLabels } from '../ui/host.ts';
import { closePopup } from '../ui/popup.ts';
import { vsCodeApi } from '../ui/vsCodeApi.ts';
import { Browsing } from './browsing/browsing.ts';
import { GridPanel } from './gridPanel.ts';
import type { CallHost } from './hostCalls.ts';
import { ResultHeader } from './resultHeader.ts';
import { messageFor } from './resultTexts.ts';
import { TabStrip } from './tabs/tabStrip.ts';
import './grid.css';
import './result.css';
import './tabs/tabs.css';

const labels = readLabels(gridLabelNames);
const root = pageRoot();
const host = connectToHost(
  gridBridge,
  {
    view: show,
    tabs: event => strip.show(event),
    goTo: ({ row }) => callAlert.watch(browsing.jump(row)),
  },
  error => callAlert.show(error),
);
const header = new ResultHeader({
  labels,
  act: (action, runId) => callAlert.watch(act(action, runId)),
  passFocus: () => (grid ? grid.focus() : focusHere(header.root)),
});
const strip = new TabStrip({
  labels,
  panel: root,
  select: runId => callAlert.watch(host.call('selectTab', { runId })),
  close: runId => callAlert.watch(host.call('closeTab', { runId })),
  rename: runId => callAlert.watch(host.call('renameTab', { runId })),
});
const callAlert = new CallAlert(labels.failed);
const rowsAlert = new CallAlert(labels.failed);
const browsing = new Browsing({
  labels: readLabels(browsingLabelNames),
  call: (method, ...request) => host.call(method, ...request),
  alert: callAlert,
  grid: () => grid,
});
const message = element('p', 'message', labels.noResult);
root.before(strip.root);
root.append(header.root, browsing.root, callAlert.root, rowsAlert.root, message);

/** The rows that column widths are measured by. */
const sampleRows = 50;
let shownRun: string | undefined;
let grid: GridPanel | undefined;

function show({ view, first }: ViewEvent): void {
  if (view?.runId !== shownRun) switchTo(view?.runId);
  if (view && first && !grid) openGrid(view, first);
  // The host could not read the rows when the run ended, and sends no more events. Pull them.
  if (view && view.state !== 'running' && view.rowCount > 0 && !grid) void pullFirst(view);
  header.show(view);
  if (view) grid?.show(view);
  browsing.show(view);
  message.hidden = grid !== undefined;
  message.textContent = messageFor(view, labels);
}

/** Removes all that belongs to the previous result. */
function switchTo(runId: string | undefined): void {
  shownRun = runId;
  // The host finds the result by this id if VS Code restores the page in another window.
  vsCodeApi().setState({ ...asRecord(vsCodeApi().getState()), runId });
  callAlert.clear();
  rowsAlert.clear();
  closePopup();
  if (grid?.hasFocus) focusHere(header.root);
  grid?.dispose();
  grid = undefined;
}

/** Clears the failure of the previous call. Sums are called for by the page itself and leave it. */
const callForUser: CallHost = (method, ...request) => {
  if (method !== 'summarize') callAlert.clear();
  return host.call(method, ...request);
};

function openGrid(view: ResultView, first: RowWindow): void {
  const { runId } = view;
  let isPainted = false;
  grid = new GridPanel({
    parent: root,
    view,
    first,
    labels,
    call: callForUser,
    fetch: (start, count, signal) => pullRows({ runId, start, count }, signal),
    onFailed: thrown => callAlert.show(thrown),
    onPainted: () => {
      browsing.showPlace();
      if (!isPainted) void host.call('painted', { runId }).catch(() => undefined);
      isPainted = true;
    },
  });
  if (document.activeElement === header.root) grid.focus();
}

async function pullFirst(view: ResultView): Promise<void> {
  const request = { runId: view.runId, start: 0, count: sampleRows };
  const first = await pullRows(request).catch(() => undefined);
  if (first && view.runId === shownRun && !grid) show({ view, first });
}

async function pullRows(request: RowsRequest, signal?: AbortSignal): Promise<RowWindow> {
  try {
    const rows = await host.call('rows', request, signal);
    rowsAlert.clear();
    return rows;
  } catch (thrown) {
    // The state of a browsed table tells why its rows are missing.
    if (!signal?.aborted && request.runId === shownRun && !browsing.isShown) rowsAlert.show(thrown);
    throw thrown;
  }
}

function act(action: ResultAction, runId: string): Promise<unknown> {
  if (action === 'cancel' || action === 'finish') return host.call('cancel', { runId });
  if (action === 'resume') return host.call('resume', { runId });
  // The export has the columns that are shown, in the order in which they stand.
  if (action === 'export') return host.call('export', { runId, ...(grid && { columns: grid.columns }) });
  return host.call('act', { runId, action });
}

/** Commands of the palette go to the result that had the focus last. */
const tellFocus = (): void => void host.call('focused').catch(() => undefined);
window.addEventListener('focus', tellFocus);
keepFocus();
callAlert.watch(host.call('ready'));
if (document.hasFocus()) tellFocus();
