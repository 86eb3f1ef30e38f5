import type { Page } from 'playwright-core';
import { readyWebviews, webviewContent } from './workbench/workbenchParts.ts';

/** Opens what `npm start` opens. Waits, without a click or a key, until the tree, the SQL file and rows are in view. */
export async function waitForSampleRows(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByRole('treeitem', { name: /^customers/ }).waitFor();
  await page.getByRole('tab', { name: /^shop\.sql/ }).waitFor();
  const results = webviewContent(readyWebviews(page));
  await results.getByRole('gridcell').first().waitFor();
}
