import { t } from '@vscode/l10n';
import { asRecord } from '../../src/base/decode.ts';
import { beginnings, gridBridge } from '../../src/protocol/gridBridge.ts';
import { decodeBrowseState } from '../../src/protocol/browsing.ts';
import type { ResultAction, ResultView, RowsRequest, RowWindow, ViewEvent } from '../../src/protocol/results.ts';
import { CallAlert } from '../ui/callAlert.ts';
import { element, setText } from '../ui/element.ts';
import { focusHere, keepFocus } from '../ui/focus.ts';
import { createPlainButton } from '../ui/iconButton.ts';
import { connectToHost, loadTranslations, pageMessage, pageRoot, vsCodeApi } from '../ui/host.ts';
import { keepTypedUndo } from '../ui/keys.ts';
import { closePopup } from '../ui/popup.ts';
import { Browsing } from './browsing/browsing.ts';
import { createEditBar } from './editing/editBar.ts';
import { GridPanel } from './gridPanel.ts';
import type { CallHost } from './hostCalls.ts';
import { gridTools, isBrowseTool } from './actionBar.ts';
import { StatusLine } from './footer/statusLine.ts';
import { createRunProjects } from './projects/runProjects.ts';
import { ParameterForm } from './parameters/parameterForm.ts';
import { PlanView } from './plan/planView.ts';
import { ResultHeader } from './resultHeader.ts';
import { messageFor } from './resultTexts.ts';
import { TabStrip } from './tabs/tabStrip.ts';
import './grid.css';
import './result.css';
import './tabs/tabs.css';

loadTranslations();
const root = pageRoot();
/** The content of the active tab. */
const content = element('div', 'content');
const host = connectToHost(
  gridBridge,
  {
    view: show,
    tabs: event => {
      strip.show(event);
      header.setHasTabs(event.tabs.length > 0);
      beginning.hidden = event.tabs.length > 0;
    },
    form: ({ form }) => parameters.show(form),
    goTo: ({ row, column }) => callAlert.watch(browsing.jump(row, column)),
    showChart: () => void grid?.chart.toggle(true),
  },
  error => callAlert.show(error),
  isSilent =>
    setText(
      hostAlert,
      isSilent
        ? t(
            'The extension no longer answers. Run Developer: Reload Window. Edits that were shown as pending come back.',
          )
        : '',
    ),
);
const hostAlert = element('p', 'failure', { role: 'alert' });
keepTypedUndo();
const header = new ResultHeader({
  act: (action, runId) => callAlert.watch(act(action, runId)),
  use: (tool, place) => (isBrowseTool(tool) ? browsing.use(tool) : grid?.use(tool, place)),
  passFocus: () => (grid ? grid.focus() : plan.root.hidden ? focusHere(header.root) : plan.focus()),
});
const strip = new TabStrip({
  panel: content,
  call: (method, runId) => callAlert.watch(host.call(method, { runId })),
});
const parameters = new ParameterForm({
  focusParameter: (id, index) => callAlert.watch(host.call('focusParameter', { id, index })),
  submit: (id, values) => host.call('submitParameters', { id, values }),
  cancel: id => callAlert.watch(host.call('cancelParameters', { id })),
});
const callAlert = new CallAlert();
const rowsAlert = new CallAlert();
const browsing = new Browsing({
  call: (method, ...request) => host.call(method, ...request),
  alert: callAlert,
  grid: () => grid,
});
const editBar = createEditBar({
  // The line of the edits shows the reason of a failed save.
  run: action => shownRun !== undefined && callAlert.watch(host.call(action, { runId: shownRun })),
  goToNextProblem: () => grid?.edits.goToProblem(false),
  passFocus: () => grid?.focus(),
  onSolved: () => callAlert.clear(),
});
// VS Code loads a hidden page again, and pages of an earlier window. The first event brings their result.
const hadResult = asRecord(vsCodeApi().getState())?.['runId'] !== undefined;
const message = element('p', 'message', hadResult ? t('Restoring…') : pageMessage());
const beginning = element('div', 'decisions beginning', { hidden: '' });
const beginningTexts = { newQuery: t('New Query'), tryLocally: t('Try It Locally') };
for (const command of beginnings) {
  const begin = (): void => callAlert.watch(host.call('begin', { with: command }));
  beginning.append(createPlainButton(beginningTexts[command], begin));
}
const plan = new PlanView({
  copy: () => shownRun !== undefined && callAlert.watch(act('copyPlan', shownRun)),
  createIndex: index => shownRun !== undefined && callAlert.watch(host.call('createIndex', { runId: shownRun, index })),
  goTo: index => shownRun !== undefined && callAlert.watch(host.call('goToPlanStep', { runId: shownRun, index })),
});
const projects = createRunProjects(
  (action, project) =>
    shownRun !== undefined && callAlert.watch(host.call('act', { runId: shownRun, action, project })),
);
const status = new StatusLine();
header.left.append(strip.root, strip.moreButton, browsing.bar.root);
header.notices.append(...editBar.messages, callAlert.root, rowsAlert.root, hostAlert);
status.root.append(editBar.done, editBar.root);
root.before(header.root, browsing.trail.root);
// The grid comes first. A message takes its room below the rows, so that no row moves.
content.append(message, beginning, plan.root, projects.root, header.notices);
root.append(element('h1', 'live', document.title), content);
root.after(status.root, parameters.root);

