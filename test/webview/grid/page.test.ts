import assert from 'node:assert/strict';
import { gridBridge, type GridEvents } from '../../../src/protocol/gridBridge.ts';
import type { ResultView, RowsRequest, RowWindow, ViewEvent } from '../../../src/protocol/results.ts';
import { resultView } from '../../support/resultView.ts';
import { webviewTest, type WebviewPage } from '../../support/webviewPage.ts';
import { setTheme } from '../../support/webviewThemes.ts';
import { never } from '../../support/never.ts';
import { activeCell } from '../../support/pageParts.ts';

const message = 'Nothing yet.';
const failure = 'The action failed. Try again, or reload the window.';

const columnCount = 12;
const untyped = Array.from({ length: columnCount }, (_, i) => ({ name: `column_${i}`, type: '' }));
const typed = untyped.map(({ name }) => ({ name, type: 'INTEGER' }));

const windowOf = (start: number, count: number): RowWindow => ({
  orderVersion: 0,
  start,
  rows: Array.from({ length: count }, (_, row) =>
    untyped.map((_column, i) => ({ kind: 'integer', text: `${start + row}${String(i).padStart(6, '0')}` })),
  ),
});

const viewOf = (fields: Partial<ResultView>): ResultView =>
  resultView({ columns: untyped, actions: fields.state === 'running' ? ['cancel'] : [], ...fields });

const rows = ({ start, count }: RowsRequest): RowWindow => windowOf(start, count);

const send = ({ host }: WebviewPage<GridEvents>, view: Partial<ResultView> | null, first?: RowWindow): void => {
  const event: ViewEvent = { view: view && viewOf(view), ...(first && { first }) };
  host.notify('view', event);
};

const resultTest = (name: string, body: (opened: WebviewPage<GridEvents>) => Promise<void>): void =>
  webviewTest(name, { bridge: gridBridge, methods: { rows, act: () => undefined } }, body);

const gridOf = ({ page }: WebviewPage) => page.getByRole('grid', { name: 'Rows of Shop' });

webviewTest(
  'a result whose rows have not arrived does not claim to be empty',
  { bridge: gridBridge, methods: { rows: never } },
  async opened => {
    const { page } = opened;
    send(opened, { rowCount: 5 });
    await page.getByText('5 rows').first().waitFor();
    assert.equal(await page.getByText('No rows').count(), 0);
    send(opened, { rowCount: 5 }, windowOf(0, 5));
    await gridOf(opened).getByRole('gridcell').first().waitFor();
    send(opened, { runId: 'b' });
    await page.getByText('No rows').waitFor();
    assert.equal(await gridOf(opened).getAttribute('aria-rowcount'), '1');
  },
);

resultTest('the page pulls the first rows if no event brought them', async opened => {
  send(opened, { rowCount: 5 });
  await gridOf(opened).getByRole('gridcell').first().waitFor();
});

resultTest('rows without columns have no cells', async opened => {
  send(opened, { columns: [], rowCount: 2 }, { orderVersion: 0, start: 0, rows: [[], []] });
  await opened.page.getByRole('rowheader', { name: '2', exact: true }).waitFor();
  assert.equal(await opened.page.getByRole('gridcell').count(), 0);
  assert.equal(await gridOf(opened).getAttribute('aria-activedescendant'), '');
});

resultTest('column types that arrive last are in the tooltips', async opened => {
  send(opened, { state: 'running', rowCount: 5 }, windowOf(0, 5));
  const header = gridOf(opened).getByRole('columnheader').first();
  await header.waitFor();
  assert.equal(await header.getAttribute('title'), 'column_0');
  send(opened, { rowCount: 5, columns: typed });
  await opened.page.getByTitle('column_0 INTEGER').waitFor();
});

