import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import type { Uri, Webview } from 'vscode';
import type { Methods, RpcPeer } from '../../src/protocol/rpc.ts';
import { launchBrowser } from './workbench/browser.ts';
import { repositoryRoot, resultsFolder } from './workbench/workbenchPaths.ts';

/** As much of VS Code as the module needs that makes the pages. */
const vscodeStub = `
  export const env = { language: 'en' };
  export const l10n = { t: text => text };
  export const Uri = { joinPath: (base, ...parts) => ({ path: [base.path, ...parts].join('/') }) };
`;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vscode'
      ? { url: `data:text/javascript,${encodeURIComponent(vscodeStub)}`, shortCircuit: true }
      : next(specifier, context),
});
// The page and its content security policy come from where the extension has them, so the two cannot drift apart.
const { openPage } = await import('../../src/host/webviews/webviewPage.ts');

const origin = 'http://webview.test';
const types: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript', css: 'text/css' };

export interface WebviewPageOptions {
  readonly bundle: 'grid' | 'settings';
  readonly labels: object;
  readonly methods?: Methods;
}

/** The built bundle in a browser, with the test in the place of the extension host. */
export interface WebviewPage {
  readonly page: Page;
  /** The host's end. */
  readonly peer: RpcPeer;
  /** Takes a picture for people to look at, into .results. */
  picture(name: string): Promise<void>;
}

let browser: Promise<Browser> | undefined;
after(async () => (await browser)?.close());

/** A test that fails as well when the page violates its content security policy or throws where nobody catches. */
export function webviewTest(
  name: string,
  options: WebviewPageOptions,
  body: (opened: WebviewPage) => Promise<void>,
): void {
  test(name, { timeout: 60_000 }, async () => {
    browser ??= launchBrowser();
    const context = await (await browser).newContext({ viewport: { width: 900, height: 400 } });
    try {
      context.setDefaultTimeout(10_000);
      const page = await context.newPage();
      const faults: string[] = [];
      page.on('pageerror', error => faults.push(`uncaught: ${error.message}`));
      page.on('console', message => message.type() === 'error' && faults.push(message.text()));
      await page.exposeFunction('reportViolation', (fault: string) => faults.push(fault));
      const peer = await connect(page, options);
      await body({
        page,
        peer,
        picture: async picture => {
          await page.screenshot({ path: join(resultsFolder, `${picture}.png`) });
        },
      });
      assert.deepEqual(faults, []);
    } finally {
      await context.close();
    }
  });
}

async function connect(page: Page, { bundle, labels, methods = {} }: WebviewPageOptions): Promise<RpcPeer> {
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
      try {
        await page.evaluate(posted => window.postMessage(posted, '*'), message);
      } catch (thrown) {
        // An answer may be on its way when the test is over.
        if (!page.isClosed()) throw thrown;
      }
    },
  };
  const extensionUri = { path: repositoryRoot } as Uri;
  const all = { ready: () => undefined, ...methods };
  const peer = openPage(webview as unknown as Webview, { extensionUri, bundle, title: bundle, labels, methods: all });
  await page.exposeFunction('receiveMessage', (message: unknown) => receive?.(message));
  await page.addInitScript(playVsCode);
  await page.route(`${origin}/**`, async route => {
    const name = basename(new URL(route.request().url()).pathname);
    const body = name === '' ? webview.html : await readFile(join(repositoryRoot, 'dist/webview', name));
    await route.fulfill({ body, contentType: types[name.split('.')[1] ?? 'html'] ?? '' });
  });
  await page.goto(`${origin}/`);
  return peer;
}

/** Runs in the page, before anything else does. */
function playVsCode(): void {
  const host = window as unknown as Record<'receiveMessage' | 'reportViolation', (value: unknown) => Promise<void>>;
  const postMessage = (message: unknown): void => void host.receiveMessage(message);
  const api = {
    postMessage,
    // As in VS Code, the state outlives the page: a view that is hidden and shown again is loaded anew.
    getState: (): unknown => JSON.parse(sessionStorage.getItem('state') ?? 'null') ?? undefined,
    setState: (state: unknown): void => sessionStorage.setItem('state', JSON.stringify(state)),
  };
  Object.assign(window, { acquireVsCodeApi: () => api });
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
    void host.reportViolation(`violates ${violatedDirective}: ${blockedURI}`);
  });
}
