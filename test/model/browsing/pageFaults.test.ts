import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, Pager } from '../../../src/client/index.ts';
import { BrowseRun } from '../../../src/model/browsing/browseRun.ts';
import { browseTable, firstColumn, testDownloads, testTime, whenever } from '../../support/browsedTable.ts';
import { HandClock } from '../../support/handClock.ts';
import { type SeenRequest, startRefusingProxy } from '../../support/refusingProxy.ts';
import { type Answer, reply, stall } from '../../support/scriptedServer.ts';
import { startTestService } from '../../support/testService.ts';

const { client, projectId, baseUrl, apiKey } = await startTestService();
const values = Array.from({ length: 1000 }, (_, index) => `(${index})`).join();
await client.execSql(projectId, { sql: 'CREATE TABLE numbers(n INTEGER PRIMARY KEY)' });
await client.execSql(projectId, { sql: `INSERT INTO numbers VALUES ${values}` });

type Misbehaves = (request: SeenRequest) => Answer | undefined;

/** A table whose service answers some of its requests in its own ways. */
async function browseBehind(
  misbehaves: Misbehaves,
  { clock = new HandClock(), retries = 0 } = {},
): Promise<{ run: BrowseRun; clock: HandClock; [Symbol.asyncDispose](): Promise<void> }> {
  const proxy = await startRefusingProxy(baseUrl, misbehaves);
  const other = new Client({ baseUrl: proxy.baseUrl, apiKey, retries, clock });
  const project = other.project(projectId);
  const time = testTime(clock);
  const { onWait } = time.waits;
  const run = new BrowseRun({
    ...{ project, downloads: testDownloads, table: { name: 'numbers', kind: 'table' }, pageSize: 100, ...time },
    pagerAt: place =>
      new Pager({
        project: { browse: async (table, options) => project.browse(table, { ...options, onWait }) },
        ...{ table: 'numbers', ...place },
      }),
    columns: () => Promise.resolve([]),
  });
  const close = async (): Promise<void> => {
    await run.dispose();
    await other.close();
  };
  return { run, clock, [Symbol.asyncDispose]: close };
}

const isPage =
  (...offsets: readonly number[]) =>
  ({ path }: SeenRequest): boolean =>
    offsets.includes(Number(/offset=(\d+)/.exec(path)?.[1]));
const broken = reply({ message: 'It is broken.' }, 500);

test('that a page in view could not be had is told as long as it is missing, also when others come', async () => {
  const [missing, next] = [isPage(300), isPage(400)];
  const held = Promise.withResolvers<void>();
  let refuses = true;
  await using opened = await browseBehind(request => {
    if (refuses && missing(request)) return broken;
    return next(request) && refuses
      ? response => void held.promise.then(() => reply({ rows: [{ n: 400 }] })(response, request))
      : undefined;
  });
  const { run } = opened;
  await run.start();
  await run.countAll();
  await assert.rejects(run.rows(300, 50), { code: 'http_500' });
  held.resolve();
  await whenever(run, () => run.state === 'failed');
  await run.jump(400);
  assert.equal(run.state, 'failed', 'its rows are still missing');
  refuses = false;
  await run.retry();
  assert.equal(run.state, 'done');
  assert.deepEqual(await firstColumn(run, 300, 2), ['300', '301']);
});

test('nobody hears any more of pages that could not be had once he looks elsewhere', async () => {
  await using opened = await browseBehind(request => (isPage(500)(request) ? broken : undefined));
  const { run } = opened;
  await run.start();
  await run.countAll();
  await assert.rejects(run.rows(500, 50), { code: 'http_500' });
  assert.equal(run.state, 'failed');
  assert.deepEqual(await firstColumn(run, 0, 1), ['0']);
  assert.equal(run.state, 'done');
});

test('a page that takes long is told of, and can be given up and asked for again', async () => {
  let stalls = true;
  await using opened = await browseBehind(request => (stalls && isPage(500)(request) ? stall : undefined));
  const { run, clock } = opened;
  await run.start();
  await run.countAll();
  const rows = run.rows(500, 50);
  assert.equal(run.state, 'done', 'at first it is nothing worth a word');
  clock.advance(1000);
  assert.equal(run.state, 'running');
  run.controls.cancel();
  await assert.rejects(rows, { name: 'AbortError' });
  assert.equal(run.state, 'cancelled');
  stalls = false;
  await run.retry();
  assert.equal(run.state, 'done');
  assert.deepEqual(await firstColumn(run, 500, 1), ['500']);
});

