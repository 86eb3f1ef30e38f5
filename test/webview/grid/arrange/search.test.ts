import assert from 'node:assert/strict';
import { asRecord } from '../../../../src/base/decode.ts';
import { type GridPage, gridTest, numbers } from '../../../support/gridPage.ts';
import { waitUntil } from '../../../support/workbench/waitUntil.ts';

const lastArrangement = (grid: GridPage): unknown => asRecord(grid.callsOf('arrange').at(-1)?.params)?.['arrangement'];
const chipsOf = ({ page }: GridPage) => page.getByRole('group', { name: 'Filters' });
const fieldOf = ({ page }: GridPage) => page.getByRole('textbox', { name: 'Search All Rows' });

gridTest('keys alone search all columns, and a chip shows, edits and clears the search', numbers(500), async grid => {
  const { page } = grid;
  const { keyboard } = page;
  await grid.cell(0, 1).click();
  await keyboard.press('Control+Shift+F');
  await fieldOf(grid).and(page.locator(':focus')).waitFor();
  await keyboard.type('479');
  await keyboard.press('Enter');
  const chips = chipsOf(grid);
  await chips.getByText('Any column contains 479').waitFor();
  await grid.waitForCalls('arrange', 1);
  assert.deepEqual(lastArrangement(grid), { sort: [], filters: [], search: '479' });
  await grid.grid.and(page.locator(':focus')).waitFor();
  // Row 241 has it in the first column, row 479 in all others.
  await grid.cell(0, 0).getByText('479', { exact: true }).waitFor();
  await grid.cell(1, 1).getByText('479001', { exact: true }).waitFor();
  await page.getByText('2 of 500 rows').first().waitFor();

  await chips.getByRole('button', { name: 'Any column contains 479', exact: true }).click();
  await fieldOf(grid).and(page.locator(':focus')).waitFor();
  assert.equal(await fieldOf(grid).inputValue(), '479');
  await keyboard.type('nothing');
  await keyboard.press('Escape');
  await chips.getByText('Any column contains 479').waitFor();
  await grid.grid.and(page.locator(':focus')).waitFor();

  await keyboard.press('Control+Shift+F');
  await fieldOf(grid).fill('');
  await keyboard.press('Enter');
  await chips.waitFor({ state: 'hidden' });
  await grid.waitForCalls('arrange', 2);
  assert.deepEqual(lastArrangement(grid), { sort: [], filters: [] });
  await grid.grid.and(page.locator('[aria-rowcount="501"]')).waitFor();
});

gridTest('a search stays with sorting and filters, and is cleared with them or alone', numbers(500), async grid => {
  const { page } = grid;
  const search = async (text: string): Promise<void> => {
    await grid.grid.focus();
    await page.keyboard.press('Control+Shift+F');
    await fieldOf(grid).fill(text);
    await page.keyboard.press('Enter');
    await chipsOf(grid).getByText(`Any column contains ${text}`).waitFor();
  };
  await search('77');
  await grid.header('column_1').click();
  await grid.grid.locator('[aria-sort="ascending"]').waitFor();
  await grid.waitForCalls('arrange', 2);
  assert.deepEqual(lastArrangement(grid), { sort: [{ column: 1, descending: false }], filters: [], search: '77' });
  await chipsOf(grid).getByRole('button', { name: 'Clear Filter: Any column contains 77' }).click();
  await chipsOf(grid).waitFor({ state: 'hidden' });
  await grid.grid.and(page.locator(':focus')).waitFor();
  await search('78');
  await grid.cell(0, 1).click();
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Filter by This Value' }).click();
  await page.getByRole('button', { name: 'Clear Filters' }).click();
  await chipsOf(grid).waitFor({ state: 'hidden' });
  await grid.waitForCalls('arrange', 6);
  assert.deepEqual(lastArrangement(grid), { sort: [{ column: 1, descending: false }], filters: [] });
});

gridTest('a field for a search that is left without Enter disappears', numbers(20), async grid => {
  const top = async () => (await grid.grid.boundingBox())?.y ?? 0;
  const before = await top();
  await grid.grid.focus();
  await grid.page.keyboard.press('Control+Shift+F');
  await fieldOf(grid).fill('7');
  assert.ok((await top()) > before, 'the bar with the field is above the rows');
  await grid.cell(3, 1).click();
  await fieldOf(grid).waitFor({ state: 'detached' });
  await waitUntil(async () => (await top()) === before, { what: 'the bar of the field stays' });
  assert.equal(grid.callsOf('arrange').length, 0);
});

gridTest('the matches of a search are marked in the cells', numbers(500), async grid => {
  await grid.grid.focus();
  await grid.page.keyboard.press('Control+Shift+F');
  await fieldOf(grid).fill('479');
  await grid.page.keyboard.press('Enter');
  await grid.cell(1, 1).getByText('479001', { exact: true }).waitFor();
  const marked = (): Promise<number> => grid.page.evaluate(() => CSS.highlights.get('match')?.size ?? 0);
  while ((await marked()) === 0) await grid.nextFrame();
});
