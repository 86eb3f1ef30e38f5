import assert from 'node:assert/strict';
import { alertIn, buttonIn, cellIn, type TablePage, tablePageTest } from '../../support/browsedTablePage.ts';
import { cellAt, select, type } from '../../support/editedCells.ts';
import { editBar, messagesIn, problemCells } from '../../support/pageParts.ts';
import { waitUntil } from '../../support/workbench/waitUntil.ts';
import { setTheme } from '../../support/webviewThemes.ts';

/** Edits that cannot be saved, marked at their cells in the page of a real table. */

const checked = [
  'DROP TABLE parts',
  'CREATE TABLE parts(id INTEGER PRIMARY KEY, name TEXT CONSTRAINT short CHECK (length(name) < 10))',
  `INSERT INTO parts WITH RECURSIVE i(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM i LIMIT 5000) SELECT i, 'part ' || i FROM i`,
];

const checkedTest = (name: string, body: (opened: TablePage) => Promise<void>): void =>
  tablePageTest(name, body, { setup: checked });

async function refuse({ save }: Pick<TablePage, 'save'>): Promise<void> {
  await assert.rejects(save(), /Nothing was saved/);
}

checkedTest('the cells that a save was refused for are marked, and F8 goes from one to the next', async opened => {
  const { page } = opened;
  await type(opened, 0, 1, 'fine');
  await type(opened, 1, 1, 'much too long a name');
  await type(opened, 3, 1, 'this one is too long');
  await refuse(opened);
  await page.getByText('2 problems').waitFor();
  const marked = cellAt(opened, 1, 1);
  await problemCells(page).nth(1).waitFor();
  assert.equal(await problemCells(page).count(), 2);
  assert.equal(await marked.getAttribute('title'), 'The CHECK constraint forbids it: short');
  assert.equal(await marked.getAttribute('aria-description'), 'The CHECK constraint forbids it: short');
  assert.equal(await marked.getAttribute('aria-invalid'), 'true');
  await select(opened, 0, 0);
  await page.keyboard.press('F8');
  await page.getByText('Row 2 · name').waitFor();
  await messagesIn(page).getByText('The CHECK constraint forbids it: short', { exact: true }).waitFor();
  await page.keyboard.press('F8');
  await page.getByText('Row 4 · name').waitFor();
  await page.keyboard.press('F8');
  await page.getByText('Row 2 · name').waitFor();
  await page.keyboard.press('Shift+F8');
  await page.getByText('Row 4 · name').waitFor();
  await buttonIn(page, '2 problems').click();
  await page.getByText('Row 2 · name').waitFor();
});

/** The places of the headers and rows in view. */
const placesIn = ({ page }: TablePage): Promise<readonly (readonly [string | null, number, number])[]> =>
  page.locator('[role="columnheader"], [role="gridcell"]').evaluateAll(cells =>
    cells
      .map(cell => [cell, cell.getBoundingClientRect()] as const)
      .filter(([, { bottom }]) => bottom < 250)
      .map(([cell, { left, top }]) => [cell.getAttribute('aria-colindex'), left, top] as const),
  );

checkedTest('neither edits nor problems nor messages move a header or a row', async opened => {
  const { page, document, save } = opened;
  await select(opened, 1, 1);
  const places = await placesIn(opened);
  assert.ok(places.length > 12);
  const areUnmoved = async (): Promise<void> => assert.deepEqual(await placesIn(opened), places);
  await type(opened, 1, 1, 'fine');
  await page.getByText('1 row to update').waitFor();
  await areUnmoved();
  await type(opened, 2, 1, 'much too long a name');
  await refuse(opened);
  await alertIn(page, 'Nothing was saved').waitFor();
  await page.getByText('1 problem', { exact: true }).waitFor();
  await areUnmoved();
  // Problems of typed texts and of the active cell.
  await type(opened, 3, 0, 'x', 'id');
  await alertIn(page, "'id' takes an integer").waitFor();
  await areUnmoved();
  await select(opened, 3, 0);
  assert.equal(await page.getByText("'id' takes an integer").and(page.locator('p:visible')).count(), 1, 'once');
  await areUnmoved();
  await page.keyboard.press('Escape');
  await alertIn(page, "'id' takes an integer").waitFor({ state: 'detached' });
  await document.revert();
  await editBar(page).waitFor({ state: 'hidden' });
  await areUnmoved();
  await type(opened, 1, 1, 'fine');
  await save();
  await page.getByRole('status').filter({ hasText: '1 row updated' }).waitFor();
  await areUnmoved();
});

checkedTest('the reason of a failed save is shown once', async opened => {
  const { page } = opened;
  await type(opened, 0, 1, 'much too long a name');
  await buttonIn(page, 'Save Changes').click();
  await page.getByText('1 problem', { exact: true }).waitFor();
  // The answer to the save is there before rows that are asked for afterwards.
  await page.getByRole('grid').evaluate(grid => grid.scrollTo(0, 1_000_000));
  await cellIn(page, 'part 1000').waitFor();
  assert.equal(await page.getByText('Nothing was saved').count(), 1);
});

