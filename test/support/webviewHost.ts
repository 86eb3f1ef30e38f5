import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Uri, Webview } from 'vscode';
import {
  type Bridge,
  type EventTable,
  type Handlers,
  type MethodTable,
  serveMethods,
  type ServedMethods,
} from '../../src/protocol/bridge.ts';
import type { BridgeServer } from '../../src/protocol/bridgeServer.ts';
import { deliver, delayFrames } from './slowPages.ts';
import { stubVscode } from './vscodeStub.ts';
import { repositoryRoot } from './workbench/workbenchPaths.ts';

stubVscode();
// The test uses the extension's own page and content security policy.
const { openPage } = await import('../../src/host/webviews/webviewPage.ts');

const origin = 'http://webview.test';
const types: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript', css: 'text/css' };

export interface WebviewPageOptions<M extends MethodTable, E extends EventTable> {
  readonly bridge: Bridge<M, E>;
  /** The message of a page that has nothing to show. */
  readonly message?: string;
  /** The calls that the test answers. Every other call fails. */
  readonly methods?: Partial<Handlers<M>>;
  /** The user agent that the page sees. */
  readonly userAgent?: string | undefined;
  readonly pixelRatio?: number | undefined;
  /** Runs first in the page and stands in for VS Code's API. By default, messages go to `methods`. */
  readonly play?: () => void;
}

/** The extension's folder, as VS Code would name it. */
export const extensionUri = { path: repositoryRoot } as Uri;

/** Opens the built bundle in a page, with the test in the place of the extension host. */
export async function openWebview<M extends MethodTable, E extends EventTable>(
  page: Page,
  { bridge, message, methods = {}, play }: WebviewPageOptions<M, E>,
): Promise<BridgeServer<E>> {
  const { webview, load } = webviewIn(page);
  const host = openPage(webview, {
    extensionUri,
    bridge,
    title: bridge.page,
    ...(message !== undefined && { message }),
    methods: { ready: () => undefined, ...servePart(bridge, methods) },
  });
  await load(play);
  return host;
}

export interface PageWebview {
  readonly webview: Webview;
  /** Loads the HTML that the host gave the webview. `play` stands in for VS Code's API in the page. */
  readonly load: (play?: () => void) => Promise<void>;
}

/** Delivers a message between a page and its host, now or later. */
export interface MessageDelivery {
  toHost(message: unknown, send: () => void): void;
  toPage(message: unknown, send: () => Promise<void>): Promise<void>;
}

/** Under SLOW_PAGES, all messages are equally late. */
const plainDelivery: MessageDelivery = {
  toHost: (_message, send) => void deliver(send),
  toPage: (_message, send) => deliver(send),
};

/** A webview as its page knows it. */
interface ShownWebview {
  readonly html: string;
  readonly receive: (message: unknown) => void;
}

/** The webview of each page. Undefined between two tests that use a page one after the other. */
const shownBy = new WeakMap<Page, ShownWebview | undefined>();

/** A page of a browser in the place of a webview. */
export function webviewIn(page: Page, delivery = plainDelivery): PageWebview {
  let receive: ((message: unknown) => void) | undefined;
  const webview = {
    html: '',
    options: {},
    cspSource: origin,
    asWebviewUri: ({ path }: { path: string }) => `${origin}/${basename(path)}`,
    onDidReceiveMessage: (listener: (message: unknown) => void) => {
      receive = listener;
    },
    postMessage: async (message: unknown) => {
      if (shownBy.get(page) !== shown) return;
      try {
        await delivery.toPage(message, () => page.evaluate(posted => window.postMessage(posted, '*'), message));
      } catch (thrown) {
        // A message may still be pending when the page is loaded anew, or when the test ends.
        if (!isPageGone.test(String(thrown))) throw thrown;
      }
    },
  };
  const shown: ShownWebview = {
    get html() {
      return webview.html;
    },
    receive: message => delivery.toHost(message, () => receive?.(message)),
  };
  const load = async (play = playVsCode): Promise<void> => {
    if (!shownBy.has(page)) await preparePage(page, play);
    shownBy.set(page, shown);
    await page.goto(`${origin}/`);
  };
  return { webview: webview as unknown as Webview, load };
}

async function preparePage(page: Page, play: () => void): Promise<void> {
  await page.exposeFunction('receiveMessage', (message: unknown) => shownBy.get(page)?.receive(message));
  await delayFrames(page);
  await page.addInitScript(play);
  await page.route(`${origin}/**`, async route => {
    const name = basename(new URL(route.request().url()).pathname);
    const body =
      name === '' ? (shownBy.get(page)?.html ?? '') : await readFile(join(repositoryRoot, 'dist/webview', name));
    await route.fulfill({ body, contentType: types[name.split('.')[1] ?? 'html'] ?? '' });
  });
}

/** Ends the webview of a page, with the state that it has saved, before another one is shown. */
export async function emptyPage(page: Page): Promise<void> {
  if (!shownBy.has(page)) return;
  shownBy.set(page, undefined);
  await page.evaluate(() => {
    sessionStorage.clear();
    // The webview still runs until the page is loaded anew.
    Storage.prototype.setItem = () => undefined;
    Object.assign(window, { receiveMessage: () => undefined });
  });
}

const isPageGone = /has been closed|Execution context was destroyed/;

function servePart<M extends MethodTable, E extends EventTable>(
  bridge: Bridge<M, E>,
  handlers: Partial<Handlers<M>>,
): ServedMethods {
  const methods = Object.fromEntries(Object.entries(bridge.methods).filter(([name]) => Object.hasOwn(handlers, name)));
  return serveMethods(methods, handlers as Handlers<typeof methods>);
}

/** Runs in the page before any other script. */
function playVsCode(): void {
  const host = window as unknown as Record<'receiveMessage' | 'reportViolation', (value: unknown) => Promise<void>>;
  const postMessage = (message: unknown): void => void host.receiveMessage(message);
  const api = {
    postMessage,
    // As in VS Code, the state survives the page: a view that is shown again is a new page.
    getState: (): unknown => JSON.parse(sessionStorage.getItem('state') ?? 'null') ?? undefined,
    setState: (state: unknown): void => sessionStorage.setItem('state', JSON.stringify(state)),
  };
  Object.assign(window, { acquireVsCodeApi: () => api });
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
    void host.reportViolation(`violates ${violatedDirective}: ${blockedURI}`);
  });
}
