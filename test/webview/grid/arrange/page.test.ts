import assert from 'node:assert/strict';
import type { RowsRequest } from '../../../../src/protocol/results.ts';
import { asRecord } from '../../../../src/base/decode.ts';
import { type GridPage, gridTest, numbers } from '../../../support/gridPage.ts';
import { setTheme } from '../../../support/webviewThemes.ts';
import { never } from '../../../support/never.ts';
import { waitUntil } from '../../../support/workbench/waitUntil.ts';

const arrangements = (grid: GridPage): unknown[] =>
  grid.callsOf('arrange').map(({ params }) => asRecord(params)?.['arrangement']);

gridTest('clicks on a header sort up, then down, then not at all, and aria-sort follows', numbers(500), async grid => {
  const header = grid.header('column_0');
  await header.click();
  // The first row has the lowest number in both orders.
  await grid.cell(1, 0).getByText('2', { exact: true }).waitFor();
  await header.and(grid.page.locator('[aria-sort="ascending"]')).waitFor();
  await header.click();
  await grid.cell(0, 0).getByText('999', { exact: true }).waitFor();
  await header.and(grid.page.locator('[aria-sort="descending"]')).waitFor();
  await header.click();
  await grid.cell(1, 0).getByText('919', { exact: true }).waitFor();
  await header.and(grid.page.locator(':not([aria-sort])')).waitFor();
});

gridTest('Shift+click adds a sort key, and the marks have numbers', numbers(500), async grid => {
  await grid.header('column_0').click();
  await grid.header('column_2').click({ modifiers: ['Shift'] });
  await grid.header('column_2').click({ modifiers: ['Shift'] });
  await grid.page.locator('[aria-sort="descending"]').waitFor();
  await grid.waitForCalls('arrange', 3);
  assert.deepEqual(arrangements(grid).at(-1), {
    sort: [
      { column: 0, descending: false },
      { column: 2, descending: true },
    ],
    filters: [],
  });
  assert.equal(await grid.header('column_0').getAttribute('aria-description'), 'sort key 1');
  assert.equal(await grid.header('column_2').getAttribute('aria-description'), 'sort key 2');
});

