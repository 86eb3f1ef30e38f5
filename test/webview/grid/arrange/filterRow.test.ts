import assert from 'node:assert/strict';
import { asRecord } from '../../../../src/base/decode.ts';
import { type GridContent, type GridPage, gridTest, numbers } from '../../../support/gridPage.ts';
import { activeCell } from '../../../support/pageParts.ts';
import { waitUntil } from '../../../support/workbench/waitUntil.ts';

const content: GridContent = {
  ...numbers(500),
  answers: {
    showFilterRow: ({ shown }, grid) => grid.show({ showsFilterRow: shown }),
  },
};

const filtersOf = (grid: GridPage): unknown[] =>
  grid.callsOf('arrange').map(({ params }) => asRecord(asRecord(params)?.['arrangement'])?.['filters']);
const fieldOf = (grid: GridPage, column: number) =>
  grid.grid.getByRole('textbox', { name: `Filter column_${column}`, exact: true });
const tool = (grid: GridPage) => grid.page.getByRole('button', { name: 'Filter Row' });

gridTest('the filter row filters its columns by keys alone', content, async grid => {
  const { page } = grid;
  const { keyboard } = page;
  const focused = page.locator(':focus');
  await grid.cell(0, 1).click();
  assert.equal(await tool(grid).getAttribute('aria-pressed'), 'false');
  await tool(grid).press('Enter');
  await fieldOf(grid, 1).and(focused).waitFor();
  assert.equal(await tool(grid).getAttribute('aria-pressed'), 'true');
  assert.equal(await fieldOf(grid, 1).getAttribute('placeholder'), '=');
  await keyboard.type('>= 490001');
  await keyboard.press('Enter');
  await page.getByText('10 of 500 rows').first().waitFor();
  await fieldOf(grid, 1).and(focused).waitFor();
  assert.equal(await fieldOf(grid, 1).inputValue(), '≥ 490001');
  await page.getByRole('group', { name: 'Filters' }).getByText('column_1 ≥ 490001').waitFor();
  // Escape restores the text, and then goes to the grid. Tab comes back to the field of the active column.
  await keyboard.type('5');
  await keyboard.press('Escape');
  assert.equal(await fieldOf(grid, 1).inputValue(), '≥ 490001');
  await keyboard.press('Escape');
  await grid.grid.and(focused).waitFor();
  await keyboard.press('Tab');
  await fieldOf(grid, 1).and(focused).waitFor();
  // A text that is not a filter is marked, and filters nothing.
  await fieldOf(grid, 1).fill('between 1');
  await keyboard.press('Enter');
  await fieldOf(grid, 1).and(page.locator('[aria-invalid="true"]')).waitFor();
  const outline = await fieldOf(grid, 1).evaluate(field => {
    document.documentElement.style.setProperty('--vscode-list-errorForeground', 'rgb(190, 17, 0)');
    return getComputedStyle(field).outlineColor;
  });
  assert.equal(outline, 'rgb(190, 17, 0)');
  // Leaving a field applies it. A plain text has the comparison of its column.
  await fieldOf(grid, 1).fill('490001');
  await keyboard.press('Tab');
  await fieldOf(grid, 2).and(focused).waitFor();
  await page.getByText('1 of 500 rows').first().waitFor();
  assert.equal(await fieldOf(grid, 1).inputValue(), '= 490001');
  await keyboard.press('Shift+Tab');
  await fieldOf(grid, 1).and(focused).waitFor();
  await fieldOf(grid, 1).fill('');
  await keyboard.press('Enter');
  await page.getByRole('group', { name: 'Filters' }).waitFor({ state: 'hidden' });
  await grid.waitForCalls('arrange', 3);
  assert.deepEqual(filtersOf(grid), [
    [{ kind: 'range', column: 1, from: '490001' }],
    [{ kind: 'equals', column: 1, text: '490001' }],
    [],
  ]);
  // The arrow goes to the cell below, and Shift+Tab from the first field to the grid.
  await keyboard.press('Tab');
  await keyboard.press('ArrowDown');
  await grid.grid.and(focused).waitFor();
  await activeCell(grid.page, 4).waitFor();
  await tool(grid).press('Enter');
  await fieldOf(grid, 1).waitFor({ state: 'detached' });
});

