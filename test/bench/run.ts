import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { goToLine, waitForRunLens } from '../support/sampleProject.ts';
import { launchBrowser } from '../support/workbench/browser.ts';
import { startTestEnvironment } from '../support/workbench/globalSetup.ts';
import { openWorkbench, type WorkbenchSession } from '../support/workbench/session.ts';
import { waitUntil } from '../support/workbench/waitUntil.ts';
import { workbenchServerAt } from '../support/workbench/workbenchServer.ts';
import { hostWatch } from './run/hostWatch.ts';
import { echoOf, pressAt, watchCell } from './run/painted.ts';
import { type Bench, quantileOf } from '../support/bench.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const rounds = 15;
const million = 1_000_000;

/** Rows that cost the service almost nothing. The first column identifies the statement. */
const statementOf = (marker: string, limit: number): string =>
  `SELECT '${marker}' AS marker, a.*, b.id AS other FROM order_lines a, (SELECT id FROM products LIMIT 10) b LIMIT ${limit};`;

const wideColumns = Array.from({ length: 17 }, (_, i) => (i % 2 === 0 ? `i + ${i} AS n${i}` : `'text ' || i AS t${i}`));
const wide = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ${million}) SELECT 'wide' AS marker, i, 1.5 * i AS real, ${wideColumns.join(', ')} FROM n;`;

const statements = [
  statementOf('first', 10),
  ...Array.from({ length: rounds }, (_, i) => statementOf(`thousand ${i}`, 1000)),
  ...Array.from({ length: rounds }, (_, i) => statementOf(`hundred ${i}`, 100)),
  ...Array.from({ length: rounds }, (_, i) => statementOf(`million ${i}`, million)),
  wide,
];
/** The stops between the key and the first row. */
const traceStops = ['request', 'sent', 'answer', 'message', 'drawn', 'painted'] as const;

const lineOf = (text: string): number => statements.findIndex(statement => statement.includes(`'${text}'`)) + 1;

/**
 * Runs statements on the local service in a real window. Measures the time from the key to the first painted row, the
 * delay of typing while a million rows arrive, and what these rows cost the extension host and the page.
 */
export const bench: Bench = async print => {
  await using stack = new AsyncDisposableStack();
  const folder = temporaryFolder();
  await writeFile(join(folder, 'run.sql'), statements.join('\n'));
  await writeFile(join(folder, 'other.txt'), '\n');
  const watch = hostWatch();
  const environment = await startTestEnvironment();
  stack.defer(() => environment.stop());
  const browser = await launchBrowser();
  stack.defer(() => browser.close());
  const server = workbenchServerAt(environment.address);
  const session = await openWorkbench(browser, server, { folder, developmentExtension: watch.folder });
  stack.defer(() => session.close());

  await session.openFile('run.sql');
  await waitForRunLens(session);
  const heapBefore = await heapOf(session);
  await session.page.keyboard.press('Control+Enter');
  const results = await session.webviewFrame('SQL Results');
  await results.getByRole('gridcell', { name: 'first' }).first().waitFor();
  const frame = await frameOf(session);

  const trace: Readonly<Record<(typeof traceStops)[number], number[]>> = {
    request: [],
    sent: [],
    answer: [],
    message: [],
    drawn: [],
    painted: [],
  };
  const first = async (marker: string): Promise<number> => {
    await goToLine(session, lineOf(marker));
    const { painted } = await watchCell(frame, marker);
    const pressed = await pressAt(session.page, 'Control+Enter');
    const { at, messageAt, drawnAt } = await painted;
    const times = { ...(await watch.stops()), message: messageAt, drawn: drawnAt, painted: at };
    for (const stop of traceStops) trace[stop].push(times[stop] - pressed);
    return at - pressed;
  };
  const times = { thousand: [] as number[], hundred: [] as number[], million: [] as number[] };
  for (let i = 0; i < rounds; i++) {
    times.thousand.push(await first(`thousand ${i}`));
    times.hundred.push(await first(`hundred ${i}`));
    times.million.push(await first(`million ${i}`));
    await results
      .getByText(/^1,000,000 rows · \d/)
      .first()
      .waitFor({ timeout: 60_000 });
  }
  print('first_row_ms', quantileOf(times.thousand, 0.5));
  for (const stop of traceStops) print(`first_row_${stop}_ms`, quantileOf(trace[stop], 0.5));
  print('first_row_1m_vs_100', quantileOf(times.million, 0.5) / quantileOf(times.hundred, 0.5));

  await session.openFile('other.txt');
  const quiet: number[] = [];
  for (let i = 0; i < rounds * 10; i++) quiet.push(await echoOf(session.page, 'x'));
  print('echo_without_rows_max_ms', Math.max(...quiet));
  await session.openFile('run.sql');
  await goToLine(session, lineOf('wide'));
  await watch.begin();
  const { painted } = await watchCell(frame, 'wide');
  await session.page.keyboard.press('Control+Enter');
  await painted;
  await session.openFile('other.txt');
  const ended = results
    .getByText(/^1,000,000 rows · \d/)
    .first()
    .waitFor({ timeout: 120_000 });
  const echoes = await echoesUntil(session, ended);
  print('echo_max_ms', Math.max(...echoes));
  print('echo_p50_ms', quantileOf(echoes, 0.5));
  const { longestBlockMs, longestWorkMs, longestWaitMs, rssBeforeMb, rssPeakMb } = await watch.figures();
  print('host_rss_growth_mb', rssPeakMb - rssBeforeMb);
  print('loop_block_ms', longestBlockMs);
  print('loop_work_ms', longestWorkMs);
  print('idle_thread_block_ms', longestWaitMs);
  print('webview_heap_mb', (await heapOf(session)) - heapBefore);
};

/** Types until the promise settles, and measures the delay of each character. */
async function echoesUntil({ page }: WorkbenchSession, ended: Promise<void>): Promise<number[]> {
  const over = ended.then(() => true);
  const notYet = Promise.resolve(false);
  const echoes: number[] = [];
  do echoes.push(await echoOf(page, 'x'));
  while (!(await Promise.race([over, notYet])));
  return echoes;
}

/** The frame of the results view, to evaluate scripts in. */
async function frameOf({ page }: WorkbenchSession): Promise<Frame> {
  const find = async (): Promise<Frame | undefined> => {
    for (const frame of page.frames()) {
      const title = await frame.title().catch(() => '');
      if (title === 'SQL Results' && (await frame.locator('#app').count()) > 0) return frame;
    }
    return undefined;
  };
  return (await waitUntil(find, { what: 'the results view has no frame' }))!;
}

/** The heap after a garbage collection, in megabytes. The results page shares the window's process, so it counts too. */
async function heapOf({ page }: WorkbenchSession): Promise<number> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devTools.send('Runtime.getHeapUsage');
  await devTools.detach();
  return usedSize / 2 ** 20;
}
