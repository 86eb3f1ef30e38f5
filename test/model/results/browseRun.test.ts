import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Client, Pager } from '../../../src/client/index.ts';
import { BrowseRun } from '../../../src/model/results/browseRun.ts';
import { startRefusingProxy } from '../../support/refusingProxy.ts';
import { startTestService } from '../../support/testService.ts';

const { client, projectId, baseUrl, apiKey } = await startTestService();
const values = Array.from({ length: 250 }, (_, index) => `(${index})`).join();
await client.execSql(projectId, { sql: 'CREATE TABLE numbers(n INTEGER PRIMARY KEY)' });
await client.execSql(projectId, { sql: `INSERT INTO numbers VALUES ${values}` });
await client.execSql(projectId, { sql: 'CREATE TABLE empty(a INTEGER, b TEXT)' });

function browse(table: string, limit: number, of = client): BrowseRun {
  const project = of.project(projectId);
  return new BrowseRun({ project, pager: new Pager({ project, table, limit }), now: () => performance.now() });
}

async function numbersOf(run: BrowseRun, start: number, count: number): Promise<string[]> {
  return (await run.rows(start, count)).map(([cell]) => (cell?.kind === 'integer' ? cell.text : '?'));
}

/** Looks at the last rows that are there until no more come. */
async function scrollToEnd(run: BrowseRun): Promise<void> {
  while (run.phase === 'more') {
    const heard = new EventTarget();
    const changed = once(heard, 'change');
    using _listener = toDisposable(run.onChange(() => heard.dispatchEvent(new Event('change'))));
    await run.rows(run.rowCount - 1, 1);
    await changed;
  }
}

const toDisposable = (listener: { dispose(): void }): Disposable => ({ [Symbol.dispose]: () => listener.dispose() });

test('the first page is there at once, and no more is asked for before somebody looks', async () => {
  const run = browse('numbers', 100);
  await run.run();
  assert.deepEqual([run.phase, run.rowCount, run.columns.map(({ name }) => name)], ['more', 100, ['n']]);
  assert.deepEqual(await numbersOf(run, 0, 3), ['0', '1', '2']);
  await run.dispose();
});

test('pages follow while somebody scrolls, to the true end and not beyond', async () => {
  const run = browse('numbers', 100);
  await run.run();
  await scrollToEnd(run);
  assert.deepEqual([run.phase, run.rowCount], ['done', 250]);
  assert.deepEqual(await numbersOf(run, 98, 4), ['98', '99', '100', '101']);
  assert.deepEqual(await numbersOf(run, 249, 10), ['249']);
  await run.dispose();
});

test('pages that were let go are asked for again, each at its place', async () => {
  const run = browse('numbers', 5);
  await run.run();
  await scrollToEnd(run);
  assert.equal(run.rowCount, 250);
  assert.deepEqual(await numbersOf(run, 3, 4), ['3', '4', '5', '6']);
  await run.dispose();
});

test('a table without rows has its columns and is done', async () => {
  const run = browse('empty', 100);
  await run.run();
  assert.deepEqual([run.phase, run.rowCount, run.columns.map(({ name }) => name)], ['done', 0, ['a', 'b']]);
  await run.dispose();
});

test('a service that gives fewer rows than it is asked for is read to the end', async () => {
  const few = {
    browse: async (table: string, { offset = 0 }: { offset?: number }) =>
      client.browseRows(projectId, table, { limit: 40, offset }),
  };
  const run = new BrowseRun({
    project: few,
    pager: new Pager({ project: few, table: 'numbers', limit: 100 }),
    now: () => 0,
  });
  await run.run();
  await scrollToEnd(run);
  assert.equal(run.rowCount, 250);
  assert.deepEqual(await numbersOf(run, 39, 3), ['39', '40', '41']);
  await run.dispose();
});

test('a fault keeps the rows that are there, and the next look asks again', async () => {
  let refuses = false;
  const proxy = await startRefusingProxy(baseUrl, () =>
    refuses ? { status: 500, code: 'internal_error' } : undefined,
  );
  await using other = new Client({ baseUrl: proxy.baseUrl, apiKey, retries: 0 });
  const run = browse('numbers', 100, other);
  await run.run();
  refuses = true;
  await scrollToEnd(run);
  assert.deepEqual([run.phase, run.rowCount], ['failed', 100]);
  assert.deepEqual(await numbersOf(run, 0, 2), ['0', '1']);
  refuses = false;
  await run.run();
  assert.deepEqual([run.phase, run.rowCount], ['more', 200]);
  await run.dispose();
});

test('a table that is not there fails with the reason', async () => {
  const run = browse('nothing', 100);
  await run.run();
  assert.equal(run.phase, 'failed');
  assert.equal((run.error as { code?: string }).code, 'table_not_found');
  await run.dispose();
});
