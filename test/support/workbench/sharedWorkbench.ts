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

/** The run's one server, or one of this test file's own when it is run by hand; with a browser for this file. */
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

/** This file's browser, for those who bring a server of their own. */
export function sharedBrowser(): Promise<Browser> {
  browser ??= launchBrowser().then(launched => {
    stack.defer(() => launched.close());
    return launched;
  });
  return browser;
}

/** For what is open in the browser, and must leave while there still is one. */
export function closeBeforeBrowser(close: () => Promise<void>): void {
  stack.defer(close);
}

async function ownServer(): Promise<WorkbenchAddress> {
  const environment = await startTestEnvironment();
  stack.defer(() => environment.stop());
  return environment.address;
}