resultTest('a scroll at the moment when rows arrive goes to the same share of all rows', async opened => {
  send(opened, { state: 'running', rowCount: 1_000_000 }, windowOf(0, 50));
  const grid = gridOf(opened);
  await grid.getByRole('gridcell').first().waitFor();
  await grid.evaluate(element => {
    const halfWay = new MutationObserver(() => {
      halfWay.disconnect();
      element.scrollTo(0, (element.scrollHeight - element.clientHeight) / 2);
    });
    halfWay.observe(element, { attributeFilter: ['aria-rowcount'] });
  });
  send(opened, { state: 'running', rowCount: 4_000_000 });
  await grid.locator('[aria-rowindex="2000001"]').waitFor();
});

resultTest('millions of rows scroll from the last to the first at the same scrolled height', async opened => {
  const { page } = opened;
  const rowCount = 3_000_000;
  send(opened, { rowCount }, windowOf(0, 50));
  const grid = gridOf(opened);
  await grid.getByRole('gridcell').first().waitFor();
  const height = () => grid.evaluate(({ scrollHeight }) => scrollHeight);
  const before = await height();
  await grid.focus();
  await page.keyboard.press('Control+End');
  await grid.locator(`[aria-rowindex="${rowCount + 1}"]`).waitFor();
  await grid.evaluate(element => element.scrollTo(0, 0));
  await grid.locator('[aria-rowindex="2"]').waitFor();
  assert.equal(await height(), before);
  assert.equal(before, 16_000_022);
  const active = await grid.getAttribute('aria-activedescendant');
  assert.equal(await page.locator(`#${active}`).count(), 1, 'the active cell is still there');
});

resultTest('row elements are in row order after any scrolling', async opened => {
  send(opened, { rowCount: 1000 }, windowOf(0, 50));
  const grid = gridOf(opened);
  for (const top of [0, 100, 1000, 950, 200, 20_000, 0, 60]) {
    await grid.evaluate((element, y) => element.scrollTo(0, y), top);
    await grid.locator(`[aria-rowindex="${Math.floor(top / 22) + 3}"]`).waitFor();
    // In one step, because rows may move between two calls.
    const indices = await grid.evaluate(root =>
      Array.from(root.querySelectorAll('[role="row"]'), row => Number(row.ariaRowIndex)),
    );
    assert.ok(indices.length > 10, `${indices.length} rows at ${top}`);
    assert.deepEqual(
      indices,
      indices.toSorted((a, b) => a - b),
      `at ${top}`,
    );
  }
});

resultTest('the focus goes to the grid when the focused Stop button goes away', async opened => {
  const { page } = opened;
  const stop = page.getByRole('button', { name: 'Stop', exact: true });
  const focused = page.locator(':focus');
  send(opened, { state: 'running', rowCount: 5 }, windowOf(0, 5));
  await stop.focus();
  await page.keyboard.press('Enter');
  send(opened, { state: 'cancelled', rowCount: 5 });
  await stop.waitFor({ state: 'hidden' });
  await gridOf(opened).and(focused).waitFor();

  // A run without rows has no grid. Its header takes the focus and passes it to the next grid.
  send(opened, { runId: 'b', state: 'running' });
  await stop.focus();
  send(opened, { runId: 'b', state: 'cancelled' });
  await page.getByRole('banner').or(page.locator('header')).and(focused).waitFor();
  send(opened, { runId: 'c', rowCount: 5 }, windowOf(0, 5));
  await gridOf(opened).and(focused).waitFor();
  send(opened, { runId: 'd', rowCount: 6 }, windowOf(0, 6));
  await page
    .getByText(/^6 rows/)
    .first()
    .waitFor();
  await gridOf(opened).and(focused).waitFor();
});

resultTest('the outcome of each run is announced, even of two quick runs', async opened => {
  const status = opened.page.getByRole('status');
  send(opened, { rowCount: 5 }, windowOf(0, 5));
  await status.filter({ hasText: /^5 rows · 12 ms$/ }).waitFor();
  send(opened, { runId: 'b', rowCount: 7 }, windowOf(0, 7));
  await status.filter({ hasText: /^7 rows · 12 ms$/ }).waitFor();
  send(opened, { runId: 'c', changedRows: 1 });
  await status.filter({ hasText: /^1 row changed · 12 ms$/ }).waitFor();
});

