import type { FrameLocator, Locator } from 'playwright-core';
import { goToLine, runFromKeyboard } from './sampleProject.ts';
import type { WorkbenchSession } from './workbench/session.ts';

const script = `SELECT * FROM customers LIMIT 5;

SELECT * FROM order_lines;
SELECT '<b>bold</b>' AS markup, NULL AS missing, '' AS empty, 9007199254740993 AS big, 1 AS a, 2 AS a;
SELECT * FROM nowhere;
UPDATE products SET stock = stock WHERE id <= 3;
SELECT id FROM customers WHERE id < 0;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n;
`;
export const shopStatements = { 'shop.sql': script };
export const withoutLimit = {
  files: shopStatements,
  settings: { 'sqlProjects.results.maxRows': Number.MAX_SAFE_INTEGER },
};

/** Runs an endless statement, and returns the results view with its first rows. */
export async function runEndless(session: WorkbenchSession): Promise<FrameLocator> {
  await session.openFile('shop.sql');
  await goToLine(session, 8);
  const results = await runFromKeyboard(session);
  await results.getByRole('gridcell', { name: '5', exact: true }).waitFor();
  return results;
}

/** The names of the columns in view. The type of a column is below its name in the text. */
export async function headerNames(grid: Locator | FrameLocator): Promise<(string | undefined)[]> {
  const texts = await grid.getByRole('columnheader').allInnerTexts();
  return texts.map(text => text.split('\n')[0]);
}
