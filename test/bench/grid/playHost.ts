import type { BridgeMessage } from '../../../src/protocol/bridge.ts';
import type { ResultView } from '../../../src/protocol/results.ts';

/** The host in the page, as the bench controls it. */
export interface BenchHost {
  /** Shows a result with these numbers of rows and columns. */
  show(rowCount: number, columnCount: number): void;
  /** Lets rows arrive twenty times a second until `stop`. */
  stream(rowsPerSecond: number): void;
  stop(): void;
}

/**
 * Acts as VS Code and the host within the page. Messages then take as long as in VS Code, and not as long as the bench's
 * own way into the browser. Rows come after 5 ms.
 */
export function playHost(): void {
  const answerMs = 5;
  const arrivalsPerSecond = 20;
  let view: Partial<ResultView> = {};
  let timer: number | undefined;
  const windowOf = (start: number, count: number) => ({
    orderVersion: 0,
    start,
    rows: Array.from({ length: Math.min(count, (view.rowCount ?? 0) - start) }, (_row, i) =>
      (view.columns ?? []).map(
        (_column, column) => ({ kind: 'text', text: `row ${start + i} column ${column}` }) as const,
      ),
    ),
  });
  const tell = (first: boolean): void =>
    window.postMessage({ kind: 'event', name: 'view', payload: { view, ...(first && { first: windowOf(0, 50) }) } });
  const postMessage = (message: BridgeMessage): void => {
    if (message.kind !== 'request') return;
    const { id, method, params } = message;
    const { start, count } = params as { start: number; count: number };
    const value = method === 'rows' ? windowOf(start, count) : undefined;
    setTimeout(() => window.postMessage({ kind: 'result', id, value }), method === 'rows' ? answerMs : 0);
  };
  const grow = (rows: number): void => {
    const rowCount = (view.rowCount ?? 0) + rows;
    view = { ...view, state: 'running', rowCount, shownRows: rowCount };
    tell(false);
  };
  const host: BenchHost = {
    show(rowCount, columnCount) {
      view = {
        runId: 'a',
        project: 'Shop',
        protection: 'open',
        statement: 'SELECT 1',
        state: 'running',
        orderVersion: 0,
        actions: [],
        columns: Array.from({ length: columnCount }, (_column, i) => ({ name: `column_${i}`, type: 'TEXT' })),
        rowCount,
        shownRows: rowCount,
        arrangement: { sort: [], filters: [] },
        bytes: 0,
        elapsedMs: 0,
      };
      tell(true);
    },
    stream(rowsPerSecond) {
      timer = window.setInterval(() => grow(rowsPerSecond / arrivalsPerSecond), 1000 / arrivalsPerSecond);
    },
    stop() {
      clearInterval(timer);
    },
  };
  let state: unknown;
  const acquireVsCodeApi = () => ({ postMessage, getState: () => state, setState: (next: unknown) => (state = next) });
  Object.assign(window, { acquireVsCodeApi, benchHost: host });
}
