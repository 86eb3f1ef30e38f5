import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BrowseOptions, Client, type PagerOptions } from '../../../src/client/index.ts';
import { asProjectError } from '../../../src/base/errors.ts';
import type { BrowseRun } from '../../../src/model/browsing/browseRun.ts';
import { unsorted } from '../../../src/protocol/rowQueries.ts';
import {
  type BrowsedTableOptions,
  browseTable,
  type DisposableRun,
  firstColumn,
  startTable,
  whenever,
} from '../../support/browsedTable.ts';
import { startRefusingProxy } from '../../support/refusingProxy.ts';
import { startTestService } from '../../support/testService.ts';
import { withoutEdits } from '../../support/withoutEdits.ts';

const { client, projectId, baseUrl, apiKey } = await startTestService();
const values = Array.from({ length: 250 }, (_, index) => `(${index})`).join();
await client.execSql(projectId, { sql: 'CREATE TABLE numbers(n INTEGER PRIMARY KEY)' });
await client.execSql(projectId, { sql: `INSERT INTO numbers VALUES ${values}` });
await client.execSql(projectId, { sql: 'CREATE TABLE empty(a INTEGER, b TEXT)' });

const start = (name: string, pageSize = 100, tableClient = client): Promise<DisposableRun> =>
  startTable({ client: tableClient, projectId, name, pageSize });

const aborted = (signal?: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });

/** Reads the last known row until the end is known. */
async function scrollToEnd(run: BrowseRun): Promise<void> {
  while (run.state === 'more') {
    const { rowCount } = run;
    await run.rows(rowCount - 1, 1);
    await whenever(run, () => run.rowCount > rowCount || run.state !== 'more');
  }
}

test('start fetches the first page and no other', async () => {
  await using run = await start('numbers');
  assert.deepEqual([run.state, run.rowCount, run.columns.map(({ name }) => name)], ['more', 100, ['n']]);
  assert.deepEqual(await firstColumn(run, 0, 3), ['0', '1', '2']);
});

test('pages arrive as the user scrolls, to the end of the table', async () => {
  await using run = await start('numbers');
  await scrollToEnd(run);
  assert.deepEqual([run.state, run.rowCount], ['done', 250]);
  assert.deepEqual(await firstColumn(run, 98, 4), ['98', '99', '100', '101']);
  assert.deepEqual(await firstColumn(run, 249, 10), ['249']);
});

test('no page waits for the primary key', async () => {
  const unknown = Promise.withResolvers<never>();
  await using run = await startUnnamed('numbers', { columns: () => unknown.promise });
  await run.jump(100);
  assert.deepEqual(await firstColumn(run, 99, 3), ['99', '100', '101']);
});

test('pages that the cache dropped are fetched again', async () => {
  await using run = await start('numbers', 5);
  await scrollToEnd(run);
  assert.equal(run.rowCount, 250);
  assert.deepEqual(await firstColumn(run, 3, 4), ['3', '4', '5', '6']);
  assert.equal((await firstColumn(run, 0, 250)).join(), Array.from({ length: 250 }, (_, i) => i).join());
});

test('an empty table has its columns and is done', async () => {
  await using run = await start('empty');
  assert.deepEqual([run.state, run.rowCount, run.columns.map(({ name }) => name)], ['done', 0, ['a', 'b']]);
});

test('a service that gives fewer rows than the limit is read to the end', async () => {
  const project = client.project(projectId);
  const pages: PagerOptions['project'] = {
    browse: (table, { offset }) => project.browse(table, { limit: 40, offset }),
  };
  await using run = await startTable({ client, projectId, name: 'numbers', pages });
  await scrollToEnd(run);
  assert.equal(run.rowCount, 250);
  assert.deepEqual(await firstColumn(run, 39, 3), ['39', '40', '41']);
});

test('new rows of an earlier window are shown when the columns are known', async () => {
  const overlay = { ...withoutEdits, newRows: [{ n: 1000 }] };
  await using run = browseTable({ client, projectId, name: 'numbers', overlay });
  assert.deepEqual([run.columns.length, run.rowCount], [0, 0]);
  await run.start();
  assert.deepEqual([run.columns.length, run.rowCount], [1, 101]);
  assert.deepEqual(await firstColumn(run, 0, 2), ['1000', '0']);
});

test('rows with large arrays are shown in turns with other work', async () => {
  const large = Array.from({ length: 50_000 }, (_, n) => n);
  const rows = Array.from({ length: 40 }, (_, n) => ({ n, large }));
  const pages: PagerOptions['project'] = {
    browse: (table, { limit, offset }) => Promise.resolve({ table, limit, offset, rows: rows.slice(offset) }),
  };
  await using run = await startTable({ client, projectId, name: 'numbers', pages, columns: () => Promise.resolve([]) });
  let turns = 0;
  const countTurns = (): void => void (next = setImmediate(() => (turns++, countTurns())));
  let next: NodeJS.Immediate | undefined;
  countTurns();
  const shown = await run.rows(0, 40);
  clearImmediate(next);
  assert.equal(shown[39]?.[1]?.length, JSON.stringify(large).length);
  assert.ok(turns > 5, `${turns} turns`);
});

