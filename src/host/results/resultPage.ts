import type * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Infer } from '../../base/decode.ts';
import type { ServedMethods } from '../../protocol/bridge.ts';
import type { BridgeServer } from '../../protocol/bridgeServer.ts';
import { gridBridge, type GridEvents } from '../../protocol/gridBridge.ts';
import type { ResultAction, ViewEvent } from '../../protocol/results.ts';
import type { RunState } from '../../protocol/runState.ts';
import { openPage } from '../webviews/webviewPage.ts';
import { gridLabels } from './gridLabels.ts';
import { RefreshPace } from './refreshPace.ts';
import type { Result } from './result.ts';
import { resultCalls, windowOf } from './resultCalls.ts';
import { viewOf } from './resultViews.ts';

export interface ResultPageOptions<R extends Result> {
  readonly extensionUri: vscode.Uri;
  readonly webview: vscode.Webview;
  readonly title: string;
  /** A page that nobody looks at is told nothing; `ready` comes when somebody does again. */
  readonly isVisible: () => boolean;
  /** Sentences that this page has beyond those of any grid. */
  readonly labels?: object;
  /** What it offers to do with its result; nothing unless set. */
  readonly actions?: {
    of(result: R): readonly ResultAction[];
    act(action: ResultAction, result: R): unknown;
  };
  /** What this page can ask for beyond its result. */
  readonly methods?: ServedMethods;
  /** Called when the page gets the focus. */
  readonly onFocus?: () => void;
  /** Brings the focus back to where the page is: after a question, VS Code gives it to an editor. */
  readonly restoreFocus?: () => unknown;
  /** Called when the page is there, before it is told of its result. */
  readonly onReady?: () => void;
}

/** Rows sent with the first message that has any. */
const firstRows = 50;

/** A webview with the grid, and the one result at a time that it shows. Whoever made the result ends it. */
export class ResultPage<R extends Result = Result> implements Disposable {
  readonly #options: ResultPageOptions<R>;
  readonly #bridge: BridgeServer<GridEvents>;
  #shown: R | undefined;
  #listener: Disposable | undefined;
  readonly #pace = new RefreshPace(systemClock, () => void this.#send());
  #firstSent = false;
  #toldPhase: RunState | undefined;
  #isThere = false;
  #sending: Promise<void> = Promise.resolve();

  constructor(options: ResultPageOptions<R>) {
    this.#options = options;
    const {
      extensionUri,
      webview,
      title,
      labels = {},
      methods = {},
      actions,
      onReady,
      onFocus,
      restoreFocus,
    } = options;
    const act = (action: ResultAction, result: R): unknown => actions?.act(action, result);
    const calls = resultCalls({
      shown: () => this.#shown,
      act,
      onReady: () => {
        this.#isThere = true;
        this.#firstSent = false;
        onReady?.();
        return this.#send();
      },
      onFocus: () => onFocus?.(),
      restoreFocus,
    });
    this.#bridge = openPage(webview, {
      extensionUri,
      bridge: gridBridge,
      title,
      labels: { ...gridLabels(), ...labels },
      methods: { ...calls, ...methods },
    });
  }

  /** Shows a result in the place of the one before. Settles when the page was told, or has yet to come and ask. */
  show(result: R | undefined): Promise<void> {
    if (this.#shown !== result) {
      this.#listener?.dispose();
      this.#listener = result?.run.onChange(() => this.#changed(result));
      this.#shown = result;
      this.#firstSent = false;
      this.#toldPhase = undefined;
    }
    return this.#send();
  }

  /** Tells the page something beyond its result. */
  notify<Name extends keyof GridEvents>(name: Name, payload: Infer<GridEvents[Name]>): void {
    if (this.#isThere && this.#options.isVisible()) this.#bridge.notify(name, payload);
  }

  dispose(): void {
    this.#isThere = false;
    this.#pace.settle();
    this.#listener?.dispose();
    this.#bridge.dispose();
  }

  /** The first rows, pauses and the end are told at once, what lies between at a pace. */
  #changed({ run }: Result): void {
    if (run.state !== this.#toldPhase || (run.rowCount > 0 && !this.#firstSent)) {
      this.#pace.settle();
      void this.#send();
    } else this.#pace.note();
  }

  /** One message after another, so that what is known later never arrives before what was known earlier. */
  #send(): Promise<void> {
    this.#sending = this.#sending.then(() => this.#sendNow());
    return this.#sending;
  }

  async #sendNow(): Promise<void> {
    const { isVisible, actions } = this.#options;
    if (!this.#isThere || !isVisible()) return;
    const shown = this.#shown;
    const withRows = !this.#firstSent && shown !== undefined && shown.run.rowCount > 0;
    if (withRows) this.#firstSent = true;
    const first = withRows ? await windowOf(shown.run, 0, firstRows).catch(() => undefined) : undefined;
    // What could not be read now is tried again with the next message.
    if (withRows && !first) this.#firstSent = false;
    if (this.#shown !== shown) return;
    this.#toldPhase = shown?.run.state;
    const view = shown ? viewOf(shown, actions?.of(shown) ?? []) : null;
    const event: ViewEvent = { view, ...(first && { first }) };
    this.#bridge.notify('view', event);
  }
}