gridTest('keys alone add a filter, and its chip shows, edits and removes it', numbers(500), async grid => {
  const { page } = grid;
  await grid.cell(0, 1).click();
  await page.keyboard.press('Alt+ArrowDown');
  await page.getByRole('menu', { name: 'Column column_1' }).waitFor();
  await page.keyboard.press('f');
  await page.keyboard.press('f');
  await page.getByRole('menuitem', { name: 'Filter by Values…' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('f');
  await page.getByRole('menuitem', { name: 'Filter…', exact: true }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  const form = page.getByRole('dialog', { name: 'Filter column_1' });
  await form.getByLabel('Value', { exact: true }).and(page.locator(':focus')).waitFor();
  // A column of numbers is compared, unless another operator is chosen.
  assert.equal(await form.getByLabel('Condition').inputValue(), 'equals');
  await form.getByLabel('Condition').selectOption('contains');
  await form.getByLabel('Value', { exact: true }).fill('77');
  await page.keyboard.press('Enter');
  const chips = page.getByRole('group', { name: 'Filters' });
  await chips.getByText('column_1 contains 77').waitFor();
  // The tooltip has the whole text of a chip that is cut.
  await chips.getByTitle('column_1 contains 77', { exact: true }).waitFor();
  await page.getByText('5 of 500 rows').first().waitFor();
  await grid.grid.and(page.locator(':focus')).waitFor();
  await grid.grid.and(page.locator('[aria-rowcount="6"]')).waitFor();
  await grid.header('column_1').and(page.locator('[aria-description="filtered"]')).waitFor();

  await chips.getByRole('button', { name: 'Edit Filter: column_1 contains 77' }).click();
  await page.getByLabel('Condition').selectOption('greaterOrEqual');
  await page.getByLabel('Value', { exact: true }).fill('490001');
  await page.getByRole('button', { name: 'Apply' }).click();
  await chips.getByText('column_1 ≥ 490001').waitFor();
  // The status for screen readers keeps its last text.
  const count = page.getByText('of 500 rows').and(page.locator(':not([role="status"])'));
  await count.filter({ hasText: /^10 of/ }).waitFor();
  await chips.getByRole('button', { name: 'Clear Filter: column_1 ≥ 490001' }).click();
  await count.waitFor({ state: 'hidden' });
  await grid.grid.and(page.locator('[aria-rowcount="501"]')).waitFor();
  await grid.grid.and(page.locator(':focus')).waitFor();
});

gridTest('the text of a chip can be edited in its place', numbers(500), async grid => {
  const { page } = grid;
  const chips = page.getByRole('group', { name: 'Filters' });
  const focused = page.locator(':focus');
  grid.arrange({ sort: [], filters: [{ kind: 'range', column: 1, from: '490001' }] });
  await chips.getByRole('button', { name: 'column_1 ≥ 490001', exact: true }).click();
  const field = chips.getByRole('textbox', { name: 'Filter column_1' });
  await field.and(focused).waitFor();
  assert.equal(await field.inputValue(), '≥ 490001');
  await field.fill('between 1');
  await page.keyboard.press('Enter');
  await page.locator('[aria-invalid="true"]').waitFor();
  await field.fill('not between 1001 and 498001');
  await page.keyboard.press('Enter');
  await chips.getByRole('button', { name: 'column_1 not between 1001 and 498001', exact: true }).waitFor();
  await grid.grid.and(focused).waitFor();
  await grid.waitForCalls('arrange', 1);
  assert.deepEqual(arrangements(grid).at(-1), {
    sort: [],
    filters: [{ kind: 'range', column: 1, from: '1001', to: '498001', not: true }],
  });
  await page.getByText('2 of 500 rows').first().waitFor();
  // Escape leaves the filter as it was, and an empty text removes it.
  await chips.getByRole('button', { name: 'column_1 not between 1001 and 498001', exact: true }).click();
  await field.fill('5');
  await page.keyboard.press('Escape');
  await chips.getByRole('button', { name: 'column_1 not between 1001 and 498001', exact: true }).click();
  await field.fill('');
  await page.keyboard.press('Enter');
  await chips.waitFor({ state: 'hidden' });
});

const counted = {
  ...numbers(500),
  answers: {
    values: ({ query: { search } }: { query: { search: string } }) => ({
      values: [
        { text: '7', count: 20 },
        { text: 'a, b', count: 3 },
        { text: null, count: 1 },
      ].filter(({ text }) => search === '' || text?.includes(search)),
      hasMore: true as const,
    }),
  },
};
gridTest('a list of the values with their counts makes a filter, by keys alone', counted, async grid => {
  const { page } = grid;
  const { keyboard } = page;
  await grid.cell(0, 0).click();
  await keyboard.press('Alt+ArrowDown');
  await page.getByRole('menuitem', { name: 'Filter by Values…' }).press('Enter');
  const form = page.getByRole('dialog', { name: 'Filter column_0' });
  const search = form.getByRole('textbox', { name: 'Search values' });
  await search.and(page.locator(':focus')).waitFor();
  assert.equal(await form.getByRole('textbox').count(), 1);
  const apply = form.getByRole('button', { name: 'Apply' });
  assert.equal(await apply.isDisabled(), true, 'no value is chosen');
  const options = form.getByRole('listbox', { name: /^Values/ }).getByRole('option');
  await options.first().waitFor();
  assert.deepEqual(await options.allInnerTexts(), ['7\n20', 'a, b\n3', 'NULL\n1']);
  await form.getByText('More values exist. Search to find them.').waitFor();
  await keyboard.press('ArrowDown');
  await keyboard.press('Space');
  await keyboard.press('ArrowDown');
  await keyboard.press('Space');
  await keyboard.press('End');
  await keyboard.press('Space');
  await form.getByText('3 selected').waitFor();
  await keyboard.press('Home');
  await keyboard.press('Space');
  assert.deepEqual(await options.evaluateAll(all => all.map(option => option.ariaSelected)), ['false', 'true', 'true']);
  await search.fill('a');
  await options.nth(1).waitFor({ state: 'hidden' });
  await keyboard.press('Enter');
  await page.getByRole('button', { name: 'column_0 in "a, b", NULL', exact: true }).waitFor();
  await grid.waitForCalls('arrange', 1);
  assert.deepEqual(arrangements(grid).at(-1), {
    sort: [],
    filters: [{ kind: 'in', column: 0, texts: ['a, b'], withNull: true }],
  });
});

gridTest('the list of values fits small panels, and Apply is in view in the smallest', counted, async grid => {
  const { page } = grid;
  await setTheme(page, 'dark2026');
  for (const [width, height, fits] of [
    [666, 230, true],
    [450, 200, true],
    [300, 120, false],
  ] as const) {
    await page.setViewportSize({ width, height });
    await grid.cell(0, 0).click();
    await page.keyboard.press('Alt+ArrowDown');
    await page.getByRole('menuitem', { name: 'Filter by Values…' }).press('Enter');
    const form = page.getByRole('dialog', { name: 'Filter column_0' });
    await form.getByRole('option', { name: '7 20 rows' }).waitFor();
    const scrolled = await form.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
    assert.equal(scrolled <= 0, fits, `${scrolled} pixels are out of view at ${width} × ${height}`);
    const apply = await form.getByRole('button', { name: 'Apply' }).boundingBox();
    assert.ok(apply && apply.y >= 0 && apply.y + apply.height <= height, `Apply is at ${JSON.stringify(apply)}`);
    await grid.opened.picture(`filter-by-values-${height}`);
    await page.keyboard.press('Escape');
  }
});

gridTest('the cell menu filters by a value', numbers(500), async grid => {
  await grid.cell(3, 1).click({ button: 'right' });
  await grid.page.getByRole('menu', { name: 'Cells' }).waitFor();
  await grid.page.getByRole('menuitem', { name: 'Filter by This Value' }).click();
  await grid.page.getByText('column_1 = 3001').waitFor();
  await grid.page.getByText('1 of 500 rows').first().waitFor();
  await grid.grid.and(grid.page.locator('[aria-rowcount="2"]')).waitFor();
  await grid.cell(0, 1).getByText('3001', { exact: true }).waitFor();
  await grid.cell(0, 1).click({ button: 'right' });
  await grid.page.getByRole('menuitem', { name: 'Filter Out This Value' }).click();
  await grid.page.getByText('column_1 ≠ 3001').waitFor();
  await grid.page.getByText('499 of 500 rows').first().waitFor();
});

gridTest('a disabled button of the filter form looks disabled', numbers(500), async grid => {
  const { page } = grid;
  await setTheme(page, 'light');
  const colorsOfRemove = async (): Promise<string> => {
    await grid.cell(0, 1).click();
    await page.keyboard.press('Alt+ArrowDown');
    await page.getByRole('menuitem', { name: 'Filter…', exact: true }).click();
    const remove = page.getByRole('dialog').getByRole('button', { name: 'Clear Filter' });
    return remove.evaluate(button => [getComputedStyle(button).color, getComputedStyle(button).background].join());
  };
  const without = await colorsOfRemove();
  await page.getByRole('dialog').getByLabel('Value', { exact: true }).fill('77001');
  await page.keyboard.press('Enter');
  await page.getByRole('group', { name: 'Filters' }).waitFor();
  assert.notEqual(await colorsOfRemove(), without);
});

gridTest('the number of passing rows is announced when filters change', numbers(500), async grid => {
  const { page } = grid;
  const announced = (text: string) =>
    page.locator('[role="status"]', { hasText: new RegExp(`^${text}$`) }).waitFor({ state: 'attached' });
  await grid.cell(7, 0).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Filter by This Value' }).click();
  await announced('1 of 500 rows');
  await page.getByRole('button', { name: /^Clear Filter/ }).click();
  await announced('500 rows');
});

gridTest('a result of one row has its number in the singular while it is filtered', numbers(1), async grid => {
  const { page } = grid;
  await grid.cell(0, 0).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Filter Out This Value' }).click();
  await page.getByText('0 of 1 row', { exact: true }).first().waitFor();
});

gridTest(
  'sorting shows its progress, and Cancel leaves the rows as they were',
  { ...numbers(500), answers: { arrange: never } },
  async grid => {
    const { page } = grid;
    const isAborted = (call: number) => grid.callsOf('arrange')[call]?.signal.aborted;
    const header = grid.header('column_0');
    await header.click();
    const bar = page.getByRole('progressbar', { name: 'Arranging rows…' });
    await bar.waitFor();
    // The requested order shows before the rows are sorted.
    await header.and(page.locator('[aria-sort="ascending"]')).waitFor();
    grid.show({ arranging: 0.25 });
    await bar.and(page.locator('[value="0.25"]')).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await bar.waitFor({ state: 'hidden' });
    await waitUntil(() => isAborted(0), { what: 'Cancel does not abort the call' });
    await page.waitForFunction(() => !document.querySelector('[aria-sort]'));
    assert.equal(await grid.cell(1, 0).innerText(), '919');
    // A new arrangement aborts the pending one.
    await header.click();
    await grid.header('column_1').click();
    await page.waitForFunction(() => document.querySelector('[aria-sort]')?.getAttribute('aria-label') === 'column_1');
    await grid.waitForCalls('arrange', 3);
    await waitUntil(() => isAborted(1), { what: 'the pending call is not aborted' });
    assert.equal(isAborted(2), false);
  },
);

gridTest('the filter form closes with its result, and the next grid has the focus', numbers(500), async grid => {
  const { page } = grid;
  await grid.cell(0, 1).click();
  await page.keyboard.press('Alt+ArrowDown');
  await page.getByRole('menuitem', { name: 'Filter…', exact: true }).click();
  await page.getByRole('dialog').getByLabel('Value', { exact: true }).and(page.locator(':focus')).waitFor();
  grid.show({ runId: 'b' });
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await grid.grid.and(page.locator(':focus')).waitFor();
});

const arranged = Promise.withResolvers<void>();
gridTest(
  'the focus goes from Cancel to the grid when the rows are sorted',
  { ...numbers(500), answers: { arrange: () => arranged.promise } },
  async grid => {
    await grid.header('column_0').click();
    await grid.page.getByRole('button', { name: 'Cancel' }).focus();
    arranged.resolve();
    await grid.grid.and(grid.page.locator(':focus')).waitFor();
  },
);

gridTest(
  'a failed sort shows its reason, and the header shows the old order again',
  { ...numbers(500), answers: { arrange: () => Promise.reject(new Error('The disk is full.')) } },
  async grid => {
    await grid.header('column_0').click();
    await grid.page.getByRole('alert').filter({ hasText: 'The disk is full.' }).waitFor();
    await grid.page.waitForFunction(() => !document.querySelector('[aria-sort]'));
  },
);

let gate = Promise.resolve();
let requests = 0;
const gated = {
  rows: async (request: RowsRequest, grid: GridPage) => {
    requests++;
    await gate;
    return grid.rows(request);
  },
};
gridTest('old rows stay in view until the sorted ones have come', { ...numbers(500), answers: gated }, async grid => {
  const { page } = grid;
  await grid.cell(8, 0).getByText('352', { exact: true }).waitFor();
  const open = Promise.withResolvers<void>();
  gate = open.promise;
  requests = 0;
  await page.evaluate(() => {
    const root = document.querySelector('[role="grid"]')!;
    new MutationObserver(() => {
      const loading = root.querySelectorAll('[data-kind="loading"]').length;
      if (loading > 0) root.setAttribute('data-flashed', String(loading));
    }).observe(root, { subtree: true, childList: true, characterData: true });
  });
  await grid.header('column_0').click();
  await page.locator('[aria-sort="ascending"]').waitFor();
  await waitUntil(() => requests > 0, { what: 'the page does not request the sorted rows' });
  await page.waitForFunction(() =>
    new Promise(painted => requestAnimationFrame(() => requestAnimationFrame(painted))).then(() => true),
  );
  assert.equal(await grid.cell(1, 0).innerText(), '919');
  open.resolve();
  await grid.cell(0, 0).getByText('0', { exact: true }).waitFor();
  await grid.cell(1, 0).getByText('2', { exact: true }).waitFor();
  assert.equal(await grid.grid.getAttribute('data-flashed'), null);
});