webviewTest(
  'failed calls to stop and to pull rows show their reasons',
  {
    bridge: gridBridge,
    methods: {
      act: () => Promise.reject(new Error('It cannot be stopped.')),
      rows: ({ start }) => {
        if (start === 100) throw new Error('The disk is gone.');
        return start === 200 ? ({ start, rows: [['no value']] } as never) : windowOf(start, 100);
      },
    },
  },
  async opened => {
    const { page } = opened;
    const alert = page.getByRole('alert');
    send(opened, { state: 'running', rowCount: 1000 }, windowOf(0, 50));
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await alert.filter({ hasText: 'It cannot be stopped.' }).waitFor();
    const grid = gridOf(opened);
    for (const [row, reason] of [
      [110, 'The disk is gone.'],
      [210, failure],
    ] as const) {
      await grid.evaluate((element, y) => element.scrollTo(0, y), row * 22);
      await alert.filter({ hasText: reason }).waitFor();
    }
    await grid.evaluate(element => element.scrollTo(0, 310 * 22));
    await alert.filter({ hasText: failure }).waitFor({ state: 'hidden' });
    send(opened, { runId: 'b', rowCount: 5 }, windowOf(0, 5));
    await alert.filter({ hasText: /./ }).waitFor({ state: 'hidden' });
  },
);

webviewTest(
  'events that cannot be decoded show an alert and change nothing',
  { bridge: gridBridge, message },
  async opened => {
    for (const wrong of [null, {}, { view: { runId: 'a' } }, { view: viewOf({}), first: { start: 0 } }]) {
      opened.host.notify('view', wrong as never);
    }
    await opened.page.getByText(message).waitFor();
    send(opened, { rowCount: 5 }, windowOf(0, 5));
    await gridOf(opened).getByRole('gridcell').first().waitFor();
  },
);

for (const theme of ['light', 'dark', 'highContrast'] as const) {
  webviewTest(
    `in ${theme} the active cell shows without focus, headers stay in place, and rows have no gaps`,
    { bridge: gridBridge, methods: { rows } },
    async opened => {
      const { page } = opened;
      await setTheme(page, theme);
      send(opened, { rowCount: 1000 }, windowOf(0, 50));
      const grid = gridOf(opened);
      await grid.getByRole('gridcell').first().waitFor();
      await opened.picture(`grid-${theme}`);
      const active = activeCell(page);
      const other = grid.getByRole('gridcell').nth(1);
      const looks = (locator: typeof active) =>
        locator.evaluate(element => {
          const { backgroundColor, outlineStyle, outlineColor } = getComputedStyle(element);
          return `${backgroundColor} ${outlineStyle} ${outlineColor}`;
        });
      assert.notEqual(await looks(active), await looks(other));
      await grid.focus();
      await grid.evaluate(element => element.scrollTo(333, 1000));
      await grid.locator('[aria-rowindex="50"]').waitFor();
      await opened.picture(`grid-${theme}-scrolled`);
      const places = await grid.evaluate(element => {
        const top = element.getBoundingClientRect().top + element.clientTop;
        const found = [...element.querySelectorAll('[role="row"]')].map(row => row.getBoundingClientRect());
        const [header, ...body] = found.map(rectangle => ({ top: rectangle.top, bottom: rectangle.bottom }));
        return { top, bottom: top + element.clientHeight, header, body };
      });
      assert.equal(places.header?.top, places.top, 'the header is at the top');
      const behind = await grid
        .getByRole('row')
        .first()
        .evaluate(row => getComputedStyle(row).backgroundColor);
      assert.match(behind, /^rgb\(/, 'rows do not shine through the header');
      const inView = places.body.filter(row => row.bottom > places.top && row.top < places.bottom);
      inView.slice(1).forEach((row, i) => assert.equal(row.top, inView[i]?.bottom));
      const header = grid.getByRole('columnheader');
      const cell = grid.locator('[aria-rowindex="50"]');
      const fifth = '[aria-colindex="5"]';
      const left = await header.and(page.locator(fifth)).evaluate(element => element.getBoundingClientRect().left);
      assert.equal(await cell.locator(fifth).evaluate(element => element.getBoundingClientRect().left), left);
    },
  );
}
