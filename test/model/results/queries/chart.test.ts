import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChartData, ChartQuery } from '../../../../src/protocol/chart.ts';
import type { FigureKind } from '../../../../src/protocol/groups.ts';
import { seeded } from '../../../fuzz/random.ts';
import { notAborted, openRows, type RowsUnderTest } from '../../../support/queriedRows.ts';
import { openRandomRows } from '../../../support/randomRows.ts';
import { seedsOf } from '../../../support/seeds.ts';

type Groups = Extract<ChartQuery, { readonly kind: 'groups' }>;

const groups = (fields: Partial<Groups> = {}): ChartQuery => ({
  kind: 'groups',
  axis: 'category',
  x: { column: 0 },
  figure: { kind: 'sum', column: 1 },
  maxLabels: 1000,
  isRanked: false,
  ...fields,
});
const points = (fields: Partial<Extract<ChartQuery, { readonly kind: 'points' }>> = {}): ChartQuery => ({
  kind: 'points',
  axis: 'number',
  x: 0,
  y: 1,
  isScatter: false,
  ...fields,
});
const chart = (rows: RowsUnderTest, query: ChartQuery): Promise<ChartData> => rows.queries.chart(query, notAborted);

const city = 0;
const mixed = 1;
const numberColumn = 2;
const figureSql = {
  rows: 'count(*)',
  count: 'count(n)',
  distinct: 'count(DISTINCT n)',
  sum: 'sum(n)',
  min: 'min(n)',
  max: 'max(n)',
};

for (const seed of seedsOf({ few: 3, all: 30 })) {
  test(`the figures of each place and series are those of SQLite (seed ${seed})`, async context => {
    const { rows, database } = await openRandomRows(context, seed, 600);
    database.exec(`DELETE FROM t WHERE city LIKE 'city%'`);
    await rows.queries.arrange({ sort: [], filters: [{ kind: 'startsWith', column: city, text: 'city', not: true }] });
    for (const [kind, sql] of Object.entries(figureSql)) {
      const figure = { kind: kind as FigureKind, column: numberColumn };
      const data = await chart(rows, groups({ x: { column: mixed }, series: city, figure }));
      const found = data.series.flatMap(({ name, ys }) =>
        ys.flatMap((y, nth) => (y === null ? [] : [JSON.stringify([data.labels![nth], name, y])])),
      );
      const statement = database.prepare(
        `SELECT CAST(mixed AS TEXT) AS x, city, CAST(${sql} AS TEXT) AS y FROM t WHERE city IS NOT NULL GROUP BY mixed, city`,
      );
      const expected = statement
        .all()
        .flatMap(({ x, city: name, y }) => (y === null ? [] : [JSON.stringify([x, name, y])]));
      assert.deepEqual(found.toSorted(), expected.toSorted(), kind);
    }
  });
}

test('a sum beyond 2^53 has all its digits', async context => {
  const rows = await openRows(context, ['x', 'y']);
  await rows.add({ x: 'a', y: 2n ** 62n }, { x: 'a', y: 2n ** 62n - 1n }, { x: 'b', y: 1 });
  assert.deepEqual((await chart(rows, groups())).series, [{ ys: [String(2n ** 63n - 1n), '1'] }]);
});

test('0 and -0.0 are one place', async context => {
  const rows = await openRows(context, ['x', 'y']);
  await rows.add('{"x":0,"y":-0.0}', '{"x":-0.0,"y":2}');
  const data = await chart(rows, groups());
  assert.deepEqual([data.labels?.length, data.series], [1, [{ ys: ['2'] }]]);
  assert.deepEqual((await chart(rows, points())).series, [{ xs: [0, -0], ys: ['0', '2'] }]);
});

test('the greatest of many categories and series are shown, and all are counted', async context => {
  const rows = await openRows(context, ['x', 'y', 's']);
  await rows.add(
    ...Array.from({ length: 431 }, (_, n) => ({ x: `city ${n}`, y: n % 2 === 0 ? n : -n, s: `series ${n % 20}` })),
  );
  const data = await chart(rows, groups({ maxLabels: 3, isRanked: true }));
  assert.deepEqual(data, {
    labels: ['city 430', 'city 429', 'city 428'],
    series: [{ ys: ['430', '-429', '428'] }],
    allLabels: 431,
    allSeries: 1,
  });
  const ordered = await chart(rows, groups({ maxLabels: 3 }));
  assert.deepEqual(ordered.labels, ['city 428', 'city 429', 'city 430']);
  const several = await chart(rows, groups({ series: 2 }));
  assert.deepEqual([several.series.length, several.allSeries], [8, 20]);
  assert.equal(several.series[0]!.name, 'series 10');
});

test('filters decide which rows a chart counts', async context => {
  const rows = await openRows(context, ['x', 'y']);
  await rows.add({ x: 'a', y: 1 }, { x: 'b', y: 2 }, { x: 'a', y: 4 });
  await rows.queries.arrange({
    sort: [{ column: 1, descending: true }],
    filters: [{ kind: 'equals', column: 0, text: 'a' }],
  });
  const { labels, series } = await chart(rows, groups());
  assert.deepEqual([labels, series], [['a'], [{ ys: ['5'] }]]);
});

