import assert from 'node:assert/strict';
import { gridBridge, type GridEvents } from '../../../src/protocol/gridBridge.ts';
import type { Locator } from 'playwright-core';
import type { BrowseView } from '../../../src/protocol/browsing.ts';
import type { ResultView, RowsRequest, RowWindow } from '../../../src/protocol/results.ts';
import { resultView } from '../../support/resultView.ts';
import { type WebviewPage, webviewTest } from '../../support/webviewPage.ts';
import { setTheme } from '../../support/webviewThemes.ts';

const columns = ['id', 'name'].map(name => ({ name, type: '' }));
const defaults: BrowseView = { isTable: true, hasEnd: false, counting: false, byStatement: false };

const windowOf = (start: number, count: number): RowWindow => ({
  orderVersion: 0,
  start,
  rows: Array.from({ length: count }, (_, row) => [
    { kind: 'integer', text: String(start + row + 1) },
    { kind: 'text', text: `part ${start + row + 1}` },
  ]),
});

const rows = ({ start, count }: RowsRequest): RowWindow => windowOf(start, count);

function show(
  { host }: WebviewPage<GridEvents>,
  browsing: Partial<BrowseView> = {},
  fields: Partial<ResultView> = {},
): void {
  const view = resultView({
    protection: 'readOnly',
    color: 'green',
    statement: 'parts',
    state: 'more',
    columns,
    rowCount: 1000,
    shownRows: fields.rowCount ?? 1000,
    ...fields,
    browsing: { ...defaults, ...browsing },
  });
  host.notify('view', { view, first: windowOf(0, 50) });
}

const calls: string[] = [];
const methods = {
  rows,
  jump: ({ row }: { readonly row: number }) => ({ row, rowCount: 5500 }),
  find: () => ({ count: 0 }),
  askRow: () => void calls.push('askRow'),
  count: () => void calls.push('count'),
  stopCounting: () => void calls.push('stopCounting'),
  showStatement: () => void calls.push('showStatement'),
  refresh: () => void calls.push('refresh'),
};

const browseTest = (name: string, body: (opened: WebviewPage<GridEvents>) => Promise<void>): void =>
  webviewTest(name, { bridge: gridBridge, methods }, body);

const showsPlace = ({ page }: WebviewPage, text: RegExp): Promise<void> => page.getByText(text).waitFor();
const button = ({ page }: WebviewPage, name: string): Locator => page.getByRole('button', { name, exact: true });

browseTest('a table shows that it is loading before its first rows', async opened => {
  const loading = opened.page.locator('main').getByText('Loading…');
  opened.host.notify('view', { view: resultView({ state: 'running', browsing: defaults }) });
  await loading.waitFor();
  show(opened);
  await loading.waitFor({ state: 'hidden' });
});

browseTest('the bar says which rows are in view and in which order', async opened => {
  show(opened);
  await showsPlace(opened, /^Rows 1–\d+ of 1,000\+$/);
  await opened.page.getByText('Unsorted').waitFor();
  await opened.page.getByRole('grid').click();
  await opened.page.keyboard.press('Control+End');
  await showsPlace(opened, /^Rows 9\d\d–1,000 of 1,000\+$/);
  show(opened, { hasEnd: true }, { state: 'done' });
  await showsPlace(opened, /–1,000 of 1,000$/);
});

browseTest('a filtered table says that it shows the rows that pass', async opened => {
  const arrangement = { sort: [], filters: [{ kind: 'contains', column: 1, text: 'part' }] } as const;
  show(opened, { hasEnd: true, byStatement: true }, { arrangement, rowCount: 40, state: 'done' });
  await showsPlace(opened, /^Rows 1–\d+ of 40$/);
  await opened.page.getByText('filtered', { exact: true }).waitFor();
  // Other filters are announced even if the state stays the same.
  const others = { sort: [], filters: [{ kind: 'contains', column: 1, text: 'part 4' }] } as const;
  show(opened, { hasEnd: true, byStatement: true }, { arrangement: others, rowCount: 7, state: 'done' });
  await opened.page
    .getByRole('status')
    .filter({ hasText: /^7 rows · / })
    .waitFor({ state: 'attached' });
});

browseTest('the tools call the host, and counting can be stopped', async opened => {
  const { page } = opened;
  const choose = async (name: string): Promise<void> => {
    await button(opened, 'More Actions…').click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  };
  show(opened);
  await button(opened, 'Refresh').click();
  for (const name of ['Go to Row…', 'Count Rows', 'Open as SQL']) await choose(name);
  await button(opened, 'Count Rows').click();
  show(opened, { counting: true });
  await button(opened, 'Stop Counting').click();
  show(opened, { counting: true });
  await choose('Stop Counting');
  await button(opened, 'Stop Counting').focus();
  show(opened, { hasEnd: true });
  await button(opened, 'Stop Counting').waitFor({ state: 'hidden' });
  await page.getByRole('grid').and(page.locator(':focus')).waitFor();
  await button(opened, 'More Actions…').click();
  assert.deepEqual(await page.getByRole('menuitem').allInnerTexts(), ['Go to Row…', 'Open as SQL']);
  assert.deepEqual(calls, ['refresh', 'askRow', 'count', 'showStatement', 'count', 'stopCounting', 'stopCounting']);
});

