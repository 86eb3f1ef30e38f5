import type { Locator } from 'playwright-core';
import { editorLines } from './workbench/editorParts.ts';
import type { WorkbenchSession } from './workbench/session.ts';

/** Shows the log of the extension, waits until it has the focus, and returns its lines. Only the last ones are in view. */
export async function showLog(session: WorkbenchSession): Promise<Locator> {
  const { page } = session;
  const name = 'SQL Projects - Output';
  await session.runCommand('Output: Show Output Channels...');
  await page.getByRole('option', { name: 'SQL Projects' }).first().click();
  const input = page.getByRole('textbox', { name });
  await input.and(page.locator(':focus')).waitFor({ state: 'attached' });
  return page.getByRole('document', { name }).locator(editorLines(page));
}
