import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BrowseOptions, Client, Pager } from '../../../src/client/index.ts';
import { asProjectError } from '../../../src/base/errors.ts';
import type { BrowseRequest } from '../../../src/model/browsing/browseRequest.ts';
import { BrowseRun } from '../../../src/model/browsing/browseRun.ts';
import { unsorted } from '../../../src/protocol/rowQueries.ts';
import { browseTable, firstColumn, testDownloads, testTime, whenever } from '../../support/browsedTable.ts';
import { HandClock } from '../../support/handClock.ts';
import { startRefusingProxy } from '../../support/refusingProxy.ts';
import { startTestService } from '../../support/testService.ts';

const { client, projectId, baseUrl, apiKey } = await startTestService();
const values = Array.from({ length: 250 }, (_, index) => `(${index})`).join();
await client.execSql(projectId, { sql: 'CREATE TABLE numbers(n INTEGER PRIMARY KEY)' });
await client.execSql(projectId, { sql: `INSERT INTO numbers VALUES ${values}` });
await client.execSql(projectId, { sql: 'CREATE TABLE empty(a INTEGER, b TEXT)' });

const browse = (name: string, pageSize = 100, of = client): BrowseRun =>
  browseTable({ client: of, projectId, name, pageSize });

const aborted = (signal?: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });

/** Looks at the last rows that are there until no more come. */
async function scrollToEnd(run: BrowseRun): Promise<void> {
  while (run.state === 'more') {
    const { rowCount } = run;
    await run.rows(rowCount - 1, 1);
    await whenever(run, () => run.rowCount > rowCount || run.state !== 'more');
  }
}

test('the first page is there at once, and no more is asked for before somebody looks', async () => {
  const run = browse('numbers');
  await run.start();
  assert.deepEqual([run.state, run.rowCount, run.columns.map(({ name }) => name)], ['more', 100, ['n']]);
  assert.deepEqual(await firstColumn(run, 0, 3), ['0', '1', '2']);
  await run.dispose();
});

test('pages follow while somebody scrolls, to the true end and not beyond', async () => {
  const run = browse('numbers');
  await run.start();
  await scrollToEnd(run);
  assert.deepEqual([run.state, run.rowCount], ['done', 250]);
  assert.deepEqual(await firstColumn(run, 98, 4), ['98', '99', '100', '101']);
  assert.deepEqual(await firstColumn(run, 249, 10), ['249']);
  await run.dispose();
});

test('no page waits for long for what the catalog knows of the table', async () => {
  const unknown = Promise.withResolvers<never>();
  const clock = new HandClock();
  const run = browseUnnamed('numbers', { columns: () => unknown.promise, ...testTime(clock) });
  await run.start();
  clock.advance(1000);
  await run.jump(100);
  assert.deepEqual(await firstColumn(run, 99, 3), ['99', '100', '101']);
  assert.equal(run.repeatedCount, undefined);
  await run.dispose();
});

test('pages that were let go are asked for again, each at its place', async () => {
  const run = browse('numbers', 5);
  await run.start();
  await scrollToEnd(run);
  assert.equal(run.rowCount, 250);
  assert.deepEqual(await firstColumn(run, 3, 4), ['3', '4', '5', '6']);
  assert.equal((await firstColumn(run, 0, 250)).join(), Array.from({ length: 250 }, (_, i) => i).join());
  await run.dispose();
});

test('a table without rows has its columns and is done', async () => {
  const run = browse('empty');
  await run.start();
  assert.deepEqual([run.state, run.rowCount, run.columns.map(({ name }) => name)], ['done', 0, ['a', 'b']]);
  await run.dispose();
});

test('a service that gives fewer rows than it is asked for is read to the end', async () => {
  const project = client.project(projectId);
  const few = {
    browse: async (table: string, { offset = 0 }: { offset?: number }) => project.browse(table, { limit: 40, offset }),
  };
  const run = new BrowseRun({
    ...{ project, downloads: testDownloads, table: { name: 'numbers', kind: 'table' }, pageSize: 100, ...testTime() },
    pagerAt: place => new Pager({ project: few, table: 'numbers', ...place }),
    columns: () => Promise.resolve([]),
  });
  await run.start();
  await scrollToEnd(run);
  assert.equal(run.rowCount, 250);
  assert.deepEqual(await firstColumn(run, 39, 3), ['39', '40', '41']);
  await run.dispose();
});