test('a year of times is grouped by its months', async context => {
  const rows = await openRows(context, ['x', 'y']);
  await rows.add(
    { x: '2026-01-31', y: 1 },
    { x: '2026-01-01 10:00:00', y: 2 },
    { x: '2026-03-05', y: 5 },
    { x: 7, y: 9 },
  );
  const { series } = await chart(rows, groups({ axis: 'time', x: { column: 0, period: 'month' } }));
  assert.deepEqual(series, [{ xs: [Date.UTC(2026, 0), Date.UTC(2026, 2)], ys: ['3', '5'] }]);
});

test('times have their place in UTC, and all that is no time has none', async context => {
  const rows = await openRows(context, ['x', 'y']);
  const times = ['2026-01-31', '2026-01-31 10:00:00', '2026-01-31T10:00:00+02:00', '2026', 'soon', '2026-99', 5, null];
  await rows.add(...times.map((x, y) => ({ x, y })));
  const { series } = await chart(rows, points({ axis: 'time' }));
  assert.deepEqual(series[0], {
    xs: [Date.UTC(2026, 0), Date.UTC(2026, 0, 31), Date.UTC(2026, 0, 31, 8), Date.UTC(2026, 0, 31, 10)],
    ys: ['3', '0', '2', '1'],
  });
});

for (const order of ['in order', 'in any order'] as const) {
  test(`a line of 100,000 points ${order} keeps few of them, and every spike`, async context => {
    const rows = await openRows(context, ['x', 'y']);
    const random = seeded(7);
    const spikes = new Set(Array.from({ length: 20 }, (_, n) => 3001 + n * 4801));
    const places = Array.from({ length: 100_000 }, (_, n) => n);
    const sent = order === 'in order' ? places : places.toSorted(() => random() - 0.5);
    await rows.add(...sent.map(n => ({ x: n, y: spikes.has(n) ? 1000 + n : Math.round(random() * 100) })));
    const { series } = await chart(rows, points());
    const [{ xs: drawn = [], ys: figures } = { ys: [] }] = series;
    assert.ok(drawn.length > 1000 && drawn.length <= 4000, `${drawn.length} points`);
    assert.deepEqual(
      drawn,
      drawn.toSorted((one, other) => one - other),
    );
    for (const spike of spikes) assert.equal(figures[drawn.indexOf(spike)], String(1000 + spike));
  });
}

test('a scatter chart keeps points all over its cloud', async context => {
  const rows = await openRows(context, ['x', 'y']);
  const random = seeded(3);
  await rows.add(...Array.from({ length: 50_000 }, () => ({ x: 1e9 + random(), y: random() * 1e-3 })));
  const { series } = await chart(rows, points({ isScatter: true }));
  const [{ xs: drawn = [], ys: figures } = { ys: [] }] = series;
  assert.ok(drawn.length > 1500 && drawn.length <= 12_000, `${drawn.length} points`);
  const cells = new Set(
    drawn.map((x, nth) => `${Math.floor((x - 1e9) * 20)} ${Math.floor(Number(figures[nth]) * 20_000)}`),
  );
  assert.equal(cells.size, 400);
});

test('integers beyond 2^53 are exact points, and infinite numbers are none', async context => {
  const rows = await openRows(context, ['x', 'y']);
  await rows.add({ x: 1, y: 2n ** 53n + 1n }, '{"x":2,"y":1e999}', '{"x":1e999,"y":3}', { x: 3, y: -5 });
  assert.deepEqual((await chart(rows, points())).series, [{ xs: [1, 3], ys: ['9007199254740993', '-5'] }]);
});

test('points of a series belong together, and the longest series are drawn', async context => {
  const rows = await openRows(context, ['x', 'y', 's']);
  const lines = Array.from({ length: 12 }, (_, s) =>
    Array.from({ length: s + 1 }, (_row, x) => ({ x, y: s, s: `s${s}` })),
  );
  await rows.add(...lines.flat(), { x: 0, y: 5, s: null });
  const { series, allSeries } = await chart(rows, points({ series: 2 }));
  assert.deepEqual(
    series.map(({ name, ys: figures }) => [name, figures.length]),
    Array.from({ length: 8 }, (_, n) => [`s${n + 4}`, n + 5]),
  );
  assert.equal(allSeries, 13);
});

test('the bars of a histogram hold all numbers', async context => {
  const rows = await openRows(context, ['x']);
  await rows.add(...Array.from({ length: 500 }, (_, n) => ({ x: n % 100 })), { x: null }, { x: 'text' });
  const { labels = [], series } = await chart(rows, { kind: 'histogram', x: 0 });
  assert.match(labels[0]!, /^0 – \d+$/);
  assert.equal(
    series[0]!.ys.reduce((sum, count) => sum + Number(count), 0),
    500,
  );
});