gridTest('the filter row shows filters that are made elsewhere, and its menu is the form', content, async grid => {
  const { page } = grid;
  grid.show({ showsFilterRow: true });
  grid.arrange({ sort: [], filters: [{ kind: 'contains', column: 0, text: '77' }] });
  await page.getByText('of 500 rows').first().waitFor();
  await waitUntil(async () => (await fieldOf(grid, 0).inputValue()) === 'contains 77', {
    what: 'the field does not show the filter',
  });
  await fieldOf(grid, 0).press('Alt+ArrowDown');
  const form = page.getByRole('dialog', { name: 'Filter column_0' });
  assert.equal(await form.getByLabel('Value', { exact: true }).inputValue(), '77');
});

gridTest('the rows are below the filter row, and screen readers count it', content, async grid => {
  const { page } = grid;
  await page.setViewportSize({ width: 900, height: 400 });
  grid.show({ showsFilterRow: true });
  await fieldOf(grid, 0).waitFor();
  assert.equal(await grid.grid.getAttribute('aria-rowcount'), '502');
  const boxOf = (selector: string) => grid.grid.locator(selector).evaluate(shown => shown.getBoundingClientRect());
  const fields = await boxOf('[aria-rowindex="2"]');
  const first = await boxOf('[aria-rowindex="3"]');
  assert.equal(first.top, fields.bottom);
  // A click selects the row that is under the pointer.
  await page.mouse.click(first.left + 100, first.top + 5);
  await activeCell(page.locator('[aria-rowindex="3"]')).waitFor();
  await page.keyboard.press('Control+End');
  await activeCell(page.locator('[aria-rowindex="502"]')).waitFor();
  const grids = await grid.grid.evaluate(shown => shown.getBoundingClientRect());
  assert.ok((await boxOf('[aria-rowindex="502"]')).bottom <= grids.bottom);
});

gridTest('the fields scroll and freeze with their columns, and keep a text out of view', content, async grid => {
  const { page } = grid;
  const { keyboard } = page;
  await page.setViewportSize({ width: 700, height: 400 });
  grid.show({ showsFilterRow: true });
  await fieldOf(grid, 0).waitFor();
  await grid.cell(1, 0).click();
  await keyboard.press('Alt+ArrowDown');
  await page.getByRole('menuitem', { name: 'Column', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Freeze up to This Column' }).click();
  await grid.lastFrozen.first().waitFor();
  await fieldOf(grid, 0).focus();
  await keyboard.press('Tab');
  await keyboard.type('between 1');
  // Tab goes through all columns and shows them.
  for (let column = 2; column < 12; column++) {
    await keyboard.press('Tab');
    await fieldOf(grid, column).and(page.locator(':focus')).waitFor();
  }
  for (const column of [0, 10, 11]) {
    const header = await grid.header(`column_${column}`).evaluate(shown => shown.getBoundingClientRect().left);
    const field = await fieldOf(grid, column).evaluate(shown => shown.parentElement!.getBoundingClientRect().left);
    assert.equal(field, header, `column_${column}`);
  }
  await fieldOf(grid, 1).waitFor({ state: 'detached' });
  await grid.grid.evaluate(shown => shown.scrollTo(0, 0));
  await fieldOf(grid, 1).waitFor();
  assert.equal(await fieldOf(grid, 1).inputValue(), 'between 1');
  assert.deepEqual(filtersOf(grid), []);
});

gridTest('a field of the filter row has its own keys, and leaves those of VS Code to it', content, async grid => {
  const { page } = grid;
  await grid.cell(0, 1).click();
  await tool(grid).press('Enter');
  await fieldOf(grid, 1).and(page.locator(':focus')).waitFor();
  await page.evaluate(() => {
    addEventListener('keydown', ({ key, ctrlKey, defaultPrevented }) => {
      if (ctrlKey && key !== 'Control') document.title += `${key} ${String(defaultPrevented)};`;
    });
  });
  await page.keyboard.type('12');
  await page.keyboard.press('Control+p');
  await page.keyboard.press('Control+g');
  await page.keyboard.press('Control+a');
  assert.match(await page.title(), /p false;g false;a false;$/);
  await page.keyboard.type('7');
  assert.equal(await fieldOf(grid, 1).inputValue(), '7');
  assert.deepEqual(grid.callsOf('askRow'), []);
  assert.equal(await grid.page.locator('[role="gridcell"][aria-selected="true"]').count(), 1);
});
