/** Measures scrolling through a million rows of twenty columns while they arrive, in a browser with the built page. */
import type { Browser, Page } from 'playwright-core';
import { gridBridge } from '../../src/protocol/gridBridge.ts';
import { openWebview } from '../support/webviewHost.ts';
import { setTheme } from '../support/webviewThemes.ts';
import { launchBrowser } from '../support/workbench/browser.ts';
import { type BenchHost, playHost } from './grid/playHost.ts';
import { type Bench, quantileOf } from '../support/bench.ts';

const seconds = 5;
const viewport = { width: 1400, height: 800 };
/** The size of the results view in a new window of 1440 × 900 pixels: the default panel beside the side bar. */
const defaultPanel = { width: 1082, height: 258 };
const jumps = 9;

export const bench: Bench = async print => {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport });
    await openWebview(page, { bridge: gridBridge, play: playHost });
    await setTheme(page, 'dark');
    await control(page, 'show', 900_000, 20);
    await page.locator('[role="gridcell"]').first().waitFor();
    await control(page, 'stream', 10_000);
    const worked = await watchWork(page);
    const frames = await wheelFrames(page);
    const work = await worked();
    await control(page, 'stop');
    print('scroll_p50_ms', quantileOf(frames, 0.5));
    print('scroll_p95_ms', quantileOf(frames, 0.95));
    // Other processes take frames from every page. Compare with a plain page.
    const plain = await plainFrames(browser);
    print('plain_p95_ms', quantileOf(plain, 0.95));
    print('scroll_vs_plain', quantileOf(frames, 0.95) / quantileOf(plain, 0.95));
    print('scroll_busy_ms', work / frames.length);
    await control(page, 'show', 1_000_000, 20);
    await page.locator('[role="grid"][aria-rowcount="1000001"]').waitFor();
    const times: number[] = [];
    for (let i = 0; i < jumps; i++) times.push(await jump(page, i % 2 === 0 ? 900_000 : 100_000 + i * 1000));
    print('jump_ms', quantileOf(times, 0.5));
    print('jump_max_ms', quantileOf(times, 1));
    print('heap_mb', await heapMegabytes(page));

    const panel = await browser.newPage({ viewport: defaultPanel });
    await openWebview(panel, { bridge: gridBridge, play: playHost });
    await setTheme(panel, 'dark');
    await control(panel, 'show', 1000, 20);
    await panel.locator('[role="gridcell"]').first().waitFor();
    print('rows_in_view', await rowsInView(panel));

    const wide = await browser.newPage({ viewport });
    await openWebview(wide, { bridge: gridBridge, play: playHost });
    await control(wide, 'show', 1_000_000, 500);
    await wide.locator('[role="gridcell"]').first().waitFor();
    await jump(wide, 900_000);
    print('nodes_500_columns', await wide.evaluate(() => document.querySelectorAll('[role="grid"] *').length));
  } finally {
    await browser.close();
  }
};

/** How many rows are wholly in view. */
export const rowsInView = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const grid = document.querySelector<HTMLElement>('[role="grid"]');
    const [header, ...rows] = Array.from(grid?.querySelectorAll('[role="row"]') ?? [], row =>
      row.getBoundingClientRect(),
    );
    if (!grid || !header) throw new Error('There is no grid.');
    const bottom = grid.getBoundingClientRect().top + grid.clientTop + grid.clientHeight;
    return rows.filter(row => row.top >= header.bottom && row.bottom <= bottom).length;
  });

/** Calls the host in the page. */
const control = (page: Page, method: keyof BenchHost, ...values: readonly number[]): Promise<void> =>
  page.evaluate(
    ([name, numbers]) => {
      const { benchHost } = globalThis as unknown as {
        benchHost: Record<string, (...parameters: readonly number[]) => void>;
      };
      benchHost[name]?.(...numbers);
    },
    [method, values] as const,
  );

/** The frame times of a page with nothing but text, which the browser scrolls by itself. */
async function plainFrames(browser: Browser): Promise<number[]> {
  const page = await browser.newPage({ viewport });
  await page.evaluate(() => {
    const line = 'row with columns    '.repeat(8);
    document.body.style.cssText = 'height: 760px; overflow: auto; white-space: pre; font: 14px/24px monospace';
    document.body.textContent = Array.from({ length: 20_000 }, (_line, row) => `${row} ${line}`).join('\n');
  });
  return wheelFrames(page);
}

/** The times between frames in milliseconds while the wheel turns. */
async function wheelFrames(page: Page): Promise<number[]> {
  await page.mouse.move(500, 400);
  await page.evaluate(() => {
    const frames: number[] = [];
    Object.assign(globalThis, { frames });
    let previous = performance.now();
    const record = (now: number): void => {
      frames.push(now - previous);
      previous = now;
      if ((globalThis as unknown as { frames: number[] }).frames === frames) requestAnimationFrame(record);
    };
    requestAnimationFrame(record);
  });
  const end = Date.now() + seconds * 1000;
  for (let turn = 0; Date.now() < end; turn++) await page.mouse.wheel(0, turn % 300 < 200 ? 240 : -240);
  return page.evaluate(() => (globalThis as unknown as { frames: number[] }).frames.slice(5));
}

/** The processor time of the page's main thread since the call. */
async function watchWork(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const read = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
  };
  const start = await read();
  return async () => (await read()) - start;
}

/** The time from moving the scrollbar until every row in view has its values. */
async function jump(page: Page, row: number): Promise<number> {
  return page.evaluate(async target => {
    const grid = document.querySelector('[role="grid"]');
    if (!grid) throw new Error('There is no grid.');
    const rows = Number(grid.ariaRowCount) - 1;
    const start = performance.now();
    grid.scrollTo(0, (grid.scrollHeight - grid.clientHeight) * (target / rows));
    const isFilled = (): boolean => {
      const body = Array.from(grid.querySelectorAll('[role="row"]')).slice(1);
      const near = body.filter(({ ariaRowIndex }) => Math.abs(Number(ariaRowIndex) - target) < 200);
      return near.length > 10 && near.every(element => !element.querySelector('[data-kind="loading"]'));
    };
    while (!isFilled()) await new Promise(requestAnimationFrame);
    return performance.now() - start;
  }, row);
}

/** The size of the page's heap after a garbage collection. */
async function heapMegabytes(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 1_000_000;
}
