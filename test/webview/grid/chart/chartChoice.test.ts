import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TaggedValue } from '../../../../src/protocol/shownValues.ts';
import {
  type ChartChoice,
  chartColumns,
  fittingChoice,
  guessChoice,
  queryOf,
} from '../../../../webview/grid/chart/chartChoice.ts';
import { chartLineOf, readChartLine } from '../../../../webview/grid/chart/chartLine.ts';

const tagged = (value: string | number | null): TaggedValue =>
  value === null
    ? { kind: 'null' }
    : typeof value === 'number'
      ? { kind: Number.isInteger(value) ? 'integer' : 'real', text: String(value) }
      : { kind: 'text', text: value };

/** A result by its first rows. */
const result = (names: readonly string[], ...rows: readonly (string | number | null)[][]) =>
  chartColumns(
    names.map(name => ({ name, type: '' })),
    rows.map(row => row.map(tagged)),
  );

const shop = result(['city', 'day', 'orders', 'total'], ['Oslo', '2026-01-01', 3, 9.5], ['Rome', '2026-01-01', 1, 4]);

const guesses: readonly (readonly [string, ReturnType<typeof result>, string])[] = [
  ['a text and a number are bars', result(['city', 'total'], ['Oslo', 1], ['Rome', 2]), 'bar x=city y=sum(total)'],
  ['a text alone is counted', result(['city'], ['Oslo'], ['Oslo']), 'bar x=city y=rows()'],
  [
    'times and a number are a line',
    result(['day', 'total'], ['2026-01-01', 1], ['2026-01-02', 2]),
    'line x=day y=total',
  ],
  [
    'times that repeat are summed up, by the text that repeats',
    result(['day', 'city', 'total'], ['2026-01-01', 'Oslo', 1], ['2026-01-01', 'Rome', 2], ['2026-01-02', 'Oslo', 2]),
    'line x=day y=sum(total) series=city',
  ],
  ['times alone are counted by month', result(['at'], ['2026-01-01 10:00']), 'line x=month(at) y=rows()'],
  ['two numbers are a cloud', result(['height', 'weight'], [180, 70], [160, 60]), 'scatter x=height y=weight'],
  ['numbers that ascend begin a line', result(['year', 'total'], [2025, 70], [2026, 60]), 'line x=year y=total'],
  ['a number alone is a histogram', result(['id', 'price'], [1, 9.5], [2, 4]), 'histogram x=price'],
  [
    'a text that is different in each of many rows is no category',
    result(['name', 'price'], ...Array.from({ length: 50 }, (_, n) => [`name ${n}`, n])),
    'histogram x=price',
  ],
  ['keys are no figures', result(['customer_id', 'name'], [1, 'Ada'], [2, 'Bob']), 'bar x=name y=rows()'],
  ['a result of NULLs is counted', result(['a'], [null]), 'bar x=a y=rows()'],
];
for (const [claim, columns, line] of guesses) {
  test(`at first, ${claim}`, () => {
    assert.equal(chartLineOf(guessChoice(columns)!, columns), line);
  });
}

test('a result without columns has no chart', () => {
  assert.equal(guessChoice([]), undefined);
});

test('a column without rows is known by its type', () => {
  const columns = chartColumns(
    [
      { name: 'at', type: 'DATETIME' },
      { name: 'n', type: 'INTEGER' },
    ],
    [],
  );
  assert.deepEqual(
    columns.map(({ kind }) => kind),
    ['time', 'number'],
  );
});

const read = (line: string): ChartChoice | undefined => readChartLine(line, shop);

test('a line names the chart, and is written as it was read', () => {
  for (const line of [
    'bar x=city y=sum(total)',
    'stackedBar x=month(day) y=average(total) series=city',
    'scatter x=orders y=total scale=log',
    'histogram x=total',
    'area x=day y=rows()',
  ]) {
    assert.equal(chartLineOf(read(line)!, shop), line);
  }
});

test('names with blanks and quotes are quoted, and the case of names does not matter', () => {
  const columns = result(['order "year"', 'Total'], [2026, 1]);
  const choice = readChartLine('LINE x="order ""year""" y=SUM(total)', columns)!;
  assert.deepEqual([choice.x, choice.y, choice.figure], [0, 1, 'sum']);
  assert.equal(chartLineOf(choice, columns), 'line x="order ""year""" y=sum(Total)');
});

for (const line of [
  '',
  'pie x=city y=total',
  'bar',
  'bar x=nope',
  'bar x=city y=sum(nope)',
  'bar x=city y=total series=no',
  ']]>',
]) {
  test(`the line "${line}" is not a chart of this result`, () => {
    assert.equal(read(line), undefined);
  });
}

test('bars need a figure, sums need numbers, and histograms a number', () => {
  assert.equal(chartLineOf(read('bar x=city y=total')!, shop), 'bar x=city y=sum(total)');
  assert.equal(chartLineOf(read('line x=city y=total')!, shop), 'line x=city y=sum(total)');
  assert.equal(chartLineOf(read('line x=orders y=sum(city)')!, shop), 'line x=orders y=sum(orders)');
  assert.equal(chartLineOf(read('histogram x=city')!, shop), 'histogram x=orders');
  const texts = result(['a', 'b'], ['x', 'y']);
  assert.equal(chartLineOf(fittingChoice({ type: 'histogram', x: 0 }, texts), texts), 'bar x=a y=rows()');
});

test('a category of texts is ranked, and one of times is not', () => {
  const ranked = queryOf(read('bar x=city y=sum(total)')!, shop);
  const ordered = queryOf(read('bar x=day y=sum(total)')!, shop);
  assert.ok(ranked.kind === 'groups' && ordered.kind === 'groups');
  assert.deepEqual(
    [ranked.isRanked, ranked.axis, ordered.isRanked, ordered.axis],
    [true, 'category', false, 'category'],
  );
  assert.ok(ranked.maxLabels < ordered.maxLabels);
});