browseTest('the head line names the sort keys, the filters and the time', async opened => {
  const { page } = opened;
  const line = page.locator('header');
  const shown = async (): Promise<string> => (await line.innerText()).split(/\n+/).join(' · ');
  const sort = [
    { column: 1, descending: true },
    { column: 0, descending: false },
  ];
  const filters = [{ kind: 'contains', column: 1, text: 'part' }] as const;
  const fields = { state: 'done', elapsedMs: 12, rowCount: 100_000 } as const;
  show(opened, { hasEnd: true, byStatement: true }, { ...fields, arrangement: { sort, filters: [] } });
  await showsPlace(opened, /^Rows 1–/);
  assert.match(await shown(), /^Rows 1–\d+ of 100,000 · sorted by name ▾, id ▴ · 12 ms$/);
  show(opened, { hasEnd: true, byStatement: true }, { ...fields, arrangement: { sort, filters } });
  await page.getByText(/filtered$/).waitFor();
  assert.match(await shown(), / · sorted by name ▾, id ▴ · filtered · 12 ms$/);
  assert.match(
    (await page.getByText(/filtered$/).getAttribute('title')) ?? '',
    /^Sorted and filtered by the service\./,
  );
  show(opened, { hasEnd: true, byStatement: true }, { ...fields, arrangement: { sort: [], filters: [] } });
  await page.getByText('sorted by primary key').waitFor();
  const { height } = (await line.boundingBox()) ?? {};
  assert.equal(height, 28, 'one line');
  await page.setViewportSize({ width: 500, height: 400 });
  assert.equal((await line.boundingBox())?.height, 28, 'one line on a narrow page');
});

browseTest('a jump goes far beyond the known rows', async opened => {
  show(opened);
  await showsPlace(opened, /^Rows 1–/);
  opened.host.notify('goTo', { row: 5000 });
  await opened.page.getByRole('gridcell', { name: 'part 5001', exact: true }).waitFor();
  await opened.page.getByText('Row 5,001 · id').waitFor();
  await opened.page.getByRole('grid').and(opened.page.locator(':focus')).waitFor();
});

browseTest('a jump is remembered at once', async opened => {
  show(opened);
  await showsPlace(opened, /^Rows 1–/);
  const remembered = opened.page.evaluate(
    () =>
      new Promise<string | null>(resolve => {
        new MutationObserver(() => {
          if (document.body.textContent?.includes('Row 701 · id')) resolve(sessionStorage.getItem('state'));
        }).observe(document.body, { subtree: true, childList: true, characterData: true });
      }),
  );
  opened.host.notify('goTo', { row: 700 });
  const { grids, browsing } = JSON.parse((await remembered) ?? '{}') as Record<string, Record<string, { row: number }>>;
  assert.equal(grids?.['a']?.row, 700);
  const first = browsing?.['table']?.row ?? 0;
  assert.ok(first > 600 && first <= 700, `${first} is the first row in view`);
});

browseTest('a browsed table looks right in each theme', async opened => {
  show(opened);
  await opened.page.getByText('part 4', { exact: true }).waitFor();
  for (const kind of ['light', 'dark', 'highContrast'] as const) {
    await setTheme(opened.page, kind);
    await opened.picture(`browsing-${kind}`);
  }
});

browseTest('rearranged rows show from the first one on', async opened => {
  show(opened);
  await opened.page.getByRole('grid').click();
  await opened.page.keyboard.press('Control+End');
  await showsPlace(opened, /^Rows 9\d\d–/);
  show(opened, { byStatement: true }, { arrangement: { sort: [{ column: 0, descending: true }], filters: [] } });
  await showsPlace(opened, /^Rows 1–/);
});

browseTest('the find field keeps the focus while rows are rearranged', async opened => {
  const { page } = opened;
  show(opened);
  await page.getByRole('grid').click();
  await page.keyboard.press('Control+End');
  await showsPlace(opened, /^Rows 9\d\d–/);
  await page.keyboard.press('Control+f');
  await page.keyboard.type('part');
  show(opened, { byStatement: true }, { arrangement: { sort: [{ column: 0, descending: true }], filters: [] } });
  await showsPlace(opened, /^Rows 1–/);
  await page.keyboard.type(' 12');
  assert.equal(await page.getByRole('search').getByRole('textbox').inputValue(), 'part 12');
});

browseTest('every button is in view on an enlarged page', async opened => {
  const { page } = opened;
  await page.setViewportSize({ width: 320, height: 400 });
  show(opened, {}, { state: 'failed', problem: 'It failed.', actions: ['setKey', 'retry', 'export'] });
  await showsPlace(opened, /^Rows 1–/);
  for (const name of ['Set API Key', 'Retry', 'More Actions…']) {
    const { x = -1, width = 0 } = (await page.getByRole('button', { name, exact: true }).boundingBox()) ?? {};
    assert.ok(x >= 0 && x + width <= 320, `${name} is from ${x} to ${x + width}`);
  }
  await page.getByRole('button', { name: 'More Actions…' }).click();
  for (const name of ['Go to Row…', 'Open as SQL']) await page.getByRole('menuitem', { name }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('gridcell', { name: 'part 1', exact: true }).waitFor();
});

let couldRead = false;
const failing = (request: RowsRequest): RowWindow => {
  if (!couldRead) throw new Error('The service is gone.');
  return rows(request);
};
webviewTest(
  'missing rows are fetched again after a failure, which shows once',
  { bridge: gridBridge, methods: { rows: failing } },
  async opened => {
    const { page } = opened;
    show(opened, { hasEnd: true }, { state: 'done' });
    await page.getByRole('grid').click();
    await page.keyboard.press('Control+End');
    show(opened, { hasEnd: true }, { state: 'failed', problem: 'The service is gone.' });
    const alerts = page.getByRole('alert').filter({ visible: true, hasText: 'The service is gone.' });
    await alerts.waitFor();
    assert.equal(await alerts.count(), 1);
    couldRead = true;
    show(opened, { hasEnd: true }, { state: 'done' });
    await page.getByRole('gridcell', { name: 'part 1000', exact: true }).waitFor();
  },
);