test('a refresh that takes long can be given up, and the rows stay', async () => {
  let stalls = false;
  await using opened = await browseBehind(request => (stalls && isPage(0)(request) ? stall : undefined));
  const { run, clock } = opened;
  await run.start();
  stalls = true;
  const refreshed = run.refresh();
  clock.advance(1000);
  assert.equal(run.state, 'running');
  run.controls.cancel();
  await assert.rejects(refreshed, { name: 'AbortError' });
  assert.equal(run.state, 'more');
  assert.deepEqual(await firstColumn(run, 0, 1), ['0']);
});

test('that rows are put in another order is shown by who asks for it, and told of nowhere else', async () => {
  let stalls = false;
  await using opened = await browseBehind(({ path }) => (stalls && path.endsWith('/sql') ? stall : undefined));
  const { run, clock } = opened;
  await run.start();
  stalls = true;
  const given = new AbortController();
  const arranged = run.queries.arrange(
    { sort: [{ column: 0, descending: true }], filters: [] },
    { signal: given.signal },
  );
  clock.advance(5000);
  assert.equal(run.state, 'more');
  given.abort();
  await assert.rejects(arranged, { name: 'AbortError' });
  assert.deepEqual(await firstColumn(run, 0, 1), ['0']);
});

test('a wait that the service asks for is counted down, over when the page comes, and can be ended', async () => {
  const busy = reply({ message: 'Too many.' }, 429, { 'retry-after': '20' });
  let isBusy = true;
  await using opened = await browseBehind(request => (isBusy && isPage(500)(request) ? busy : undefined), {
    retries: 3,
  });
  const { run, clock } = opened;
  await run.start();
  await run.countAll();
  const rows = run.rows(500, 50);
  const waits = (): boolean => run.controls.wait?.remainingMs !== undefined;
  await whenever(run, waits);
  assert.deepEqual([run.state, run.controls.wait?.remainingMs], ['running', 20_000]);
  clock.advance(5000);
  assert.equal(run.controls.wait?.remainingMs, 15_000);
  clock.advance(15_000);
  await whenever(run, () => !waits());
  await whenever(run, waits);
  run.controls.wait?.cancel();
  await assert.rejects(rows, { code: 'rate_limited' });
  assert.deepEqual([run.state, run.controls.wait?.remainingMs], ['failed', undefined]);
  isBusy = false;
  await run.retry();
  assert.equal(run.state, 'done');
});

test('a service without an endpoint for rows is asked by a statement, in an order that stays', async () => {
  const proxy = await startRefusingProxy(baseUrl, ({ path }) =>
    path.includes('/tables') ? { status: 404, code: 'not_found' } : undefined,
  );
  await using other = new Client({ baseUrl: proxy.baseUrl, apiKey, retries: 0 });
  const run = browseTable({ client: other, projectId, name: 'numbers' });
  await run.start();
  assert.deepEqual([run.state, run.rowCount, run.isByStatement], ['more', 100, true]);
  assert.equal(run.statement.sql, 'SELECT * FROM numbers\nORDER BY n');
  await run.queries.arrange({ sort: [{ column: 0, descending: true }], filters: [] });
  assert.deepEqual(await firstColumn(run, 0, 2), ['999', '998']);
  await run.queries.arrange({ sort: [], filters: [] });
  await run.refresh();
  assert.deepEqual(await firstColumn(run, 0, 2), ['0', '1']);
  await run.dispose();
});

test('at an address where nothing is, that is what is said', async () => {
  const proxy = await startRefusingProxy(baseUrl, () => ({ status: 404, code: 'not_found' }));
  await using other = new Client({ baseUrl: proxy.baseUrl, apiKey, retries: 0 });
  const run = browseTable({ client: other, projectId, name: 'numbers' });
  await run.start();
  assert.deepEqual([run.state, (run.error as { code?: string }).code], ['failed', 'not_found']);
  await run.dispose();
});
