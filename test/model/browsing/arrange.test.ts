import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '../../../src/client/index.ts';
import type { BrowseRun } from '../../../src/model/browsing/browseRun.ts';
import { type Arrangement, unsorted, type ColumnFilter, type SortKey } from '../../../src/protocol/rowQueries.ts';
import {
  type BrowsedTableOptions,
  browseTable,
  type DisposableRun,
  firstColumn,
  startTable,
} from '../../support/browsedTable.ts';
import { textOf } from '../../../src/protocol/shownValues.ts';
import { startRefusingProxy } from '../../support/refusingProxy.ts';
import { startTestService } from '../../support/testService.ts';

const { client, projectId, baseUrl, apiKey } = await startTestService();
const setup = [
  'CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT, city TEXT, "the age" INTEGER, score REAL, picture BLOB)',
  `INSERT INTO people VALUES
    (1, 'Ann', 'Oslo', 30, 1.5, x'00ff10'),
    (2, 'bob', 'Rome', 7, 2.0, NULL),
    (3, 'Cid', 'Oslo', NULL, -1.0, x'00ff11'),
    (4, 'o''Ann; DROP TABLE people', 'Bern', 9007199254740993, 10.25, NULL),
    (5, '', NULL, 30, NULL, NULL),
    (6, 'Ann', 'Rome', 8, 100.0, NULL)`,
  'CREATE VIEW townsfolk AS SELECT city, name FROM people',
  `CREATE VIEW births AS SELECT date((1990 + 10 * id) || '-05-05') AS born FROM people`,
  'CREATE TABLE odd(n)',
  `INSERT INTO odd VALUES (NULL), (1e400), (-1e400), (1), (10), ('2'), ('10 or so')`,
  'CREATE TABLE mixed(n, day DATE, code BINARY(3))',
  `INSERT INTO mixed(n, day) VALUES ('none', '2019-12-31'), (5, '2020-05-05'), (12.5, '2021-01-01'), (x'00ff10', 2020)`,
  `UPDATE mixed SET code = x'00ff10' WHERE n = 5`,
  'CREATE VIEW doubled AS SELECT n * 2 AS twice FROM mixed WHERE n > 1',
  'CREATE TABLE pairs(rowid TEXT, b INTEGER)',
  `INSERT INTO pairs VALUES ('x', 2), ('y', 1), ('x', 1)`,
  'CREATE TABLE many(n INTEGER PRIMARY KEY, third INTEGER)',
  'INSERT INTO many WITH RECURSIVE i(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM i LIMIT 1000) SELECT i, i % 3 FROM i',
];
for (const sql of setup) await client.execSql(projectId, { sql });

type TableOptions = Omit<BrowsedTableOptions, 'client' | 'projectId'>;

async function arranged(options: TableOptions, arrangement: Partial<Arrangement>): Promise<DisposableRun> {
  const run = await startTable({ client, projectId, ...options });
  await run.queries.arrange({ ...unsorted, ...arrangement });
  return run;
}

const idsOf = (run: BrowseRun): Promise<string[]> => firstColumn(run, 0, 100);

/** Checks which ids of the table `people` pass the filters. */
async function checkFilters(filters: readonly ColumnFilter[], expected: string): Promise<void> {
  await using run = await arranged({ name: 'people' }, { filters });
  assert.equal((await idsOf(run)).join(' '), expected);
}

test('the service sorts, and the primary key decides between equal rows', async () => {
  const sort: SortKey[] = [
    { column: 1, descending: false },
    { column: 3, descending: true },
  ];
  await using run = await arranged({ name: 'people' }, { sort });
  assert.deepEqual(await idsOf(run), ['5', '1', '6', '3', '2', '4']);
  assert.equal(run.statement.sql, 'SELECT * FROM people\nORDER BY name, "the age" DESC, id');
});

const byName: Arrangement = { ...unsorted, sort: [{ column: 1, descending: false }] };

test('a run that starts arranged shows no row before it is arranged', async () => {
  await using run = browseTable({ client, projectId, name: 'people' });
  const seen: string[] = [];
  run.onChange(() => seen.push(`${run.state}, ${run.rowCount} rows of ${run.columns.length} columns`));
  await run.startArranged(() => byName, 0);
  assert.deepEqual(new Set(seen), new Set(['running, 0 rows of 0 columns', 'done, 6 rows of 6 columns']));
  assert.deepEqual(await idsOf(run), ['5', '1', '6', '3', '2', '4']);
});

