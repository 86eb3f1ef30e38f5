import type { FrameLocator, Locator } from 'playwright-core';
import { goToLine, runFromKeyboard } from './sampleProject.ts';
import type { WorkbenchSession } from './workbench/session.ts';

const script = `SELECT id, name FROM customers LIMIT 5;
SELECT 42 AS answer;
SELECT 43 AS answer;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n;
`;
/** Four statements on the sample project, one a line. */
export const shopFiles = { 'shop.sql': script };

export const tab = (results: FrameLocator, title: string): Locator =>
  results.getByRole('tab', { name: `${title}, Sample Shop` });
export const inFront = (results: FrameLocator, title: string): Promise<void> =>
  tab(results, title).and(results.locator('[aria-selected="true"]')).waitFor();

export async function runLine(session: WorkbenchSession, line: number): Promise<FrameLocator> {
  await session.editorTab('shop.sql').click();
  await session.waitForEditorFocus();
  await goToLine(session, line);
  return runFromKeyboard(session);
}
