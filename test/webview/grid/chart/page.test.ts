import assert from 'node:assert/strict';
import type { ChartData, ChartQuery } from '../../../../src/protocol/chart.ts';
import { assertAccessible } from '../../../support/axe.ts';
import { type GridContent, type GridPage, gridTest } from '../../../support/gridPage.ts';
import { setTheme } from '../../../support/webviewThemes.ts';

const cities = ['Oslo', 'Rome', '<img src=x onerror=alert(1)>', 'Bern'];
const content: GridContent = {
  columns: [
    { name: 'city', type: 'TEXT' },
    { name: 'total', type: 'INTEGER' },
    { name: 'ordered_at', type: 'TEXT' },
  ],
  rowCount: 40,
  valueAt: (row, column) =>
    column === 1
      ? { kind: 'integer', text: String(row) }
      : {
          kind: 'text',
          text: column === 0 ? (cities[row % 4] ?? '') : `2026-01-${String((row % 20) + 1).padStart(2, '0')}`,
        },
  answers: { chart: ({ query }) => answerOf(query), saveChart: () => undefined },
};

function answerOf(query: ChartQuery): ChartData {
  if (query.kind === 'histogram') {
    return { labels: ['0 – 15', '16 – 31'], series: [{ ys: ['16', '24'] }], allLabels: 2, allSeries: 1 };
  }
  const hasSeries = query.series !== undefined;
  if (query.axis === 'category') {
    const ys = ['9007199254740993', '20', '30', null];
    const series = hasSeries ? cities.map(name => ({ name, ys })) : [{ ys }];
    return { labels: cities, series, allLabels: 431, allSeries: hasSeries ? 12 : 1 };
  }
  const xs = Array.from({ length: 20 }, (_, day) => Date.UTC(2026, 0, day + 1));
  const ys = xs.map((_, day) => String((day * 7) % 11));
  const series = hasSeries
    ? cities.map((name, nth) => ({ name, xs, ys: ys.map(y => String(Number(y) + nth)) }))
    : [{ xs, ys }];
  return { series, allLabels: 0, allSeries: series.length };
}

async function openChart({ page, grid }: GridPage): Promise<void> {
  await grid.focus();
  await page.keyboard.press('Alt+c');
  await page.getByRole('img').and(page.locator(':focus')).waitFor();
  await page.locator('.chart canvas').waitFor();
}

const choose = (page: GridPage['page'], label: string, option: string): Promise<unknown> =>
  page.getByRole('combobox', { name: label, exact: true }).selectOption(option);
const lastQuery = (grid: GridPage): unknown =>
  (grid.callsOf('chart').at(-1)?.params as { query: unknown } | undefined)?.query;

gridTest(
  'Alt+C shows a chart of the result, keys read its exact figures, and Escape goes back',
  content,
  async grid => {
    const { page } = grid;
    const { keyboard } = page;
    await openChart(grid);
    await page.getByRole('img', { name: 'Line: Sum total by ordered_at' }).waitFor();
    await choose(page, 'Series', 'None');
    await choose(page, 'X', 'city');
    await choose(page, 'Chart', 'Bars');
    await page.getByRole('img', { name: 'Bars: Sum total by city' }).waitFor();
    await page.getByText('4 of 431 values shown').waitFor();
    await page.getByRole('img').focus();
    await keyboard.press('ArrowRight');
    const spoken = page.locator('[aria-live="polite"]', { hasText: 'Oslo. 9007199254740993' });
    await spoken.waitFor({ state: 'attached' });
    await page.locator('.chart-tip').getByText('9007199254740993').waitFor();
    // The place stays when the chart is drawn anew.
    await page.setViewportSize({ width: 1000, height: 500 });
    await grid.nextFrame();
    await grid.nextFrame();
    await page.locator('.chart-tip').getByText('9007199254740993').waitFor();
    await keyboard.press('End');
    await page.locator('.chart-tip').getByText('<img src=x onerror=alert(1)>').waitFor();
    const cells = await page.getByRole('table').getByRole('cell').allTextContents();
    assert.deepEqual(cells.slice(0, 3), ['9007199254740993', '20', '30']);
    await keyboard.press('Escape');
    await page.locator('.chart').waitFor({ state: 'detached' });
    await grid.grid.and(page.locator(':focus')).waitFor();
  },
);

gridTest('the pointer shows the figures of the place below it', content, async grid => {
  const { page } = grid;
  await openChart(grid);
  await choose(page, 'Series', 'None');
  await page.getByRole('img', { name: 'Line: Sum total by ordered_at' }).waitFor();
  await page.locator('.chart .u-over').hover({ position: { x: 2, y: 20 } });
  await page.locator('.chart-tip').getByText('2026-01-01', { exact: true }).waitFor();
});

