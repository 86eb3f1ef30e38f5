import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { openStatementRuns } from '../../support/statementRuns.ts';
import { extensionUri, webviewIn } from '../../support/webviewHost.ts';
import { pageTest } from '../../support/webviewPage.ts';

const { ResultPage } = await import('../../../src/host/results/resultPage.ts');
const { newResult } = await import('../../../src/host/results/result.ts');

const { newRun } = await openStatementRuns();

interface ShownResult {
  readonly page: Page;
  readonly grid: Locator;
  readonly cell: (row: number, column: number) => Locator;
}

/** A statement of the real service in a page, with the real result page, rows thread and spool behind it. */
function resultTest(name: string, sql: string, body: (result: ShownResult) => Promise<void>): void {
  pageTest(name, async ({ page }) => {
    const run = newRun(sql);
    const { webview, load } = webviewIn(page);
    const resultPage = new ResultPage({
      extensionUri,
      webview,
      title: 'Results',
      isVisible: () => true,
      exportRows: () => Promise.resolve(),
      methods: {},
    });
    try {
      const profile = { id: 'shop', name: 'Shop', protection: 'open', color: undefined } as const;
      await resultPage.show(newResult(run, { profile, statement: sql }));
      const ended = run.start();
      await load();
      await ended;
      const grid = page.getByRole('grid');
      await grid.getByRole('gridcell').first().waitFor();
      await body({
        page,
        grid,
        cell: (row, column) => grid.locator(`[aria-rowindex="${row + 2}"] [aria-colindex="${column + 2}"]`),
      });
    } finally {
      resultPage.dispose();
      await run.dispose();
    }
  });
}

const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
SELECT i, (i * 7919) % 5000 AS mixed, iif(i % 10, 'text ' || i, NULL) AS words, json_object('row', i) AS doc FROM n`;

resultTest('the host sorts and filters the rows of a result', numbers, async ({ page, grid, cell }) => {
  await grid.getByRole('columnheader', { name: 'mixed', exact: true }).click();
  await cell(0, 1).getByText('0', { exact: true }).waitFor();
  await cell(1, 1).getByText('1', { exact: true }).waitFor();
  await cell(0, 2).click();
  await page.keyboard.press('Alt+ArrowDown');
  await page.getByRole('menuitem', { name: 'Filter…', exact: true }).click();
  await page.getByRole('dialog').getByLabel('Value', { exact: true }).fill('TEXT 77');
  await page.keyboard.press('Enter');
  await page.getByText('10 of 5,000 rows').first().waitFor();
  assert.equal(await grid.getAttribute('aria-rowcount'), '11');
  await page.getByRole('button', { name: /^Clear Filter/ }).click();
  await page.getByText('of 5,000 rows').first().waitFor({ state: 'hidden' });
});

resultTest('the host finds a text in rows that the page never had', numbers, async ({ page, grid }) => {
  await grid.focus();
  await page.keyboard.press('Control+f');
  await page.getByRole('search').getByRole('textbox').fill('text 4999');
  await page.getByText('1 of 1', { exact: true }).waitFor();
  await page.getByText('Row 4,999 of 5,000 · words').waitFor();
  await page.keyboard.press('Escape');
  await grid.and(page.locator(':focus')).waitFor();
});

resultTest('the host summarizes a column over all rows', numbers, async ({ page, cell }) => {
  await cell(0, 0).click();
  await page.keyboard.press('Control+Space');
  await page.getByText('Sum 12502500').waitFor();
});

const longText = `SELECT printf('%.*c', 3000000, 'x') AS long, 9223372036854775807 AS big`;
resultTest('the record shows the beginning of a long value of the host', longText, async ({ page, cell }) => {
  await cell(0, 0).click();
  await page.keyboard.press('Space');
  const record = page.getByRole('complementary', { name: 'Record' });
  await record.getByRole('definition').getByText('9223372036854775807').waitFor();
  await record.getByRole('button', { name: 'Load All 3,000,000 Characters' }).click();
  await record.getByText('The first 1,000,000 of 3,000,000 characters.').waitFor();
});
