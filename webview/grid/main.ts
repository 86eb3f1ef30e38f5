import { ProjectError } from '../../src/base/errors.ts';
import { asRecord } from '../../src/base/shape.ts';
import { browsingLabelNames, gridLabelNames } from '../../src/protocol/labels.ts';
import {
  decodeRowWindow,
  decodeViewEvent,
  type ResultAction,
  type ResultView,
  resultsEvents,
  resultsMethods,
  type RowsRequest,
  type RowWindow,
  type ViewEvent,
} from '../../src/protocol/results.ts';
import { decodeTabsEvent, tabMethods } from '../../src/protocol/resultTabs.ts';
import { CallAlert } from '../ui/callAlert.ts';
import { element } from '../ui/element.ts';
import { focusHere, keepFocus } from '../ui/focus.ts';
import { connectToHost, pageRoot, readLabels } from '../ui/host.ts';
import { closePopup } from '../ui/popup.ts';
import { vsCodeApi } from '../ui/vsCodeApi.ts';
import { Browsing } from './browsing/browsing.ts';
import { GridPanel } from './gridPanel.ts';
import { ResultHeader } from './resultHeader.ts';
import { messageFor } from './resultSentences.ts';
import { TabStrip } from './tabs/tabStrip.ts';
import './grid.css';
import './result.css';
import './tabs/tabs.css';

const labels = readLabels(gridLabelNames);
const root = pageRoot();
const peer = connectToHost((name, payload) => {
  const event = name === resultsEvents.view ? decodeViewEvent(payload) : undefined;
  if (!event) browsing.heard(name, payload);
  if (event) show(event);
  const tabs = name === resultsEvents.tabs ? decodeTabsEvent(payload) : undefined;
  if (tabs) strip.show(tabs);
});
const header = new ResultHeader({
  labels,
  act: (action, id) => callAlert.watch(act(action, id)),
  passFocus: () => (grid ? grid.focus() : focusHere(header.root)),
});
const strip = new TabStrip({
  ...{ labels, panel: root },
  select: id => callAlert.watch(peer.call(tabMethods.select, { runId: id })),
  close: id => callAlert.watch(peer.call(tabMethods.close, { runId: id })),
  rename: id => callAlert.watch(peer.call(tabMethods.rename, { runId: id })),
});
const callAlert = new CallAlert(labels.failed);
const rowsAlert = new CallAlert(labels.failed);
const browsing = new Browsing({
  labels: readLabels(browsingLabelNames),
  call: (method, params) => peer.call(method, params),
  alert: callAlert,
  grid: () => grid,
});
const message = element('p', 'message', labels.noResult);
root.before(strip.root);
root.append(header.root, browsing.root, callAlert.root, rowsAlert.root, message);

/** Rows to measure columns by. */
const firstRows = 50;
let runId: string | undefined;
let grid: GridPanel | undefined;

function show({ view, first }: ViewEvent): void {
  if (view?.runId !== runId) leave(view?.runId);
  if (view && first && !grid) openGrid(view, first);
  // Rows that could not be read when the run ended: no message will bring them any more.
  if (view && view.state !== 'running' && view.rowCount > 0 && !grid) void pullFirst(view);
  header.show(view);
  if (view) grid?.show(view);
  browsing.show(view);
  message.hidden = grid !== undefined;
  message.textContent = messageFor(view, labels);
}

function leave(next: string | undefined): void {
  runId = next;
  // By this the host knows the result again when VS Code brings the page back in another window.
  vsCodeApi().setState({ ...asRecord(vsCodeApi().getState()), runId: next });
  callAlert.clear();
  rowsAlert.clear();
  closePopup();
  if (grid?.hasFocus) focusHere(header.root);
  grid?.dispose();
  grid = undefined;
}

function openGrid(view: ResultView, first: RowWindow): void {
  let isPainted = false;
  grid = new GridPanel({
    ...{ parent: root, view, first, labels },
    call: (method, params, signal) => {
      // What was told of what somebody did before is over. Sums are asked for by the page itself.
      if (method !== resultsMethods.summarize) callAlert.clear();
      return peer.call(method, params, signal);
    },
    fetch: (start, count, signal) => pullRows({ runId: view.runId, start, count }, signal),
    failed: thrown => callAlert.show(thrown),
    painted: () => {
      browsing.moved();
      if (!isPainted) void peer.call(resultsMethods.painted, { runId: view.runId }).catch(() => undefined);
      isPainted = true;
    },
  });
  if (document.activeElement === header.root) grid.focus();
}

async function pullFirst(view: ResultView): Promise<void> {
  const request = { runId: view.runId, start: 0, count: firstRows };
  const first = await pullRows(request).catch(() => undefined);
  if (first && view.runId === runId && !grid) show({ view, first });
}

async function pullRows(request: RowsRequest, signal?: AbortSignal): Promise<RowWindow> {
  try {
    const rows = decodeRowWindow(await peer.call(resultsMethods.rows, request, signal));
    if (!rows) throw new ProjectError('protocol', 'bad_answer', 'These are no rows.');
    rowsAlert.clear();
    return rows;
  } catch (thrown) {
    if (!signal?.aborted && request.runId === runId && !browsing.isShown) rowsAlert.show(thrown);
    throw thrown;
  }
}

function act(action: ResultAction, id: string): Promise<unknown> {
  if (action === 'enough' || action === 'stopHere') return peer.call(resultsMethods.cancel, { runId: id });
  if (action === 'proceed') return peer.call(resultsMethods.proceed, { runId: id });
  // What is hidden stays out, and what was moved is written where it stands now.
  if (action === 'export') return peer.call(resultsMethods.export, { runId: id, columns: grid?.columns });
  return peer.call(resultsMethods.act, { runId: id, action });
}

/** Commands of the palette are meant for the result that had the focus before it. */
const tellFocus = (): void => void peer.call(resultsMethods.focused).catch(() => undefined);
window.addEventListener('focus', tellFocus);
keepFocus();
callAlert.watch(peer.call(resultsMethods.ready));
if (document.hasFocus()) tellFocus();
