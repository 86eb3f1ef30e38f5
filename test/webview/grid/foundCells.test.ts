import assert from 'node:assert/strict';
import { asRecord } from '../../../src/base/decode.ts';
import type { TaggedValue } from '../../../src/protocol/shownValues.ts';
import { type GridContent, type GridPage, gridTest } from '../../support/gridPage.ts';

const cells: readonly (readonly (string | null)[])[] = [
  ['oak_shelves', 'name', '7', 'an Oak chair', null],
  ['orders', null, null, null, 'Searched about 4,096 rows'],
];

/** The result of a search: a found cell, and a note on a table. */
const found: GridContent = {
  columns: [
    { name: 'Table', type: '' },
    { name: 'Column', type: '' },
    { name: 'Row', type: '' },
    { name: 'Value', type: '', leadsTo: 'row' },
    { name: 'Note', type: '' },
  ],
  rowCount: cells.length,
  valueAt(row, column): TaggedValue {
    const text = cells[row]?.[column] ?? null;
    return text === null ? { kind: 'null' } : { kind: 'text', text };
  },
  answers: { follow: () => undefined },
};

const search = { text: 'oak', column: 3, tables: 12, searched: 5, table: 'orders' };

async function waitForFollowed(grid: GridPage, count: number): Promise<void> {
  await grid.waitForCalls('follow', count);
  assert.deepEqual(
    grid.callsOf('follow').map(({ params }) => [asRecord(params)?.['row'], asRecord(params)?.['column']]),
    Array.from({ length: count }, () => [0, 0]),
  );
}

gridTest('Enter, a double click, the arrow and the menu open the row of a found value', found, async grid => {
  const { page } = grid;
  await grid.grid.focus();
  await page.keyboard.press('Enter');
  await waitForFollowed(grid, 1);
  await grid.cell(0, 0).dblclick();
  await waitForFollowed(grid, 2);
  await grid.cell(0, 3).getByTitle('Open Row').click();
  await waitForFollowed(grid, 3);
  await grid.cell(0, 1).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Open Row' }).click();
  await waitForFollowed(grid, 4);
  assert.match((await grid.grid.getAttribute('aria-description')) ?? '', /^Press Enter to open the row\. /);
  // A note leads nowhere.
  await grid.cell(1, 0).click();
  await page.keyboard.press('Enter');
  await page.getByRole('complementary', { name: 'Record' }).waitFor();
  assert.equal(grid.callsOf('follow').length, 4);
});

const waitForMarked = (grid: GridPage, text: string): Promise<unknown> =>
  grid.page.waitForFunction(
    expected => Array.from(CSS.highlights.get('match') ?? [], String).join() === expected,
    text,
  );

gridTest(
  'the searched text is marked in the found values only, until the user finds another text',
  found,
  async grid => {
    const { page } = grid;
    grid.show({ search });
    await grid.cell(0, 4).click();
    await waitForMarked(grid, 'Oak');
    await page.keyboard.press('Control+f');
    await page.keyboard.type('name');
    await page.getByText('No results').waitFor();
    await waitForMarked(grid, 'name');
    await page.keyboard.press('Escape');
    await waitForMarked(grid, 'Oak');
  },
);

gridTest('the status line shows how far a search is, and what it found', found, async grid => {
  const status = grid.page.getByRole('contentinfo');
  grid.show({ search, state: 'running', elapsedMs: 1000 });
  await status.getByText(/^2 rows · 5 of 12 tables searched · 1\.\d s/).waitFor();
  grid.show({ search: { ...search, searched: 12, table: undefined }, state: 'done', elapsedMs: 2000 });
  await status.getByText(/^2 rows · 12 of 12 tables searched · 2\.0 s/).waitFor();
});