test('rows that are too wide to come a page at a time come fewer at a time', async () => {
  const proxy = await startRefusingProxy(baseUrl, () => undefined);
  // A page of a hundred is about a thousand bytes.
  await using narrow = new Client({ baseUrl: proxy.baseUrl, apiKey, maxRowBytes: 400 });
  const run = browse('numbers', 100, narrow);
  await run.start();
  await scrollToEnd(run);
  assert.equal((await firstColumn(run, 0, 250)).join(), Array.from({ length: 250 }, (_, i) => i).join());
  await run.dispose();
});

test('a row that is too large by itself is a fault that says so', async () => {
  await using narrow = new Client({ baseUrl, apiKey, maxRowBytes: 10 });
  const run = browse('numbers', 100, narrow);
  await run.start();
  assert.equal(asProjectError(run.error)?.code, 'answer_too_large');
  await run.dispose();
});

test('a place far beyond what came is jumped to, and only its pages are asked for', async () => {
  const proxy = await startRefusingProxy(baseUrl, () => undefined);
  await using other = new Client({ baseUrl: proxy.baseUrl, apiKey });
  const run = browse('numbers', 10, other);
  await run.start();
  assert.equal(await run.jump(201), 201);
  assert.deepEqual([run.state, run.rowCount], ['more', 210]);
  assert.deepEqual(await firstColumn(run, 201, 2), ['201', '202']);
  await run.dispose();
  const offsets = proxy.seen.flatMap(({ path }) => /offset=(\d+)/.exec(path)?.[1] ?? []);
  assert.ok(
    offsets.every(offset => [0, 190, 200, 210].includes(Number(offset))),
    offsets.join(),
  );
});

test('a jump beyond the end goes to the last row, and then the end is known', async () => {
  const run = browse('numbers');
  await run.start();
  assert.equal(await run.jump(1_000_000), 249);
  assert.deepEqual([run.state, run.rowCount], ['done', 250]);
  await run.dispose();
});

test('rows are counted when somebody wants to know, and then the whole table can be scrolled', async () => {
  const run = browse('numbers');
  await run.start();
  await run.countAll();
  assert.deepEqual([run.state, run.rowCount], ['done', 250]);
  assert.deepEqual(await firstColumn(run, 248, 10), ['248', '249']);
  await run.dispose();
});

test('an answer that counts nothing is no count', async () => {
  for (const rows of [[], [{}], [{ rows: null }], [{ rows: -4 }], [{ rows: 1.5 }]]) {
    const proxy = await startRefusingProxy(baseUrl, ({ path }) =>
      path.endsWith('/sql') ? response => void response.end(JSON.stringify({ ok: true, rows })) : undefined,
    );
    await using other = new Client({ baseUrl: proxy.baseUrl, apiKey, retries: 0 });
    const run = browse('numbers', 100, other);
    await run.start();
    await assert.rejects(run.countAll(), { code: 'unexpected_answer', message: /"rows"/ });
    assert.deepEqual([run.rowCount, run.hasEnd], [100, false]);
    await run.dispose();
  }
});

test('a table that shrank ends where it ends now', async () => {
  await client.execSql(projectId, { sql: 'CREATE TABLE shrinking AS SELECT n FROM numbers' });
  const run = browse('shrinking');
  await run.start();
  await run.countAll();
  await client.execSql(projectId, { sql: 'DELETE FROM shrinking WHERE n >= 130' });
  assert.deepEqual(await firstColumn(run, 220, 10), []);
  assert.equal(run.rowCount, 130);
  await run.dispose();
});

test('a table that grew has the rows that came behind the last one, also on the page that ended there', async () => {
  await client.execSql(projectId, { sql: 'CREATE TABLE grown AS SELECT n FROM numbers' });
  const run = browse('grown');
  await run.start();
  await run.jump(249);
  assert.deepEqual([run.state, run.rowCount], ['done', 250]);
  await client.execSql(projectId, { sql: 'INSERT INTO grown SELECT n + 250 FROM numbers WHERE n < 200' });
  await run.jump(440);
  assert.deepEqual([run.state, run.rowCount], ['done', 450]);
  assert.deepEqual(await firstColumn(run, 248, 4), ['248', '249', '250', '251']);
  await run.dispose();
});