test('cancelling a run that starts arranged shows the rows in the order of the service', async () => {
  const fetching = Promise.withResolvers<void>();
  const silence = Promise.withResolvers<never>();
  await using run = browseTable({
    client,
    projectId,
    name: 'people',
    columns: () => {
      fetching.resolve();
      return silence.promise;
    },
  });
  const starting = run.startArranged(() => byName, 0);
  await fetching.promise;
  assert.equal(run.state, 'running');
  run.controls.cancel();
  await assert.rejects(starting, { name: 'AbortError' });
  assert.notEqual(run.state, 'running');
  silence.reject(new Error('The service is gone.'));
  assert.deepEqual(await idsOf(run), ['1', '2', '3', '4', '5', '6']);
});

test('filter values are bound and never part of the SQL text', async () => {
  const filters: ColumnFilter[] = [{ kind: 'equals', column: 1, text: `o'Ann; DROP TABLE people` }];
  await using run = await arranged({ name: 'people' }, { filters });
  assert.deepEqual(await idsOf(run), ['4']);
  assert.deepEqual(run.statement, {
    sql: 'SELECT * FROM people\nWHERE name = ? COLLATE BINARY\nORDER BY id',
    params: [`o'Ann; DROP TABLE people`],
  });
});

test('a range filter compares texts with a bound that looks like a number as text', async () => {
  const filters: ColumnFilter[] = [{ kind: 'range', column: 0, from: '2020', to: '2045' }];
  await using births = await arranged({ name: 'births', kind: 'view' }, { filters });
  assert.deepEqual(await idsOf(births), ['2020-05-05', '2030-05-05', '2040-05-05']);
});

test('an open-ended range filter on a numeric column lets no text and no BLOB through', async () => {
  await client.execSql(projectId, {
    sql: 'CREATE TABLE readings(level REAL, step INTEGER, price DECIMAL(10, 2), loose)',
  });
  await client.execSql(projectId, {
    sql: `INSERT INTO readings VALUES (4.5, 4, 4.5, 4), (5.5, 6, 5.5, 6), ('n/a', 'n/a', 'n/a', NULL), (x'ff', x'ff', x'ff', x'ff')`,
  });
  for (const column of [0, 1, 2, 3]) {
    for (const range of [{ from: '5' }, { from: '5', to: '7' }]) {
      await using run = await arranged({ name: 'readings' }, { filters: [{ kind: 'range', column, ...range }] });
      const values = (await run.rows(0, 10)).map(row => textOf(row[column]!));
      assert.deepEqual(values, [column % 2 === 0 ? '5.5' : '6'], `column ${column}`);
      await run.countAll();
      assert.equal(run.rowCount, 1);
    }
  }
  await using texts = await arranged(
    { name: 'readings' },
    { filters: [{ kind: 'range', column: 0, from: 'm', to: 'o' }] },
  );
  assert.equal(texts.rowCount, 1, 'a bound that is a text finds texts');
});

test('a range filter on a column without a type compares numbers as numbers and texts as texts', async () => {
  const filters: ColumnFilter[] = [{ kind: 'range', column: 0, from: '10', to: '15' }];
  await using run = await arranged({ name: 'odd', pageSize: 1 }, { filters });
  assert.deepEqual(await idsOf(run), ['10']);
  assert.equal(await run.jump(1), 1);
  assert.deepEqual(await firstColumn(run, 1, 1), ['10 or so']);
});

test('a filter goes by the declared type of its column, not by the first value', async () => {
  const cases: [table: string, filter: ColumnFilter, expected: readonly string[]][] = [
    ['mixed', { kind: 'range', column: 0, from: '4', to: '13' }, ['5', '12.5']],
    ['mixed', { kind: 'equals', column: 0, text: 'AP8Q' }, ['AP8Q']],
    ['mixed', { kind: 'equals', column: 2, text: 'AP8Q' }, ['AP8Q']],
    ['mixed', { kind: 'range', column: 1, from: '2020', to: '2021' }, ['2020-05-05', '2020']],
    ['doubled', { kind: 'range', column: 0, from: '10.00', to: '+25.0' }, ['10', '25']],
  ];
  for (const [name, filter, expected] of cases) {
    await using run = await arranged({ name, kind: name === 'mixed' ? 'table' : 'view' }, { filters: [filter] });
    const shown = (await run.rows(0, 100)).map(row => textOf(row[filter.column]!));
    assert.deepEqual(shown, expected);
  }
});