gridTest('the controls decide what the host counts', content, async grid => {
  const { page } = grid;
  await openChart(grid);
  await choose(page, 'Chart', 'Stacked Bars');
  await choose(page, 'X', 'Month: ordered_at');
  await choose(page, 'Y', 'Average');
  await choose(page, 'Series', 'city');
  await choose(page, 'Scale', 'Logarithmic');
  await page.getByText('4 of 12 series shown').waitFor();
  await page.locator('.chart canvas').waitFor();
  assert.deepEqual(lastQuery(grid), {
    kind: 'groups',
    axis: 'category',
    x: { column: 2, period: 'month' },
    series: 0,
    figure: { kind: 'average', column: 1 },
    maxLabels: 400,
    isRanked: false,
  });
  await choose(page, 'Chart', 'Histogram');
  await page.getByRole('img', { name: 'Histogram: total' }).waitFor();
  assert.deepEqual(lastQuery(grid), { kind: 'histogram', x: 1 });
  // The choice is remembered for the statement.
  await page.keyboard.press('Escape');
  await openChart(grid);
  await page.getByRole('img', { name: 'Histogram: total' }).waitFor();
});

gridTest('a comment in the statement sets the first chart', content, async grid => {
  grid.show({ statement: '-- @chart area x=ordered_at y=max(total)\nSELECT * FROM orders', runId: 'b' });
  await grid.page.getByText('SELECT * FROM orders').waitFor();
  await openChart(grid);
  await grid.page.getByRole('img', { name: 'Area: Max total by ordered_at' }).waitFor();
  await grid.page.keyboard.press('Escape');
  grid.show({ chartLine: 'scatter x=total y=total', statement: 'SELECT 3', runId: 'c' });
  await grid.page.getByText('SELECT 3').waitFor();
  await openChart(grid);
  await grid.page.getByRole('img', { name: 'Scatter: total by total' }).waitFor();
});

gridTest('a chart follows the filters and the rows that arrive', content, async grid => {
  await openChart(grid);
  await grid.waitForCalls('chart', 1);
  grid.arrange({ sort: [], filters: [{ kind: 'equals', column: 0, text: 'Oslo' }] });
  await grid.waitForCalls('chart', 2);
  grid.show({ state: 'running', rowCount: 60 });
  await grid.waitForCalls('chart', 3);
  grid.show({ state: 'running', rowCount: 80 });
  await grid.waitForCalls('chart', 4);
});

gridTest('an SVG has the names of the chart as text, and a PNG is a picture', content, async grid => {
  const { page } = grid;
  await openChart(grid);
  await choose(page, 'Chart', 'Bars');
  await choose(page, 'X', 'city');
  await choose(page, 'Series', 'city');
  await page.getByText('4 of 12 series shown').waitFor();
  for (const [nth, name] of ['Save as SVG…', 'Save as PNG…'].entries()) {
    await page.getByRole('button', { name: 'Picture…' }).click();
    await page.getByRole('menuitem', { name }).click();
    await grid.waitForCalls('saveChart', nth + 1);
  }
  const [svg, png] = grid.callsOf('saveChart').map(({ params }) => params as { format: string; content: string });
  assert.match(svg!.content, /<text[^>]*>Oslo<\/text>/);
  assert.match(svg!.content, /&lt;img src=x/);
  // Other programs than browsers mix no colors.
  assert.doesNotMatch(svg!.content, /color-mix/);
  const parsed = await page.evaluate(
    text => new DOMParser().parseFromString(text, 'image/svg+xml').querySelectorAll('parsererror, script, img').length,
    svg!.content,
  );
  assert.equal(parsed, 0);
  assert.equal(Buffer.from(png!.content, 'base64').toString('latin1', 1, 4), 'PNG');
});

gridTest(
  'a failure of the chart is shown until the next chart',
  {
    ...content,
    answers: {
      chart: ({ query }) => {
        if (query.kind === 'groups' && query.axis === 'category') return answerOf(query);
        throw new Error('broken');
      },
    },
  },
  async grid => {
    await grid.grid.focus();
    await grid.page.keyboard.press('Alt+c');
    const failure = grid.page.getByRole('alert').getByText(/./);
    await failure.waitFor();
    await choose(grid.page, 'Chart', 'Bars');
    await grid.page.getByRole('img', { name: /^Bars: / }).waitFor();
    await failure.waitFor({ state: 'detached' });
  },
);

for (const theme of ['light', 'dark', 'highContrast', 'highContrastLight'] as const) {
  gridTest(`in ${theme}, axe finds nothing in a chart (picture)`, content, async grid => {
    const { page } = grid;
    await page.setViewportSize({ width: 1000, height: 420 });
    await setTheme(page, theme);
    await openChart(grid);
    for (const type of ['Line', 'Bars', 'Stacked Bars', 'Area', 'Scatter', 'Histogram']) {
      await choose(page, 'Chart', type);
      await page.getByRole('img', { name: new RegExp(`^${type}: `) }).waitFor();
      if (type !== 'Histogram') await choose(page, 'Series', 'city');
      await page.getByRole('img').focus();
      await page.keyboard.press('ArrowRight');
      await grid.opened.picture(`chart-${theme}-${type.replace(' ', '')}`);
    }
    await assertAccessible(page, 'the chart');
  });
}