checkedTest('a problem disappears with the edit of its row, and the others stay', async opened => {
  const { page, save, query } = opened;
  await type(opened, 0, 1, 'much too long a name');
  await type(opened, 1, 1, 'this one is too long');
  await refuse(opened);
  await page.getByText('2 problems').waitFor();
  await type(opened, 0, 1, 'short');
  await page.getByText('1 problem', { exact: true }).waitFor();
  await cellAt(opened, 0, 1).and(page.locator(':not([data-problem])')).waitFor();
  await type(opened, 1, 1, 'too');
  await page.getByText('1 problem', { exact: true }).waitFor({ state: 'hidden' });
  await save();
  assert.deepEqual(await query('SELECT name FROM parts WHERE id <= 2 ORDER BY id'), [['short'], ['too']]);
});

checkedTest('F8 fetches the row of a problem that is far away, in the order shown', async opened => {
  const { page } = opened;
  await type(opened, 1, 1, 'much too long a name');
  await refuse(opened);
  await page.getByText('1 problem', { exact: true }).waitFor();
  await page.getByRole('columnheader', { name: 'id' }).click();
  await page.getByText('sorted by id').waitFor();
  await page.getByRole('columnheader', { name: 'id' }).click();
  await cellIn(page, 'part 5000').waitFor();
  await select(opened, 0, 0);
  await page.keyboard.press('F8');
  await page.getByText('Row 4,999 · name').waitFor();
  await cellIn(page, 'much too long a name').and(problemCells(page)).waitFor();
});

tablePageTest(
  'values that are refused before a save are marked at their cells, and not taken',
  async opened => {
    const { page, document } = opened;
    await select(opened, 0, 1);
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Delete');
    await alertIn(page, "'name' cannot be NULL.").waitFor();
    await page.getByText('2 problems').waitFor();
    assert.ok(document.editing.edits.isEmpty);
    await problemCells(page).nth(1).waitFor();
    await type(opened, 0, 1, 'x');
    await type(opened, 1, 1, 'y');
    await page.getByText('2 rows to update').waitFor();
    await page
      .getByText(/problem/)
      .first()
      .waitFor({ state: 'hidden' });
  },
  {
    setup: [
      'DROP TABLE parts',
      'CREATE TABLE parts(id INTEGER PRIMARY KEY, name TEXT NOT NULL)',
      `INSERT INTO parts VALUES (1, 'a'), (2, 'b')`,
    ],
  },
);

tablePageTest('an unresolved conflict is marked with the value before, theirs and mine', async opened => {
  const { page, save, execute } = opened;
  await type(opened, 0, 1, 'mine');
  await execute(`UPDATE parts SET name = 'theirs' WHERE id = 1`);
  await assert.rejects(save(), /1 row has changed/);
  await problemCells(page).waitFor();
  assert.match(
    (await cellAt(opened, 0, 1).getAttribute('title')) ?? '',
    /Before: 'part 1' · In the table now: 'theirs' · Yours: 'mine'/,
  );
});

for (const theme of ['light', 'dark', 'highContrast'] as const) {
  checkedTest(`cells with problems in ${theme} (picture)`, async opened => {
    const { page } = opened;
    await setTheme(page, theme);
    await type(opened, 0, 1, 'much too long a name');
    await type(opened, 2, 1, 'fine');
    await refuse(opened);
    await page.getByText('1 problem', { exact: true }).waitFor();
    await page.keyboard.press('F8');
    await messagesIn(page).getByText('The CHECK constraint forbids it: short', { exact: true }).waitFor();
    await opened.picture(`editing-problems-${theme}`);
  });
}

tablePageTest(
  'a save without an answer offers to check its outcome, which says what happened and saves nothing twice',
  async opened => {
    const { page, save, query, host } = opened;
    await type(opened, 0, 1, 'first');
    await assert.rejects(save(), /It is unknown whether the changes were saved/);
    await page.getByText('Outcome unknown · 1 row to update').waitFor();
    assert.ok(await buttonIn(page, 'Save Changes').isHidden());
    await opened.picture('editing-outcome-unknown');
    await buttonIn(page, 'Check Outcome').click();
    await waitUntil(() => host.outcomes.length > 0, { what: 'no outcome is shown' });
    await page.getByText('Outcome unknown').waitFor({ state: 'hidden' });
    assert.deepEqual(host.outcomes, ['The last save had been done: 1 row updated.']);
    assert.deepEqual(await query('SELECT name FROM parts WHERE id = 1'), [['first']]);
    await cellIn(page, 'first').waitFor();
  },
  { loseFirstWrite: true },
);