const sampleRows = 50;
let shownRun: string | undefined;
let grid: GridPanel | undefined;

function show({ view, first }: ViewEvent): void {
  if (view?.runId !== shownRun) switchTo(view?.runId);
  const hadGrid = grid !== undefined;
  if (view && first && !grid) openGrid(view, first);
  // The host could not read the rows when the run ended, and sends no more events. The page pulls them.
  if (view && view.state !== 'running' && view.rowCount > 0 && !grid) void pullFirst(view);
  // A result without rows has headers all the same.
  if (view && isEmpty(view) && !grid) openGrid(view, { orderVersion: view.orderVersion, start: 0, rows: [] });
  if (view) grid?.show(view);
  browsing.show(view);
  editBar.show(view);
  header.show(view, [
    ...(grid ? gridTools.filter(tool => tool !== 'chart' || !view?.browsing) : []),
    ...browsing.tools,
  ]);
  status.show(view);
  projects.show(view);
  plan.show(view);
  message.textContent = grid ? '' : view ? messageFor(view) : pageMessage();
  message.hidden = message.textContent === '';
  // The next frame shows the first rows sooner if they are in the page before it begins.
  if (!hadGrid) grid?.view.settle();
}

function switchTo(runId: string | undefined): void {
  shownRun = runId;
  // If VS Code restores the page in another window, the host finds the result by this id.
  vsCodeApi().setState({ ...asRecord(vsCodeApi().getState()), runId });
  callAlert.clear();
  rowsAlert.clear();
  closePopup();
  if (grid?.hasFocus) focusHere(header.root);
  grid?.dispose();
  grid = undefined;
}

/** Clears the failure of the previous call. Sums leave it, because the page itself requests them. */
const callForUser: CallHost = (method, ...request) => {
  if (method !== 'summarize') callAlert.clear();
  return host.call(method, ...request);
};

function openGrid(view: ResultView, first: RowWindow): void {
  const { runId } = view;
  let isPainted = false;
  grid = new GridPanel({
    parent: content,
    status: status.middle,
    view,
    first,
    call: callForUser,
    fetch: (start, count, signal) => pullRows({ runId, start, count }, signal),
    onFailed: thrown => callAlert.show(thrown),
    jump: (row, column) => browsing.jump(row, column),
    onPainted: () => {
      browsing.showPlace();
      editBar.showCellProblem(grid?.edits.activeProblem, callAlert.root.textContent);
      if (!isPainted) requestAnimationFrame(() => void host.call('painted', { runId }).catch(() => undefined));
      isPainted = true;
    },
  });
  // The page of a browsed table gets the focus with its tab, and passes it to the grid.
  const isUnfocused = view.browsing !== undefined && document.activeElement === document.body;
  if (isUnfocused || document.activeElement === header.root) grid.focus();
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
    // The state of a browsed table says why its rows are missing.
    if (!signal?.aborted && request.runId === shownRun && !browsing.isShown) rowsAlert.show(thrown);
    throw thrown;
  }
}

const isEmpty = ({ state, rowCount, columns }: ResultView): boolean =>
  state === 'done' && rowCount === 0 && columns.length > 0;

async function act(action: ResultAction, runId: string): Promise<unknown> {
  if (action === 'export') return grid?.export() ?? host.call('export', { runId });
  const isStop = action === 'cancel' || action === 'finish';
  if (isStop) status.showStopping(runId);
  try {
    return await host.call('act', { runId, action });
  } catch (thrown) {
    if (isStop) status.forgetStopping();
    throw thrown;
  }
}

/** Commands of the palette go to the result that was focused last. */
const tellFocus = (): void => void host.call('focused').catch(() => undefined);
window.addEventListener('focus', tellFocus);
keepFocus();
const remembered = decodeBrowseState(vsCodeApi().getState());
callAlert.watch(host.call('ready', { ...(remembered && { browsing: remembered }) }));
if (document.hasFocus()) tellFocus();
