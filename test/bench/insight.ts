/** Measures what looks into all rows of a result: a million rows of twenty columns. */
import { excelFile } from '../../src/model/results/excelFile/excelFile.ts';
import { SpoolQueries } from '../../src/model/results/queries/spoolQueries.ts';
import { Spool } from '../../src/model/results/spool.ts';
import type { CellRange } from '../../src/protocol/rowQueries.ts';
import { gridBridge } from '../../src/protocol/gridBridge.ts';
import { resultView } from '../support/resultView.ts';
import { openWebview } from '../support/webviewHost.ts';
import { launchBrowser } from '../support/workbench/browser.ts';
import { type Bench, millisecondsOf } from '../support/bench.ts';
import { startRowsThread } from '../support/rowsThread.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const rowCount = 1_000_000;
const rowsPerBatch = 1000;
const columns = Array.from({ length: 20 }, (_, nth) => ({ name: `column ${nth}`, type: '' }));
const ranges: readonly CellRange[] = [{ firstRow: 0, endRow: rowCount, columns: [...columns.keys()] }];
const patient = { signal: new AbortController().signal };

export const bench: Bench = async print => {
  const thread = startRowsThread();
  const spool = await Spool.create(temporaryFolder());
  for (let first = 0; first < rowCount; first += rowsPerBatch) {
    const texts = Array.from({ length: rowsPerBatch }, (_, nth) => rowText(first + nth));
    await spool.append({ bytes: Buffer.from(texts.join(',')), rowCount: rowsPerBatch });
  }
  const queries = new SpoolQueries({
    thread,
    spool: () => spool,
    columns: () => columns,
    rowCount: () => rowCount,
    mayGrow: () => false,
    onChange: () => undefined,
  });
  const text = (format: 'csv' | 'xlsx' | 'parquet') =>
    queries.text({ format, ranges, headers: true, guardFormulas: false, table: 't' }, patient);
  const ways = {
    csv: () => readAll(text('csv')),
    xlsx: () => readAll(excelFile(text('xlsx'), { sheetName: 'rows', lastSheet: () => undefined })),
    parquet: () => readAll(text('parquet')),
    profile: () => queries.profile({ columns: [...columns.keys()], inDetail: false }, patient),
    group: () => readAll(groupsOf(queries)),
  };
  const kinds = ['csv', 'profile', 'group', 'xlsx', 'parquet'] as const;
  const times = { csv: Infinity, xlsx: Infinity, parquet: Infinity, profile: Infinity, group: Infinity };
  for (let round = 0; round < 2; round++) {
    for (const kind of kinds) {
      const rss = watchRss();
      times[kind] = Math.min(times[kind], await millisecondsOf(ways[kind]));
      const growth = rss.stop();
      if (round === 0) print(`${kind}_rss_growth_mb`, growth);
    }
  }
  print('profile_vs_csv', times.csv / times.profile);
  print('group_1m_ms', times.group);
  print('chart_first_paint_1m_ms', await chartPaintMs(queries));
  for (const format of ['xlsx', 'parquet'] as const) {
    print(`${format}_1m_ms`, times[format]);
    print(`${format}_vs_csv`, times.csv / times[format]);
  }
  queries.dispose();
  await spool.delete();
  await thread.dispose();
};

const chartRounds = 3;

/** The time from the key until the chart of a million points is painted, in a browser with the built page. */
async function chartPaintMs(queries: SpoolQueries): Promise<number> {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1082, height: 258 } });
    const view = resultView({
      columns: columns.map(({ name }) => ({ name, type: '' })),
      rowCount,
      shownRows: rowCount,
    });
    const first = { orderVersion: 0, start: 0, rows: await queries.rows(0, 50) };
    const host = await openWebview(page, {
      bridge: gridBridge,
      methods: { chart: ({ query }, signal) => queries.chart(query, { signal }) },
    });
    const times: number[] = [];
    for (let round = 0; round < chartRounds; round++) {
      host.notify('view', { view: { ...view, runId: `run ${round}` }, first });
      await page.getByRole('gridcell').first().waitFor();
      await page.getByRole('grid').focus();
      const paint = page.evaluate(async () => {
        while (!document.querySelector('.chart .u-over')) await new Promise(requestAnimationFrame);
        await new Promise(requestAnimationFrame);
        return performance.now();
      });
      const start = await page.evaluate(() => performance.now());
      await page.keyboard.press('Alt+c');
      await page.locator('.chart .u-over').waitFor();
      times.push((await paint) - start);
    }
    return Math.min(...times);
  } finally {
    await browser.close();
  }
}

function rowText(id: number): string {
  const values = columns.map(({ name }, nth): readonly [string, unknown] => {
    if (nth % 4 === 0) return [name, id * (nth + 1)];
    if (nth % 4 === 1) return [name, `Customer number ${id}`];
    return [name, nth % 4 === 2 ? id / 64 : id % 7 === 0 ? null : `city ${id % 97}`];
  });
  return JSON.stringify(Object.fromEntries(values));
}

/** About a hundred groups, with four figures each. */
async function* groupsOf(queries: SpoolQueries): AsyncGenerator<Uint8Array> {
  const figures = [
    { kind: 'rows' as const },
    ...(['sum', 'min', 'distinct'] as const).map(kind => ({ kind, column: 2 })),
  ];
  const query = { keys: [{ column: 3 }], figures };
  for await (const { bytes } of queries.groups({ query, names: ['city', 'a', 'b', 'c', 'd'] }, patient)) yield bytes;
}

async function readAll(pieces: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const piece of pieces) bytes += piece.length;
  return bytes;
}

function watchRss(): { stop: () => number } {
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20);
  return {
    stop() {
      clearInterval(timer);
      return (most - before) / 1024 / 1024;
    },
  };
}