test('an equals filter finds infinite numbers', async () => {
  for (const text of ['Infinity', '-Infinity']) {
    await using run = await arranged({ name: 'odd' }, { filters: [{ kind: 'equals', column: 0, text }] });
    assert.deepEqual(await idsOf(run), [text]);
  }
});

test('filters compare numbers that exceed an integer as REAL', async () => {
  const text = '9500000000000000000';
  const all = ['9.5e18', '1', '9223372036854775807'];
  await client.execSql(projectId, { sql: `CREATE TABLE large AS SELECT ${all.join(' AS n UNION ALL SELECT ')}` });
  for (const filter of [
    { kind: 'equals', column: 0, text },
    { kind: 'range', column: 0, from: text },
  ] as const) {
    await using run = await arranged({ name: 'large' }, { filters: [filter] });
    assert.deepEqual(await idsOf(run), [text]);
  }
});

test('rows must pass all filters, also those for NULL', async () => {
  await checkFilters([{ kind: 'null', column: 3, isNull: true }], '3');
  await checkFilters(
    [
      { kind: 'null', column: 3, isNull: false },
      { kind: 'contains', column: 2, text: 'o' },
      { kind: 'range', column: 0, to: '5' },
    ],
    '1 2',
  );
});

test('without a primary key the row id breaks ties, by a free name, and in a view all columns do', async () => {
  await using view = await arranged({ name: 'townsfolk', kind: 'view' }, { sort: [{ column: 1, descending: true }] });
  assert.equal(view.statement.sql, 'SELECT * FROM townsfolk\nORDER BY name DESC, city');
  assert.deepEqual(await firstColumn(view, 0, 3), ['Bern', 'Rome', 'Oslo']);
  await using pairs = await arranged({ name: 'pairs' }, { sort: [{ column: 0, descending: false }] });
  assert.equal(pairs.statement.sql, 'SELECT * FROM pairs\nORDER BY rowid, _rowid_');
});

test('column names that differ in the case of É are two columns', async () => {
  await client.execSql(projectId, { sql: 'CREATE TABLE accents("É" TEXT, "é" TEXT, "A" TEXT, PRIMARY KEY ("é", a))' });
  const sort = [0, 2].map(column => ({ column, descending: false }));
  await using run = await arranged({ name: 'accents' }, { sort });
  assert.equal(run.statement.sql, 'SELECT * FROM accents\nORDER BY É, A, é');
});

test('an arranged table is paged, jumped in and counted with its filters', async () => {
  const filters: ColumnFilter[] = [{ kind: 'equals', column: 1, text: '2' }];
  const sort: SortKey[] = [{ column: 0, descending: true }];
  await using run = await arranged({ name: 'many' }, { filters, sort });
  assert.deepEqual([run.rowCount, run.state], [100, 'more']);
  assert.equal(await run.jump(300), 300);
  assert.deepEqual(await firstColumn(run, 300, 2), ['98', '95']);
  await run.countAll();
  assert.deepEqual([run.rowCount, run.state], [333, 'done']);
  await run.queries.arrange(unsorted);
  assert.deepEqual([run.isByStatement, await firstColumn(run, 0, 2)], [false, ['1', '2']]);
});

test('a known total survives sorting and belongs to its filters, without another count', async () => {
  const counts: string[] = [];
  using proxy = await startRefusingProxy(baseUrl, ({ body }) => {
    if (body.includes('count(*)')) counts.push(body);
    return undefined;
  });
  await using other = new Client({ baseUrl: proxy.baseUrl, apiKey, retries: 0 });
  await using run = await startTable({ client: other, projectId, name: 'many', pageSize: 100 });
  await run.countAll();
  const sort: SortKey[] = [{ column: 1, descending: true }];
  const filters: ColumnFilter[] = [{ kind: 'equals', column: 1, text: '2' }];
  await run.queries.arrange({ sort, filters: [] });
  assert.deepEqual([run.rowCount, run.hasEnd, counts.length], [1000, true, 1]);
  await run.queries.arrange({ sort: [], filters });
  await run.countAll();
  await run.queries.arrange({ sort, filters });
  assert.deepEqual([run.rowCount, run.hasEnd], [333, true]);
  const before = counts.length;
  await run.queries.arrange(unsorted);
  assert.deepEqual([run.rowCount, run.hasEnd, counts.length], [1000, true, before]);
});

