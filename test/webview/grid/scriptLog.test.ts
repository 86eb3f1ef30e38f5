import assert from 'node:assert/strict';
import type { TaggedValue } from '../../../src/protocol/shownValues.ts';
import { type GridContent, type GridPage, gridTest } from '../../support/gridPage.ts';
import { setTheme, themeNames } from '../../support/webviewThemes.ts';

const lines: readonly (readonly [line: number | null, statement: string, result: string])[] = [
  [2, 'CREATE TABLE pets (name)', 'Table pets created'],
  [3, 'INSERT INTO nowhere VALUES (1)', "Line 3, column 13: no such table 'nowhere'"],
  [null, 'DROP TABLE pets', 'Table pets dropped'],
];

/** The log of a script. Its second line failed, and the document of its third one was gone. */
const log: GridContent = {
  columns: [
    { name: 'Line', type: 'INTEGER', leadsTo: 'statement' },
    { name: 'Statement', type: 'TEXT' },
    { name: 'Result', type: 'TEXT', leadsTo: 'error' },
  ],
  rowCount: lines.length,
  valueAt(row, column): TaggedValue {
    const value = lines[row]?.[column] ?? null;
    if (value === null) return { kind: 'null' };
    return typeof value === 'number' ? { kind: 'integer', text: String(value) } : { kind: 'text', text: value };
  },
  errors: [1],
};

/** The lines that the page went to, and whether to their errors. */
async function waitForVisits(grid: GridPage, ...expected: readonly (readonly [row: number, error: boolean])[]) {
  await grid.waitForCalls('goToLine', expected.length);
  const visits = grid.callsOf('goToLine').map(({ params }) => params as { row: number; error: boolean });
  assert.deepEqual(
    visits.map(({ row, error }) => [row, error]),
    expected,
  );
}

gridTest('in a script log, Enter goes to the statement of a line and Ctrl+Enter to its error', log, async grid => {
  const { page } = grid;
  await grid.grid.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+Enter');
  await waitForVisits(grid, [0, false], [1, false], [1, true]);
  assert.match(
    (await grid.grid.getAttribute('aria-description')) ?? '',
    /^Press Enter to go to the statement of a line, Ctrl\+Enter to go to its error\. /,
  );
  // The document of this line was gone.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('complementary', { name: 'Record' }).waitFor();
  assert.equal(grid.callsOf('goToLine').length, 3);
});

gridTest('in a script log, links lead to statements and errors, and so does a double click', log, async grid => {
  await grid.cell(0, 0).hover();
  await grid.cell(0, 0).getByTitle('Go to Statement').click();
  await grid.cell(1, 2).getByTitle('Go to Error').click();
  await grid.cell(0, 1).dblclick();
  await waitForVisits(grid, [0, false], [1, true], [0, false]);
  assert.equal(await grid.grid.getByTitle('Go to Error').count(), 1);
  assert.equal(await grid.grid.getByTitle('Go to Statement').count(), 2);
  await grid.grid.getByRole('gridcell', { description: 'Go to Error' }).waitFor();
});

gridTest('in a script log, the menu of a line has the ways that the line has', log, async grid => {
  const { page } = grid;
  await grid.cell(1, 1).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Go to Error' }).click();
  await grid.cell(0, 1).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Go to Statement' }).waitFor();
  assert.equal(await page.getByRole('menuitem', { name: 'Go to Error' }).count(), 0);
  await page.getByRole('menuitem', { name: 'Go to Statement' }).click();
  await grid.cell(2, 1).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Copy', exact: true }).waitFor();
  assert.equal(await page.getByRole('menuitem', { name: 'Go to Statement' }).count(), 0);
  await waitForVisits(grid, [1, true], [0, false]);
});

gridTest('in a script log that is sorted, the lines keep their links', log, async grid => {
  await grid.header('Line').click();
  await grid.header('Line').and(grid.page.locator('[aria-sort="ascending"]')).waitFor();
  await grid.header('Line').click();
  await grid.cell(0, 2).getByTitle('Go to Error').click();
  await waitForVisits(grid, [0, true]);
});

for (const theme of themeNames) {
  gridTest(`a script log in ${theme} (picture)`, log, async grid => {
    await setTheme(grid.page, theme);
    await grid.cell(1, 2).getByTitle('Go to Error').waitFor();
    await grid.opened.picture(`script-log-${theme}`);
  });
}
