import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { EventTable, MethodTable } from '../../src/protocol/bridge.ts';
import type { BridgeServer } from '../../src/protocol/bridgeServer.ts';
import { emptyPage, openWebview, type WebviewPageOptions } from './webviewHost.ts';
import { sharedBrowser } from './workbench/sharedBrowser.ts';
import { resultsFolder } from './workbench/workbenchPaths.ts';
import { stateLimitMs, testLimitMs } from './hangLimits.ts';

/** A page of a browser that shows a webview. */
export interface TestPage {
  readonly page: Page;
  /** Saves a screenshot in .results, for people to look at. */
  picture(name: string): Promise<void>;
}

/** The built bundle in a browser. The test takes the part of the extension host. */
export interface WebviewPage<E extends EventTable = EventTable> extends TestPage {
  /** The host's side of the bridge. */
  readonly host: BridgeServer<E>;
}

/** Shows a webview's bundle. Violations of the content security policy and uncaught errors fail the test too. */
export function webviewTest<M extends MethodTable, E extends EventTable>(
  name: string,
  options: WebviewPageOptions<M, E>,
  body: (opened: WebviewPage<E>) => Promise<void>,
): void {
  pageTest(
    name,
    async opened => {
      const host = await openWebview(opened.page, options);
      await body({ ...opened, host });
    },
    options,
  );
}

export interface PageTestOptions {
  readonly userAgent?: string | undefined;
  readonly pixelRatio?: number | undefined;
}

/** A test in an empty page. A webview that is opened in it has the same checks as {@link webviewTest}. */
export function pageTest(name: string, body: (opened: TestPage) => Promise<void>, options: PageTestOptions = {}): void {
  test(name, { timeout: testLimitMs }, async () => {
    const opened = await takePage(options);
    const { page, faults } = opened;
    let isUsable = false;
    try {
      await body({
        page,
        picture: async picture => {
          await page.screenshot({ path: join(resultsFolder, `${picture}.png`) });
        },
      });
      assert.deepEqual(faults, []);
      isUsable = !pagesWithClock.has(page);
    } finally {
      if (isUsable) idlePages.set(keyOf(options), opened);
      else await page.context().close();
    }
  });
}

interface OpenPage {
  readonly page: Page;
  readonly faults: string[];
}

/** Pages that the next test with the same options uses. A test that fails closes its page. */
const idlePages = new Map<string, OpenPage>();

const keyOf = ({ userAgent, pixelRatio }: PageTestOptions): string => JSON.stringify([userAgent, pixelRatio]);

async function takePage(options: PageTestOptions): Promise<OpenPage> {
  const opened = idlePages.get(keyOf(options)) ?? (await newPage(options));
  idlePages.delete(keyOf(options));
  const { page, faults } = opened;
  await emptyPage(page);
  await page.setViewportSize(viewport);
  await page.emulateMedia({ forcedColors: null });
  // The pointer of the test before would show a tooltip.
  await page.mouse.move(-1, -1);
  faults.length = 0;
  return opened;
}

const viewport = { width: 900, height: 400 };

async function newPage({ userAgent, pixelRatio }: PageTestOptions): Promise<OpenPage> {
  const browser = await sharedBrowser();
  const context = await browser.newContext({
    viewport,
    ...(userAgent !== undefined && { userAgent }),
    ...(pixelRatio !== undefined && { deviceScaleFactor: pixelRatio }),
  });
  context.setDefaultTimeout(stateLimitMs);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', error => faults.push(`uncaught: ${error.message}`));
  page.on('console', message => message.type() === 'error' && faults.push(message.text()));
  await page.exposeFunction('reportViolation', (fault: string) => faults.push(fault));
  return { page, faults };
}

/** Nothing takes the clock of a page back, so no other test uses the page. */
const pagesWithClock = new WeakSet<Page>();

/** Stops the clock of a page. */
export async function pauseClock(page: Page): Promise<void> {
  pagesWithClock.add(page);
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(60_000);
}
