import type { Browser } from 'playwright-core';
import { afterAllFiles } from '../afterAllFiles.ts';
import { sharedBrowser } from './sharedBrowser.ts';
import { addressVariable, startTestEnvironment } from './globalSetup.ts';
import { workbenchServerAt, type WorkbenchAddress, type WorkbenchServer } from './workbenchServer.ts';

export interface SharedWorkbench {
  server: WorkbenchServer;
  browser: Browser;
}

let shared: Promise<SharedWorkbench> | undefined;

/** The shared server of the run, or a server of this process when a file is run by hand, and the browser of this process. */
export function sharedWorkbench(): Promise<SharedWorkbench> {
  shared ??= open();
  return shared;
}

async function open(): Promise<SharedWorkbench> {
  const addressText = process.env[addressVariable];
  const address = addressText ? (JSON.parse(addressText) as WorkbenchAddress) : await ownServer();
  return { server: workbenchServerAt(address), browser: await sharedBrowser() };
}

async function ownServer(): Promise<WorkbenchAddress> {
  const environment = await startTestEnvironment();
  afterAllFiles(() => environment.stop());
  return environment.address;
}