test('wide rows are fetched fewer at a time', async () => {
  const proxy = await startRefusingProxy(baseUrl, () => undefined);
  // A page of 100 rows has about 1,000 bytes.
  await using narrow = new Client({ baseUrl: proxy.baseUrl, apiKey, maxRowBytes: 400 });
  await using run = await start('numbers', 100, narrow);
  await scrollToEnd(run);
  assert.equal((await firstColumn(run, 0, 250)).join(), Array.from({ length: 250 }, (_, i) => i).join());
});

test('a single row that is too large fails with answer_too_large', async () => {
  await using narrow = new Client({ baseUrl, apiKey, maxRowBytes: 10 });
  await using run = await start('numbers', 100, narrow);
  assert.equal(asProjectError(run.error)?.code, 'answer_too_large');
});

test('a jump far ahead fetches only the pages around its row', async () => {
  const proxy = await startRefusingProxy(baseUrl, () => undefined);
  await using other = new Client({ baseUrl: proxy.baseUrl, apiKey });
  const run = await start('numbers', 10, other);
  assert.equal(await run.jump(201), 201);
  assert.deepEqual([run.state, run.rowCount], ['more', 210]);
  assert.deepEqual(await firstColumn(run, 201, 2), ['201', '202']);
  await run.dispose();
  const offsets = proxy.seenRequests.flatMap(({ path }) => /offset=(\d+)/.exec(path)?.[1] ?? []);
  assert.ok(
    offsets.every(offset => [0, 190, 200, 210].includes(Number(offset))),
    offsets.join(),
  );
});

test('a jump past the end gives the last row and makes the end known', async () => {
  await using run = await start('numbers');
  assert.equal(await run.jump(1_000_000), 249);
  assert.deepEqual([run.state, run.rowCount], ['done', 250]);
});

test('counting the rows makes the end known', async () => {
  await using run = await start('numbers');
  await run.countAll();
  assert.deepEqual([run.state, run.rowCount], ['done', 250]);
  assert.deepEqual(await firstColumn(run, 248, 10), ['248', '249']);
});

test('an invalid count is an unexpected answer and leaves the end unknown', async () => {
  for (const rows of [[], [{}], [{ rows: null }], [{ rows: -4 }], [{ rows: 1.5 }]]) {
    const proxy = await startRefusingProxy(baseUrl, ({ path }) =>
      path.endsWith('/sql') ? response => void response.end(JSON.stringify({ ok: true, rows })) : undefined,
    );
    await using other = new Client({ baseUrl: proxy.baseUrl, apiKey, retries: 0 });
    await using run = await start('numbers', 100, other);
    await assert.rejects(run.countAll(), { code: 'unexpected_answer', message: /"rows"/ });
    assert.deepEqual([run.rowCount, run.hasEnd], [100, false]);
  }
});

test('a table that shrank has its new end', async () => {
  await client.execSql(projectId, { sql: 'CREATE TABLE shrinking AS SELECT n FROM numbers' });
  await using run = await start('shrinking');
  await run.countAll();
  await client.execSql(projectId, { sql: 'DELETE FROM shrinking WHERE n >= 130' });
  assert.deepEqual(await firstColumn(run, 220, 10), []);
  assert.equal(run.rowCount, 130);
});

test('rows past the known end extend the table and its last page', async () => {
  await client.execSql(projectId, { sql: 'CREATE TABLE grown AS SELECT n FROM numbers' });
  await using run = await start('grown');
  await run.jump(249);
  assert.deepEqual([run.state, run.rowCount], ['done', 250]);
  await client.execSql(projectId, { sql: 'INSERT INTO grown SELECT n + 250 FROM numbers WHERE n < 200' });
  await run.jump(440);
  assert.deepEqual([run.state, run.rowCount], ['done', 450]);
  assert.deepEqual(await firstColumn(run, 248, 4), ['248', '249', '250', '251']);
});

test('a refresh fetches the current rows around the last read row', async () => {
  await client.execSql(projectId, { sql: 'CREATE TABLE living AS SELECT n FROM numbers' });
  await using run = await start('living');
  await firstColumn(run, 0, 100);
  await run.jump(120);
  assert.deepEqual(await firstColumn(run, 120, 1), ['120']);
  await client.execSql(projectId, { sql: 'UPDATE living SET n = -n' });
  const { orderVersion } = run.queries;
  await run.refresh();
  assert.notEqual(run.queries.orderVersion, orderVersion);
  assert.ok(run.rowCount >= 200);
  assert.deepEqual(await firstColumn(run, 120, 1), ['-120']);
});

