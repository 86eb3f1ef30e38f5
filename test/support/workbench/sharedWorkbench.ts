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
  const browser = await launchBrowser();
  stack.defer(() => browser.close());
  return { server: workbenchServerAt(address), browser };
}

async function ownServer(): Promise<WorkbenchAddress> {
  const environment = await startTestEnvironment();
  stack.defer(() => environment.stop());
  return environment.address;
}