test('a total that is no longer true is corrected at the end of the table', async () => {
  await client.execSql(projectId, { sql: 'CREATE TABLE shrinking AS SELECT n FROM many' });
  await using run = await startTable({ client, projectId, name: 'shrinking', pageSize: 100 });
  await run.countAll();
  await client.execSql(projectId, { sql: 'DELETE FROM shrinking WHERE n > 950' });
  await run.queries.arrange({ sort: [{ column: 0, descending: false }], filters: [] });
  assert.deepEqual([run.rowCount, run.hasEnd], [1000, true]);
  assert.equal(await run.jump(999), 949);
  assert.deepEqual([run.rowCount, run.hasEnd], [950, true]);
});

test('a failed arrangement leaves the rows as they were', async () => {
  let isRefusing = false;
  const proxy = await startRefusingProxy(baseUrl, ({ path }) =>
    isRefusing && path.endsWith('/sql') ? { status: 504, code: 'statement_timeout' } : undefined,
  );
  await using other = new Client({ baseUrl: proxy.baseUrl, apiKey, retries: 0 });
  await using run = await startTable({ client: other, projectId, name: 'people' });
  await run.queries.arrange({ ...unsorted, sort: [{ column: 0, descending: true }] });
  isRefusing = true;
  await assert.rejects(
    run.queries
      .arrange(unsorted)
      .then(() => run.queries.arrange({ sort: [{ column: 1, descending: false }], filters: [] })),
    {
      code: 'statement_timeout',
    },
  );
  assert.deepEqual([run.queries.arrangement, run.state], [unsorted, 'done']);
  assert.deepEqual(await firstColumn(run, 0, 2), ['1', '2']);
  await assert.rejects(run.queries.arrange({ sort: [{ column: 99, descending: false }], filters: [] }), {
    code: 'no_such_column',
  });
});

test('an arrangement succeeds again after the catalog failed', async () => {
  let isRefusing = false;
  const proxy = await startRefusingProxy(baseUrl, ({ path }) =>
    isRefusing && path.endsWith('/schema') ? { status: 503, code: 'busy' } : undefined,
  );
  await using other = new Client({ baseUrl: proxy.baseUrl, apiKey, retries: 0 });
  isRefusing = true;
  await using run = await startTable({ client: other, projectId, name: 'people' });
  const sort: SortKey[] = [{ column: 0, descending: true }];
  await assert.rejects(run.queries.arrange({ ...unsorted, sort }), { code: 'busy' });
  isRefusing = false;
  await run.queries.arrange({ ...unsorted, sort });
  assert.deepEqual(await firstColumn(run, 0, 2), ['6', '5']);
});

test('a cancelled arrangement leaves the rows as they were', async () => {
  await using run = await startTable({ client, projectId, name: 'people' });
  const cancelling = new AbortController();
  const arranging = run.queries.arrange(
    { ...unsorted, sort: [{ column: 0, descending: true }] },
    { signal: cancelling.signal },
  );
  cancelling.abort();
  await assert.rejects(arranging, { name: 'AbortError' });
  assert.deepEqual([run.queries.arrangement, await firstColumn(run, 0, 2)], [unsorted, ['1', '2']]);
});

test('a later arrangement cancels an earlier one', async () => {
  await using run = await startTable({ client, projectId, name: 'people' });
  const earlier = run.queries.arrange({ ...unsorted, sort: [{ column: 0, descending: true }] });
  const later = run.queries.arrange({ ...unsorted, sort: [{ column: 1, descending: true }] });
  await assert.rejects(earlier, { name: 'AbortError' });
  await later;
  assert.deepEqual(run.queries.arrangement.sort, [{ column: 1, descending: true }]);
});