test('a refresh keeps the place and shows what is there now', async () => {
  await client.execSql(projectId, { sql: 'CREATE TABLE living AS SELECT n FROM numbers' });
  const run = browse('living');
  await run.start();
  await firstColumn(run, 0, 100);
  await run.jump(120);
  assert.deepEqual(await firstColumn(run, 120, 1), ['120']);
  await client.execSql(projectId, { sql: 'UPDATE living SET n = -n' });
  const { orderVersion } = run.queries;
  await run.refresh();
  assert.notEqual(run.queries.orderVersion, orderVersion);
  assert.ok(run.rowCount >= 200);
  assert.deepEqual(await firstColumn(run, 120, 1), ['-120']);
  await run.dispose();
});

test('who waits for rows while they are asked for again gets those that came then', async () => {
  const project = client.project(projectId);
  let stalls = true;
  const slow = {
    browse: async (table: string, options: BrowseOptions) => {
      if (stalls && options.offset === 200) await aborted(options.signal);
      return project.browse(table, options);
    },
  };
  const run = new BrowseRun({
    ...{ project, downloads: testDownloads, table: { name: 'numbers', kind: 'table' }, pageSize: 100, ...testTime() },
    pagerAt: place => new Pager({ project: slow, table: 'numbers', ...place }),
    columns: () => Promise.resolve([]),
  });
  await run.start();
  await run.countAll();
  const waiting = firstColumn(run, 240, 2);
  stalls = false;
  await run.refresh();
  assert.deepEqual(await waiting, ['240', '241']);
  await run.dispose();
});

test('columns that are others than before are told of, and shown after a refresh', async () => {
  await client.execSql(projectId, { sql: 'CREATE TABLE growing AS SELECT n FROM numbers' });
  const run = browse('growing');
  await run.start();
  await client.execSql(projectId, { sql: 'ALTER TABLE growing ADD COLUMN more TEXT' });
  await assert.rejects(run.jump(150), { code: 'columns_changed' });
  await run.refresh();
  assert.deepEqual([run.state, run.columns.map(({ name }) => name)], ['more', ['n', 'more']]);
  await run.dispose();
});

test('who sorts a table that has other columns by now is told of them, and keeps the rows that are there', async () => {
  await client.execSql(projectId, {
    sql: 'CREATE TABLE narrowing AS SELECT n, n AS gone, -n AS negative FROM numbers',
  });
  const run = browse('narrowing');
  await run.start();
  await client.execSql(projectId, { sql: 'ALTER TABLE narrowing DROP COLUMN gone' });
  const byNegative = { sort: [{ column: 2, descending: false }], filters: [] };
  await assert.rejects(run.queries.arrange(byNegative), { code: 'columns_changed' });
  assert.deepEqual([run.columns.length, run.queries.arrangement.sort.length], [3, 0]);
  await run.refresh();
  await run.queries.arrange({ ...byNegative, sort: [{ column: 1, descending: false }] });
  assert.deepEqual(
    run.columns.map(({ name }) => name),
    ['n', 'negative'],
  );
  await run.dispose();
});

test('a refresh leaves out what the table was sorted and filtered by and has no more', async () => {
  await client.execSql(projectId, { sql: 'CREATE TABLE renamed AS SELECT n, n % 2 AS odd FROM numbers' });
  const run = browse('renamed');
  await run.start();
  const sort = [{ column: 0, descending: true }];
  await run.queries.arrange({ sort, filters: [{ kind: 'equals', column: 1, text: '1' }] });
  await client.execSql(projectId, { sql: 'ALTER TABLE renamed RENAME COLUMN odd TO rest' });
  await assert.rejects(run.queries.arrange(unsorted), { code: 'columns_changed', message: /Refresh/ });
  await run.refresh();
  assert.deepEqual([run.queries.arrangement, run.columns.at(-1)?.name], [{ sort, filters: [] }, 'rest']);
  assert.deepEqual(await firstColumn(run, 0, 2), ['249', '248']);
  await client.execSql(projectId, { sql: 'ALTER TABLE renamed RENAME COLUMN n TO number' });
  await run.refresh();
  assert.deepEqual([run.queries.arrangement, run.isByStatement], [unsorted, false]);
  assert.deepEqual(await firstColumn(run, 0, 2), ['0', '1']);
  await run.dispose();
});

/** A service that tells of columns by its rows alone. */
const unnamed = {
  browse: async (table: string, options: BrowseOptions) => {
    const { columns: _columns, ...page } = await client.project(projectId).browse(table, options);
    return page;
  },
};

function browseUnnamed(name: string, more: Partial<BrowseRequest> = {}): BrowseRun {
  return new BrowseRun({
    ...{ project: client.project(projectId), downloads: testDownloads, pageSize: 100, ...testTime() },
    ...{ table: { name, kind: 'table' }, columns: () => Promise.resolve([]) },
    pagerAt: place => new Pager({ project: unnamed, table: name, ...place }),
    ...more,
  });
}

