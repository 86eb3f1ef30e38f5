import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '../../../src/client/index.ts';
import type { BrowseRun } from '../../../src/model/browsing/browseRun.ts';
import { browseTable, firstColumn, startTable, whenever } from '../../support/browsedTable.ts';
import { ServiceWaits } from '../../../src/model/serviceWaits.ts';
import { HandClock } from '../../support/handClock.ts';
import { type SeenRequest, startRefusingProxy } from '../../support/refusingProxy.ts';
import { type Answer, reply, stall } from '../../support/scriptedServer.ts';
import { startTestService } from '../../support/testService.ts';

const { client, projectId, baseUrl, apiKey } = await startTestService();
const values = Array.from({ length: 1000 }, (_, index) => `(${index})`).join();
await client.execSql(projectId, { sql: 'CREATE TABLE numbers(n INTEGER PRIMARY KEY)' });
await client.execSql(projectId, { sql: `INSERT INTO numbers VALUES ${values}` });

type Intercept = (request: SeenRequest) => Answer | undefined;

/** A table whose service is behind a proxy that may answer in its place. */
async function browseBehind(
  intercept: Intercept,
  { clock = new HandClock(), retries = 0 } = {},
): Promise<{ run: BrowseRun; clock: HandClock; [Symbol.asyncDispose](): Promise<void> }> {
  const proxy = await startRefusingProxy(baseUrl, intercept);
  const other = new Client({ baseUrl: proxy.baseUrl, apiKey, retries, clock });
  const project = other.project(projectId);
  const waits = new ServiceWaits(clock);
  const { onWait } = waits;
  const run = browseTable({
    client: other,
    projectId,
    name: 'numbers',
    clock,
    waits,
    pages: { browse: (table, options) => project.browse(table, { ...options, onWait }) },
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

test('a run is failed as long as a page in view is missing, even if others arrive', async () => {
  const isMissingPage = isPage(300);
  const isNextPage = isPage(400);
  const nextPage = Promise.withResolvers<void>();
  let isRefusing = true;
  await using opened = await browseBehind(request => {
    if (isRefusing && isMissingPage(request)) return broken;
    return isNextPage(request) && isRefusing
      ? response => void nextPage.promise.then(() => reply({ rows: [{ n: 400 }] })(response, request))
      : undefined;
  });
  const { run } = opened;
  await run.start();
  await run.countAll();
  await assert.rejects(run.rows(300, 50), { code: 'http_500' });
  nextPage.resolve();
  await whenever(run, () => run.state === 'failed');
  await run.jump(400);
  assert.equal(run.state, 'failed', 'its rows are still missing');
  isRefusing = false;
  await run.retry();
  assert.equal(run.state, 'done');
  assert.deepEqual(await firstColumn(run, 300, 2), ['300', '301']);
});

test('faults of pages far from the viewport are forgotten', async () => {
  await using opened = await browseBehind(request => (isPage(500)(request) ? broken : undefined));
  const { run } = opened;
  await run.start();
  await run.countAll();
  await assert.rejects(run.rows(500, 50), { code: 'http_500' });
  assert.equal(run.state, 'failed');
  assert.deepEqual(await firstColumn(run, 0, 1), ['0']);
  assert.equal(run.state, 'done');
});

test('a slow page counts as running after a second, and can be cancelled and fetched again', async () => {
  let isStalled = true;
  await using opened = await browseBehind(request => (isStalled && isPage(500)(request) ? stall : undefined));
  const { run, clock } = opened;
  await run.start();
  await run.countAll();
  const rows = run.rows(500, 50);
  assert.equal(run.state, 'done', 'a short wait is not reported');
  clock.advance(1000);
  assert.equal(run.state, 'running');
  run.controls.cancel();
  await assert.rejects(rows, { name: 'AbortError' });
  assert.equal(run.state, 'cancelled');
  isStalled = false;
  await run.retry();
  assert.equal(run.state, 'done');
  assert.deepEqual(await firstColumn(run, 500, 1), ['500']);
});

test('a slow refresh can be cancelled, and the rows stay', async () => {
  let isStalled = false;
  await using opened = await browseBehind(request => (isStalled && isPage(0)(request) ? stall : undefined));
  const { run, clock } = opened;
  await run.start();
  isStalled = true;
  const refreshed = run.refresh();
  clock.advance(1000);
  assert.equal(run.state, 'running');
  run.controls.cancel();
  await assert.rejects(refreshed, { name: 'AbortError' });
  assert.equal(run.state, 'more');
  assert.deepEqual(await firstColumn(run, 0, 1), ['0']);
});

test('slow arranging does not count as running: the caller shows it', async () => {
  let isStalled = false;
  await using opened = await browseBehind(({ path }) => (isStalled && path.endsWith('/sql') ? stall : undefined));
  const { run, clock } = opened;
  await run.start();
  isStalled = true;
  const cancelling = new AbortController();
  const arranged = run.queries.arrange(
    { sort: [{ column: 0, descending: true }], filters: [] },
    { signal: cancelling.signal },
  );
  clock.advance(5000);
  assert.equal(run.state, 'more');
  cancelling.abort();
  await assert.rejects(arranged, { name: 'AbortError' });
  assert.deepEqual(await firstColumn(run, 0, 1), ['0']);
});

test('a Retry-After wait counts down, ends when the page arrives, and can be cancelled', async () => {
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

test('without a browse endpoint a statement gives the rows in a defined order', async () => {
  const proxy = await startRefusingProxy(baseUrl, ({ path }) =>
    path.includes('/tables') ? { status: 404, code: 'not_found' } : undefined,
  );
  await using other = new Client({ baseUrl: proxy.baseUrl, apiKey, retries: 0 });
  await using run = await startTable({ client: other, projectId, name: 'numbers' });
  assert.deepEqual([run.state, run.rowCount, run.isByStatement], ['more', 100, true]);
  assert.equal(run.statement.sql, 'SELECT * FROM numbers\nORDER BY n');
  await run.queries.arrange({ sort: [{ column: 0, descending: true }], filters: [] });
  assert.deepEqual(await firstColumn(run, 0, 2), ['999', '998']);
  await run.queries.arrange({ sort: [], filters: [] });
  await run.refresh();
  assert.deepEqual(await firstColumn(run, 0, 2), ['0', '1']);
});

test('without any endpoint the fault of the first call is shown', async () => {
  const proxy = await startRefusingProxy(baseUrl, () => ({ status: 404, code: 'not_found' }));
  await using other = new Client({ baseUrl: proxy.baseUrl, apiKey, retries: 0 });
  await using run = await startTable({ client: other, projectId, name: 'numbers' });
  assert.deepEqual([run.state, (run.error as { code?: string }).code], ['failed', 'not_found']);
});

test('a fault keeps the loaded rows, and the next read fetches again', async () => {
  let isRefusing = false;
  const proxy = await startRefusingProxy(baseUrl, () =>
    isRefusing ? { status: 500, code: 'internal_error' } : undefined,
  );
  await using other = new Client({ baseUrl: proxy.baseUrl, apiKey, retries: 0 });
  await using run = await startTable({ client: other, projectId, name: 'numbers', pageSize: 100 });
  isRefusing = true;
  await assert.rejects(run.jump(120), { code: 'internal_error' });
  assert.deepEqual([run.state, run.rowCount], ['failed', 100]);
  assert.deepEqual(await firstColumn(run, 0, 2), ['0', '1']);
  isRefusing = false;
  await run.jump(120);
  assert.deepEqual([run.state, run.rowCount], ['more', 200]);
});

test('a missing table fails with table_not_found', async () => {
  await using run = await startTable({ client, projectId, name: 'nothing' });
  assert.equal(run.state, 'failed');
  assert.equal((run.error as { code?: string }).code, 'table_not_found');
});

test('a dropped table fails with table_not_found and keeps its loaded rows', async () => {
  await client.execSql(projectId, { sql: 'CREATE TABLE fleeting AS SELECT n FROM numbers' });
  await using run = await startTable({ client, projectId, name: 'fleeting', pageSize: 100 });
  await client.execSql(projectId, { sql: 'DROP TABLE fleeting' });
  await assert.rejects(run.jump(150), { code: 'table_not_found' });
  assert.deepEqual([run.state, run.rowCount, await firstColumn(run, 98, 2)], ['failed', 100, ['98', '99']]);
});
