import { chromium, type Browser } from 'playwright-core';
import { provisionBrowser } from './provision.ts';

/** A headless browser that can reach this machine only: other names do not resolve. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: await provisionBrowser(),
    // Playwright would catch these signals without ending the process. The browser ends with its pipe anyway.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    args: [
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-background-networking',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ],
  });
}
