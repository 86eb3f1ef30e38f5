import * as vscode from 'vscode';
import { Debouncer } from '../../base/debouncer.ts';
import type { Infer } from '../../base/decode.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { ServedMethods } from '../../protocol/bridge.ts';
import type { BridgeServer } from '../../protocol/bridgeServer.ts';
import type { BrowseState } from '../../protocol/browsing.ts';
import { gridBridge, type GridEvents } from '../../protocol/gridBridge.ts';
import type { Run } from '../../model/results/run.ts';
import { maxShownColumns, type ResultAction, type ResultView, type RowWindow } from '../../protocol/results.ts';
import type { RunState } from '../../protocol/runState.ts';
import { onSettingChange } from '../connections/profileSettings.ts';
import { settings } from '../names.ts';
import { openPage } from '../webviews/webviewPage.ts';
import type { ExportRows } from './exportRows.ts';
import { growingDelay } from './growingDelay.ts';
import type { Result } from './result.ts';
import { readWindow, resultCalls } from './resultCalls.ts';
import { resultViewOf } from './resultViews.ts';

export interface ResultPageOptions<R extends Result> {
  readonly extensionUri: vscode.Uri;
  readonly webview: vscode.Webview;
  readonly title: string;
  /** A hidden page gets no events. It calls `ready` when it is visible again. */
  readonly isVisible: () => boolean;
  readonly exportRows: ExportRows;
  /** The message while there is no result. By default, it says how to get one. */
  readonly message?: string;
  readonly actions?: {
    of(result: R): readonly ResultAction[];
    act(action: ResultAction, result: R): unknown;
  };
  /** The methods of this page besides those of its result. */
  readonly methods: ServedMethods;
  readonly onFocus?: () => void;
  /** Gives the focus back to the page: when a prompt closes, VS Code focuses an editor. */
  readonly restoreFocus?: () => unknown;
  /** Called when the page has loaded, before it gets its result, with the browsed table that the page remembers. */
  readonly onReady?: (browsing: BrowseState | undefined) => void;
}

/** The first event with rows has this many. It has fewer if rows are wide or large: the event waits until they are read. */
const firstWindowRows = 50;
const firstWindowCells = 20_000;
const firstWindowBytes = 4 * 1024 * 1024;

/** A webview with the grid, which shows one result at a time. The result belongs to the caller. */
export class ResultPage<R extends Result = Result> extends DisposableStore {
  readonly #options: ResultPageOptions<R>;
  readonly #bridge: BridgeServer<GridEvents>;
  readonly #updates = this.add(new Debouncer({ run: () => void this.#update(), delayMs: growingDelay() }));
  #shownResult: R | undefined;
  #listener: Disposable | undefined;
  #hasSentRows = false;
  #sentState: RunState | undefined;
  #sentOrder: number | undefined;
  #isReady = false;
  #wantsChart = false;
  #lastUpdate: Promise<void> = Promise.resolve();

  constructor(options: ResultPageOptions<R>) {
    super();
    this.#options = options;
    this.add(onSettingChange([settings.columnTypes, settings.filterRow], () => void this.#update()));
    const { extensionUri, webview, title, methods, onReady } = options;
    const { message = vscode.l10n.t('Run a statement to see its rows here.') } = options;
    const getResult = (): R | undefined => this.#shownResult;
    const calls = resultCalls<R>(options, getResult, browsing => {
      this.#isReady = true;
      this.#hasSentRows = false;
      onReady?.(browsing);
      return this.#update();
    });
    this.#bridge = this.add(
      openPage(webview, {
        extensionUri,
        bridge: gridBridge,
        title,
        message,
        methods: { ...calls, ...methods },
      }),
    );
  }

  /** Settles when the event was sent. A page that is not ready gets it later. `beforeSend` is called in any case. */
  show(result: R | undefined, beforeSend?: () => void): Promise<void> {
    if (this.#shownResult !== result) {
      this.#listener?.dispose();
      this.#listener = result?.run.onChange(() => this.#onChange(result));
      this.#shownResult = result;
      this.#hasSentRows = false;
      this.#sentState = undefined;
      this.#sentOrder = undefined;
    }
    return this.#update(beforeSend);
  }

  /** A page that is not loaded yet gets the event with its result. */
  showChart(): void {
    this.#wantsChart = true;
    void this.#update();
  }

  /** Sends an event that does not concern the result. */
  notify<Name extends keyof GridEvents>(name: Name, payload: Infer<GridEvents[Name]>): void {
    if (this.#isReady && this.#options.isVisible()) this.#bridge.notify(name, payload);
  }

  override dispose(): void {
    super.dispose();
    this.#isReady = false;
    this.#listener?.dispose();
  }

  /**
   * The first rows and each change of the state are sent at once. So is a new order, unless the run still adds rows: the host
   * refuses calls that name an outdated order. Other changes wait.
   */
  #onChange({ run }: Result): void {
    const isSameOrder = run.state === 'running' || run.queries.orderVersion === this.#sentOrder;
    const isSentLater = run.state === this.#sentState && isSameOrder && (this.#hasSentRows || run.rowCount === 0);
    if (isSentLater) return this.#updates.schedule();
    this.#updates.cancel();
    void this.#update();
  }

  /** Sends one event after another, so that no older one arrives last. */
  #update(beforeSend?: () => void): Promise<void> {
    this.#lastUpdate = this.#lastUpdate.then(() => this.#sendView(beforeSend));
    return this.#lastUpdate;
  }

  async #sendView(beforeSend: (() => void) | undefined): Promise<void> {
    const { isVisible } = this.#options;
    const canSend = this.#isReady && isVisible();
    const shown = this.#shownResult;
    // Take the view before the rows are read. Rows that are older than the view would stay: no later event replaces them.
    const view = canSend && shown ? this.#currentView(shown) : null;
    const first = view && shown ? await this.#firstWindow(shown) : undefined;
    beforeSend?.();
    if (!canSend || this.#shownResult !== shown) return;
    this.#bridge.notify('view', { view, ...(first && { first }) });
    if (this.#wantsChart) this.#bridge.notify('showChart', {});
    this.#wantsChart = false;
  }

  #currentView(result: R): ResultView {
    const { state, queries } = result.run;
    this.#sentState = state;
    this.#sentOrder = queries.orderVersion;
    return resultViewOf(result, this.#options.actions?.of(result) ?? []);
  }

  /** Undefined if the rows were sent already. If they cannot be read now, the next event has them. */
  async #firstWindow(result: R): Promise<RowWindow | undefined> {
    const { run } = result;
    if (this.#hasSentRows || run.rowCount === 0) return undefined;
    this.#hasSentRows = true;
    const first = await readWindow(result, 0, firstWindowCount(run)).catch(() => undefined);
    if (!first) this.#hasSentRows = false;
    return first;
  }
}

/** The number of rows that fit, if all rows have the average size. */
function firstWindowCount({ rowCount, sizeBytes = 0, columns }: Run): number {
  const byCells = firstWindowCells / Math.max(1, Math.min(columns.length, maxShownColumns));
  const byBytes = (firstWindowBytes * rowCount) / Math.max(1, sizeBytes);
  return Math.max(1, Math.floor(Math.min(firstWindowRows, byCells, byBytes)));
}
