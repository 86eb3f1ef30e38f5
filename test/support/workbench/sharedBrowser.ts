import type { Browser } from 'playwright-core';
import { afterAllFiles } from '../afterAllFiles.ts';
import { launchBrowser } from './browser.ts';

let browser: Promise<Browser> | undefined;

/** The browser of this process. It closes after the last test. */
export function sharedBrowser(): Promise<Browser> {
  browser ??= launchBrowser().then(launched => {
    afterAllFiles(() => launched.close());
    return launched;
  });
  return browser;
}