test('a read that a refresh overtakes gives the rows of the refresh', async () => {
  const project = client.project(projectId);
  let isStalled = true;
  const pages = {
    browse: async (table: string, options: BrowseOptions) => {
      if (isStalled && options.offset === 200) await aborted(options.signal);
      return project.browse(table, options);
    },
  };
  await using run = await startTable({ client, projectId, name: 'numbers', pages });
  await run.countAll();
  const reading = firstColumn(run, 240, 2);
  isStalled = false;
  await run.refresh();
  assert.deepEqual(await reading, ['240', '241']);
});

test('changed columns fail with columns_changed until a refresh', async () => {
  await client.execSql(projectId, { sql: 'CREATE TABLE growing AS SELECT n FROM numbers' });
  await using run = await start('growing');
  await client.execSql(projectId, { sql: 'ALTER TABLE growing ADD COLUMN more TEXT' });
  await assert.rejects(run.jump(150), { code: 'columns_changed' });
  await run.refresh();
  assert.deepEqual([run.state, run.columns.map(({ name }) => name)], ['more', ['n', 'more']]);
});

test('sorting a table with changed columns fails and keeps the rows', async () => {
  await client.execSql(projectId, {
    sql: 'CREATE TABLE narrowing AS SELECT n, n AS gone, -n AS negative FROM numbers',
  });
  await using run = await start('narrowing');
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
});

test('a refresh drops sort keys and filters of columns that are gone', async () => {
  await client.execSql(projectId, { sql: 'CREATE TABLE renamed AS SELECT n, n % 2 AS odd FROM numbers' });
  await using run = await start('renamed');
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
});

/** Pages whose columns are known by their rows alone. */
const unnamedPages = {
  browse: async (table: string, options: BrowseOptions) => {
    const { columns: _columns, ...page } = await client.project(projectId).browse(table, options);
    return page;
  },
};

function startUnnamed(name: string, options: Partial<BrowsedTableOptions> = {}): Promise<DisposableRun> {
  return startTable({
    client,
    projectId,
    pages: unnamedPages,
    columns: () => Promise.resolve([]),
    ...options,
    name,
  });
}

test('a table that is opened past its last row has its columns, even if only rows name them', async () => {
  await using run = await startUnnamed('numbers', { start: 700 });
  const shown = [run.state, run.rowCount, run.columns.map(({ name }) => name)];
  assert.deepEqual(shown, ['done', 250, ['n']]);
  assert.deepEqual(await firstColumn(run, 0, 2), ['0', '1']);
});

test('an empty table has its columns when its first row arrives', async () => {
  await client.execSql(projectId, { sql: 'CREATE TABLE filling(a INTEGER)' });
  await using run = await startUnnamed('filling');
  assert.deepEqual([run.state, run.columns], ['done', []]);
  await client.execSql(projectId, { sql: 'INSERT INTO filling VALUES (1)' });
  await run.countAll();
  assert.deepEqual(await firstColumn(run, 0, 1), ['1']);
});

test('columns keep their order when a statement gives them in another order than the pages', async () => {
  await client.execSql(projectId, { sql: 'CREATE TABLE swapped AS SELECT n, -n AS "2" FROM numbers' });
  // Objects have keys that look like numbers first.
  await using run = await startUnnamed('swapped');
  await run.queries.arrange({ sort: [{ column: 0, descending: false }], filters: [] });
  assert.deepEqual(
    run.columns.map(({ name }) => name),
    ['2', 'n'],
  );
  assert.deepEqual(await firstColumn(run, 0, 2), ['-249', '-248']);
});

test('scrolling past many pages fetches the last of them, not all', async () => {
  const proxy = await startRefusingProxy(baseUrl, () => undefined);
  await using other = new Client({ baseUrl: proxy.baseUrl, apiKey });
  await using run = await start('numbers', 2, other);
  await run.countAll();
  const reads = Array.from({ length: 100 }, async (_, i) => firstColumn(run, 2 * i + 40, 2));
  const outcomes = await Promise.allSettled(reads);
  assert.deepEqual(await reads.at(-1), ['238', '239']);
  assert.ok(outcomes.filter(({ status }) => status === 'rejected').length > 50);
  assert.ok(proxy.seenRequests.filter(({ path }) => path.includes('/rows')).length < 50);
});

test('the first page can be cancelled and fetched again', async () => {
  await using run = browseTable({ client, projectId, name: 'numbers' });
  const running = run.start();
  run.controls.cancel();
  await running;
  assert.deepEqual([run.state, run.rowCount], ['cancelled', 0]);
  await run.refresh();
  assert.deepEqual([run.state, run.rowCount], ['more', 100]);
});
