import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ChartModel, chartModel, type Projection, shapeOf } from '../../../../webview/grid/chart/chartModel.ts';
import { type Picture, svgOf } from '../../../../webview/grid/chart/chartPicture.ts';

const plain: Projection = { x: place => place, y: figure => -figure, unit: 1 };
const data = (series: readonly (readonly (string | null)[])[], labels = ['a', 'b', null]) => ({
  labels,
  series: series.map((ys, nth) => ({ name: `s${nth}`, ys })),
  allLabels: labels.length,
  allSeries: series.length,
});
const bars = (type: 'bar' | 'stackedBar', series: readonly (readonly (string | null)[])[], isLog = false): ChartModel =>
  chartModel({ type, x: 0, isLog }, 'category', data(series));

test('stacked bars begin where the bar below ends, and negative ones hang down', () => {
  const { series } = bars('stackedBar', [
    ['1', '-2'],
    ['3', '-4'],
    ['-5', '6'],
  ]);
  assert.deepEqual(
    series.map(({ points }) => points.map(({ from, to }) => [from, to])),
    [
      [
        [0, 1],
        [0, -2],
      ],
      [
        [1, 4],
        [-2, -6],
      ],
      [
        [0, -5],
        [0, 6],
      ],
    ],
  );
});

test('bars of a place are beside each other within its width', () => {
  const model = bars('bar', [['1'], ['2']]);
  const scaled: Projection = { ...plain, x: place => place * 100 };
  assert.deepEqual(
    [0, 1].map(nth => shapeOf(model, nth, scaled).fill),
    ['M-40 0H0V-1H-40Z', 'M0 0H40V-2H0Z'],
  );
});

test('a thin bar has a pixel', () => {
  assert.equal(shapeOf(bars('bar', [['1']]), 0, { ...plain, x: place => place / 1000 }).fill, 'M0 0H1V-1H0Z');
});

test('a category without a figure interrupts a line', () => {
  const model = chartModel({ type: 'line', x: 0 }, 'category', data([['1', null, '3']]));
  assert.equal(shapeOf(model, 0, plain).stroke, 'M0 -1M2 -3');
});

test('NULL has a name, and a logarithmic scale leaves out what is not positive', () => {
  const model = bars('bar', [['0', '-1', '5']], true);
  assert.deepEqual(
    [model.labels, model.series[0]!.points.map(({ text }) => text), model.xs],
    [['a', 'b', 'NULL'], ['5'], [2]],
  );
});

const picture: Picture = {
  width: 100,
  height: 50,
  plot: { left: 20, top: 5, width: 70, height: 30 },
  canvas: {} as HTMLCanvasElement,
  background: '#fff',
  foreground: '#000',
  font: 'Arial, "Segoe UI"',
  fontSize: 12,
  xTicks: [{ at: 30, text: '</text><script>alert(1)</script>\u0001' }],
  yTicks: [{ at: 10, text: '5 & "6"' }],
  series: ['<a>', 'b'].map(name => ({
    name,
    color: 'red',
    dash: [4, 2],
    strokeWidth: 2,
    fillOpacity: 1,
    stroke: 'M0 0L5 5',
    fill: '',
  })),
};

test('an SVG has every name as text', () => {
  const svg = svgOf(picture);
  assert.ok(svg.includes('&lt;/text&gt;&lt;script&gt;alert(1)&lt;/script&gt;\ufffd</text>'));
  assert.ok(svg.includes('5 &amp; &quot;6&quot;'));
  assert.ok(svg.includes('>&lt;a&gt;</text>'));
  assert.ok(!svg.includes('<script'));
  assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="\d+" height="70"/);
});