test('a table that is opened behind its last row has its columns, also where only rows tell of them', async () => {
  const run = browseUnnamed('numbers', { start: 700 });
  await run.start();
  const shown = [run.state, run.rowCount, run.columns.map(({ name }) => name)];
  assert.deepEqual(shown, ['done', 250, ['n']]);
  assert.deepEqual(await firstColumn(run, 0, 2), ['0', '1']);
  await run.dispose();
});

test('a table without rows has its columns once a row has come', async () => {
  await client.execSql(projectId, { sql: 'CREATE TABLE filling(a INTEGER)' });
  const run = browseUnnamed('filling');
  await run.start();
  assert.deepEqual([run.state, run.columns], ['done', []]);
  await client.execSql(projectId, { sql: 'INSERT INTO filling VALUES (1)' });
  await run.countAll();
  assert.deepEqual(await firstColumn(run, 0, 1), ['1']);
  await run.dispose();
});

test('columns stay where they are when a statement gives them in another order than the pages', async () => {
  await client.execSql(projectId, { sql: 'CREATE TABLE swapped AS SELECT n, -n AS "2" FROM numbers' });
  // Keys that look like numbers come first in an object.
  const run = browseUnnamed('swapped');
  await run.start();
  await run.queries.arrange({ sort: [{ column: 0, descending: false }], filters: [] });
  assert.deepEqual(
    run.columns.map(({ name }) => name),
    ['2', 'n'],
  );
  assert.deepEqual(await firstColumn(run, 0, 2), ['-249', '-248']);
  await run.dispose();
});

test('a fault keeps the rows that are there, and the next look asks again', async () => {
  let refuses = false;
  const proxy = await startRefusingProxy(baseUrl, () =>
    refuses ? { status: 500, code: 'internal_error' } : undefined,
  );
  await using other = new Client({ baseUrl: proxy.baseUrl, apiKey, retries: 0 });
  const run = browse('numbers', 100, other);
  await run.start();
  refuses = true;
  await assert.rejects(run.jump(120), { code: 'internal_error' });
  assert.deepEqual([run.state, run.rowCount], ['failed', 100]);
  assert.deepEqual(await firstColumn(run, 0, 2), ['0', '1']);
  refuses = false;
  await run.jump(120);
  assert.deepEqual([run.state, run.rowCount], ['more', 200]);
  await run.dispose();
});

test('who scrolls past many pages has the service asked for the last of them, not for all', async () => {
  const proxy = await startRefusingProxy(baseUrl, () => undefined);
  await using other = new Client({ baseUrl: proxy.baseUrl, apiKey });
  const run = browse('numbers', 2, other);
  await run.start();
  await run.countAll();
  const looks = Array.from({ length: 100 }, async (_, i) => firstColumn(run, 2 * i + 40, 2));
  const outcomes = await Promise.allSettled(looks);
  assert.deepEqual(await looks.at(-1), ['238', '239']);
  assert.ok(outcomes.filter(({ status }) => status === 'rejected').length > 50);
  assert.ok(proxy.seen.filter(({ path }) => path.includes('/rows')).length < 50);
  await run.dispose();
});

test('a table that is not there fails with the reason', async () => {
  const run = browse('nothing');
  await run.start();
  assert.equal(run.state, 'failed');
  assert.equal((run.error as { code?: string }).code, 'table_not_found');
  await run.dispose();
});

test('a table that is dropped while it is browsed keeps its rows in view, and the reason is told', async () => {
  await client.execSql(projectId, { sql: 'CREATE TABLE fleeting AS SELECT n FROM numbers' });
  const run = browse('fleeting');
  await run.start();
  await client.execSql(projectId, { sql: 'DROP TABLE fleeting' });
  await assert.rejects(run.jump(150), { code: 'table_not_found' });
  assert.deepEqual([run.state, run.rowCount, await firstColumn(run, 98, 2)], ['failed', 100, ['98', '99']]);
  await run.dispose();
});

test('the first page can be given up, and asked for again', async () => {
  const run = browse('numbers');
  const running = run.start();
  run.controls.cancel();
  await running;
  assert.deepEqual([run.state, run.rowCount], ['cancelled', 0]);
  await run.refresh();
  assert.deepEqual([run.state, run.rowCount], ['more', 100]);
  await run.dispose();
});
