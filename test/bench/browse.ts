/** Compares pages deep in a sorted table of a million rows with its first pages, as the user scrolls through both. */
import { runTool } from '../../.dev/command.ts';
import { monotonicClock } from '../../src/base/clock.ts';
import { Client, Pager, type Project } from '../../src/client/index.ts';
import { BrowseRun } from '../../src/model/browsing/browseRun.ts';
import { ServiceWaits } from '../../src/model/serviceWaits.ts';
import { Catalog } from '../../src/model/catalog/catalog.ts';
import type { Arrangement } from '../../src/protocol/rowQueries.ts';
import { type Bench, quantileOf } from '../support/bench.ts';
import { ServiceProcess } from '../support/serviceProcess.ts';
import { withoutEdits } from '../support/withoutEdits.ts';

const rowCount = 1_050_000;
const pageSize = 100;
const deepPage = 10_000;
const pagesOfEach = 200;

const setup = [
  `CREATE TABLE sales (id INTEGER PRIMARY KEY, city TEXT, name TEXT, score REAL)`,
  `INSERT INTO sales WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rowCount})
    SELECT i, 'city ' || (i * 7919 % 1000), 'Customer number ' || i, i / 7.0 FROM n`,
  'CREATE INDEX sales_city ON sales (city)',
  'CREATE TABLE bill_lines (bill TEXT, line INTEGER, article TEXT, price REAL, PRIMARY KEY (bill, line)) WITHOUT ROWID',
  `INSERT INTO bill_lines SELECT printf('bill %07d', id / 8), id % 8, name, score FROM sales`,
] as const;

interface Case {
  readonly figure: string;
  readonly table: string;
  /** The columns that the rows are sorted by. */
  readonly sort: readonly number[];
}

const byKey: readonly Case[] = [
  { figure: 'integer_key', table: 'sales', sort: [0] },
  { figure: 'composite_key', table: 'bill_lines', sort: [0, 1] },
];
const others: readonly Case[] = [
  { figure: 'indexed_column', table: 'sales', sort: [1] },
  { figure: 'unsorted', table: 'sales', sort: [] },
];

export const bench: Bench = async print => {
  if (!runTool('build')) throw new Error('The build failed. Its messages are above.');
  await using service = await ServiceProcess.start('built');
  const { baseUrl, projectId, apiKey } = await service.project();
  const client = new Client({ baseUrl, apiKey, retries: 0 });
  for (const sql of setup) await client.execSql(projectId, { sql });
  const measure = async ({ figure, table, sort }: Case): Promise<PageTimes> => {
    const run = browse(client.project(projectId), table);
    await run.start();
    const arrangement: Arrangement = { sort: sort.map(column => ({ column, descending: false })), filters: [] };
    if (sort.length > 0) await run.queries.arrange(arrangement);
    const times = await scroll(run);
    await run.dispose();
    print(`${figure}_page_1_ms`, times.near);
    print(`${figure}_page_${deepPage}_ms`, times.deep);
    print(`${figure}_page_${deepPage}_vs_1`, times.deep / times.near);
    print(`${figure}_first_jump_${deepPage}_ms`, times.firstJump);
    return times;
  };
  let worst = 0;
  let firstJump = 0;
  for (const byKeyCase of byKey) {
    const times = await measure(byKeyCase);
    worst = Math.max(worst, times.deep / times.near);
    firstJump = Math.max(firstJump, times.firstJump);
  }
  print(`page_${deepPage}_vs_1`, worst);
  print(`first_jump_${deepPage}_ms`, firstJump);
  for (const other of others) await measure(other);
  await client.close();
};

const unused = (): Promise<never> => Promise.reject(new Error('Nothing is downloaded.'));

function browse(project: Project, table: string): BrowseRun {
  return new BrowseRun({
    table: { name: table, kind: 'table' },
    project,
    pagerAt: range => new Pager({ project, table, ...range }),
    columns: () => new Catalog(() => Promise.resolve(project)).columns(table),
    downloadParts: unused,
    pageSize,
    waits: new ServiceWaits(monotonicClock),
    clock: monotonicClock,
    overlay: withoutEdits,
  });
}

/** In milliseconds. */
interface PageTimes {
  /** The median of the first pages, and of those from the deep one on. */
  readonly near: number;
  readonly deep: number;
  /** The first page deep in the table: its key must be looked up. Each later page begins at the end of the previous one. */
  readonly firstJump: number;
}

/** Scrolls forward from the first page and from the deep one in turns. */
async function scroll(run: BrowseRun): Promise<PageTimes> {
  const near: number[] = [];
  const deep: number[] = [];
  for (let nth = 0; nth < pagesOfEach; nth++) {
    near.push(await timeOfPage(run, 1 + nth));
    deep.push(await timeOfPage(run, deepPage + nth));
  }
  return { near: quantileOf(near, 0.5), deep: quantileOf(deep, 0.5), firstJump: deep[0]! };
}

/** A jump fetches the one page of its row. No page is cached: each is fetched once. */
async function timeOfPage(run: BrowseRun, page: number): Promise<number> {
  const start = performance.now();
  const row = await run.jump(page * pageSize);
  const milliseconds = performance.now() - start;
  if (row !== page * pageSize) throw new Error(`The table has no row ${page * pageSize}.`);
  return milliseconds;
}
