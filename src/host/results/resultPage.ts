import type * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import {
  type ResultView,
  resultsEvents,
  resultsMethods,
  type RowWindow,
  type ViewEvent,
} from '../../protocol/results.ts';
import type { Methods, RpcPeer } from '../../protocol/rpc.ts';
import { openPage } from '../webviews/webviewPage.ts';
import { gridLabels } from './gridLabels.ts';
import { type Result, viewOf } from './result.ts';
import { resultCalls, windowOf } from './resultCalls.ts';

export interface ResultPageOptions {
  readonly extensionUri: vscode.Uri;
  readonly webview: vscode.Webview;
  readonly title: string;
  /** A page that nobody looks at is told nothing; `ready` comes when somebody does again. */
  readonly isVisible: () => boolean;
  /** What this page can ask for beyond its result. */
  readonly methods?: Methods;
  /** Called when the page is there, before it is told of its result. */
  readonly onReady?: () => void;
}

/** How often the grid hears of more rows, at most: as often as a screen is painted is more than anybody can see. */
const refreshMs = 50;
/** Rows sent with the first message that has any. */
const firstRows = 50;

/** A webview with the grid, and the one result at a time that it shows. Whoever made the result ends it. */
export class ResultPage implements Disposable {
  readonly #peer: RpcPeer;
  readonly #isVisible: () => boolean;
  #shown: Result | undefined;
  #listener: Disposable | undefined;
  #timer: NodeJS.Timeout | undefined;
  #firstSent = false;
  #isThere = false;
  #sending: Promise<void> = Promise.resolve();

  constructor({ extensionUri, webview, title, isVisible, methods = {}, onReady }: ResultPageOptions) {
    this.#isVisible = isVisible;
    this.#peer = openPage(webview, {
      ...{ extensionUri, bundle: 'grid', title, labels: gridLabels() },
      methods: {
        ...resultCalls(() => this.#shown),
        ...methods,
        [resultsMethods.ready]: () => {
          this.#isThere = true;
          this.#firstSent = false;
          onReady?.();
          return this.#send();
        },
      },
    });
  }

  /** Shows a result in the place of the one before. Settles when the page was told, or has yet to come and ask. */
  show(result: Result | undefined): Promise<void> {
    if (this.#shown !== result) {
      this.#listener?.dispose();
      this.#listener = result?.run.onChange(() => this.#changed(result));
      this.#shown = result;
      this.#firstSent = false;
    }
    return this.#send();
  }

  /** Tells the page something beyond its result. */
  notify(name: string, payload: unknown): void {
    if (this.#isThere && this.#isVisible()) this.#peer.notify(name, payload);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#listener?.dispose();
    this.#peer.dispose();
  }

  /** The first rows and the end are told at once, what lies between at a pace. */
  #changed({ run }: Result): void {
    if (run.phase !== 'running' || !this.#firstSent) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      void this.#send();
    } else {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        void this.#send();
      }, refreshMs);
    }
  }

  /** One message after another, so that what is known later never arrives before what was known earlier. */
  #send(): Promise<void> {
    this.#sending = this.#sending.then(() => this.#sendNow());
    return this.#sending;
  }

  async #sendNow(): Promise<void> {
    if (!this.#isThere || !this.#isVisible()) return;
    const shown = this.#shown;
    const withRows = !this.#firstSent && shown !== undefined && shown.run.rowCount > 0;
    if (withRows) this.#firstSent = true;
    const first = withRows ? await windowOf(shown.run, 0, firstRows).catch(() => undefined) : undefined;
    // What could not be read now is tried again with the next message.
    if (withRows && !first) this.#firstSent = false;
    if (this.#shown === shown) this.#peer.notify(resultsEvents.view, eventOf(shown && viewOf(shown), first));
  }
}

const eventOf = (view: ResultView | undefined, first: RowWindow | undefined): ViewEvent => ({
  view: view ?? null,
  ...(first && { first }),
});
