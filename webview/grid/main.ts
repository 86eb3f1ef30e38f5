import { fill, type GridLabels } from '../../src/protocol/labels.ts';
import {
  type ResultView,
  resultsEvents,
  resultsMethods,
  type RowWindow,
  type ViewEvent,
} from '../../src/protocol/results.ts';
import { connectToHost, pageRoot, readLabels } from '../ui/host.ts';
import { GridView } from './gridView.ts';
import { ResultHeader } from './resultHeader.ts';
import { element } from '../ui/element.ts';
import './grid.css';

const labels = readLabels<GridLabels>();
const root = pageRoot();
const peer = connectToHost((name, payload) => {
  if (name === resultsEvents.view) show(payload as ViewEvent);
});
const header = new ResultHeader(labels, runId => void peer.call(resultsMethods.cancel, { runId }));
const message = element('p', 'message', labels.noResult);
root.append(header.root, message);

let runId: string | undefined;
let grid: GridView | undefined;

function show({ view, first }: ViewEvent): void {
  if (view?.runId !== runId) {
    runId = view?.runId;
    grid?.dispose();
    grid = undefined;
  }
  header.show(view);
  if (view && first && !grid) {
    grid = makeGrid(view, first);
    root.append(grid.root);
  }
  grid?.setRowCount(view?.rowCount ?? 0);
  message.hidden = grid !== undefined;
  message.textContent = messageFor(view);
}

function makeGrid(view: ResultView, first: RowWindow): GridView {
  return new GridView({
    columns: view.columns,
    first,
    label: fill(labels.grid, view.project),
    loading: labels.loading,
    characterWidth: measureCharacter(),
    fetch: async (start, count, signal) =>
      (await peer.call(resultsMethods.rows, { runId: view.runId, start, count }, signal)) as RowWindow,
  });
}

/** The editor's font is monospaced and the user's own, so its width is measured where it is used. */
function measureCharacter(): number {
  const probe = element('span', 'probe', '0'.repeat(100));
  root.append(probe);
  const width = probe.getBoundingClientRect().width / 100;
  probe.remove();
  return width;
}

function messageFor(view: ResultView | null): string {
  if (!view) return labels.noResult;
  if (view.state === 'running') return labels.running;
  return view.state === 'done' && view.changed === undefined ? labels.none : '';
}

void peer.call(resultsMethods.ready);
