import { after } from 'node:test';
import type { Browser } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import { addressVariable, startTestEnvironment } from './globalSetup.ts';
import { workbenchServerAt, type WorkbenchAddress, type WorkbenchServer } from './workbenchServer.ts';

export interface SharedWorkbench {
  server: WorkbenchServer;
  browser: Browser;
}

const stack = new AsyncDisposableStack();
after(() => stack.disposeAsync());
let shared: Promise<SharedWorkbench> | undefined;

/** The shared server of the run, or a server of this file when it is run by hand, and a browser for this file. */
export function sharedWorkbench(): Promise<SharedWorkbench> {
  shared ??= open();
  return shared;
}

async function open(): Promise<SharedWorkbench> {
  const given = process.env[addressVariable];
  const address = given ? (JSON.parse(given) as WorkbenchAddress) : await ownServer();
  return { server: workbenchServerAt(address), browser: await sharedBrowser() };
}

let browser: Promise<Browser> | undefined;

/** The browser of this file, for tests with their own server. */
export function sharedBrowser(): Promise<Browser> {
  browser ??= launchBrowser().then(launched => {
    stack.defer(() => launched.close());
    return launched;
  });
  return browser;
}

/** Registers a callback that runs before the browser closes. */
export function closeBeforeBrowser(close: () => Promise<void>): void {
  stack.defer(close);
}

async function ownServer(): Promise<WorkbenchAddress> {
  const environment = await startTestEnvironment();
  stack.defer(() => environment.stop());
  return environment.address;
}
