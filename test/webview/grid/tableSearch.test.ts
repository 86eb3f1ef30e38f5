import assert from 'node:assert/strict';
import { buttonIn, cellIn, chooseTool, tablePageTest } from '../../support/browsedTablePage.ts';
import { keyPicture } from '../../support/pageParts.ts';

/** A table's page in a browser, with the extension's own code and a real service behind it. */

tablePageTest('the find bar searches all rows at the service when the loaded ones have no match', async opened => {
  const { page } = opened;
  await cellIn(page, 'part 1').click();
  await page.keyboard.press('Control+f');
  await page.getByRole('textbox', { name: 'Find in Loaded Rows' }).fill('PART 4321');
  await page.getByText('No results').waitFor();
  await page.getByRole('search').getByRole('button', { name: 'Search All Rows' }).click();
  await cellIn(page, 'part 4321').waitFor();
  await page.getByText(/^Row 1 of 1$/).waitFor();
  await page.getByText('1 of 1', { exact: true }).waitFor();
  await opened.picture('browse-search');
  const chip = page.getByRole('group', { name: 'Filters' });
  await chip.getByText('Any column contains PART 4321').waitFor();
  await chip.getByRole('button', { name: /^Clear Filter/ }).click();
  await cellIn(page, 'part 1').waitFor();
});

tablePageTest('the search tool finds a text in any column, in the order of the sort keys', async opened => {
  const { page } = opened;
  await cellIn(page, 'part 1').waitFor();
  await buttonIn(page, 'Search All Rows').click();
  await page.getByRole('textbox', { name: 'Search All Rows' }).fill('t 49');
  await page.keyboard.press('Enter');
  await page.getByText(/^Rows 1–\d+ of 111$/).waitFor();
  await page.getByRole('columnheader', { name: 'id', exact: true }).click();
  await page.getByRole('columnheader', { name: 'id', exact: true }).click();
  await cellIn(page, 'part 4999').waitFor();
  await page.getByText('sorted by id ▾ · filtered').waitFor();
});

tablePageTest(
  'far unsorted rows offer to sort by the primary key, after which the same rows have a fixed order',
  async opened => {
    const { page, host, execute } = opened;
    await cellIn(page, 'part 1').waitFor();
    assert.equal(await buttonIn(page, 'Sort by Primary Key').count(), 0);
    host.row = 14_999;
    await chooseTool(page, 'Go to Row…');
    await cellIn(page, 'part 15000').waitFor();
    await buttonIn(page, 'Sort by Primary Key').click();
    await page.getByText('sorted by id ▴').waitFor();
    await buttonIn(page, 'Sort by Primary Key').waitFor({ state: 'hidden' });
    await cellIn(page, 'part 1').waitFor();
    await chooseTool(page, 'Go to Row…');
    await cellIn(page, 'part 15000').waitFor();
    // Rows that are written before the ones in view do not shift the next pages.
    await execute(`INSERT INTO parts SELECT -id, 'new' FROM parts WHERE id <= 3000`);
    host.row = 15_499;
    await chooseTool(page, 'Go to Row…');
    await cellIn(page, 'part 15500').waitFor();
  },
  {
    setup: [
      `INSERT INTO parts SELECT id + 5000, 'part ' || (id + 5000) FROM parts`,
      `INSERT INTO parts SELECT id + 10000, 'part ' || (id + 10000) FROM parts`,
    ],
  },
);

tablePageTest('Sort by Primary Key is in the menu while the rows are unsorted', async opened => {
  const { page } = opened;
  await cellIn(page, 'part 1').waitFor();
  await page.getByText('Unsorted').waitFor();
  // The keys of the columns come after the rows.
  await keyPicture(page.getByRole('columnheader', { name: 'id' }), 'primaryKey').waitFor();
  await chooseTool(page, 'Sort by Primary Key');
  await page.getByText('sorted by id ▴').waitFor();
  await buttonIn(page, 'More Actions…').click();
  await page.getByRole('menuitem', { name: 'Open as SQL' }).waitFor();
  assert.equal(await page.getByRole('menuitem', { name: 'Sort by Primary Key' }).count(), 0);
});
