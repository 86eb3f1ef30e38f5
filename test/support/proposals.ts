import type { Locator } from 'playwright-core';
import type { WorkbenchSession } from './workbench/session.ts';
import { waitUntil } from './workbench/waitUntil.ts';

/** A proposal of the editor by its text. */
export const proposalOf = ({ page }: WorkbenchSession, text: RegExp): Locator =>
  page.locator('.suggest-widget .monaco-list-row').filter({ hasText: text }).first();

/** Asks for proposals until one of them is there. The window may not have the schema yet. */
export async function waitForProposal({ page }: WorkbenchSession, proposal: Locator): Promise<void> {
  const isOffered = async (): Promise<boolean> => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Space');
    return proposal.waitFor({ timeout: 3000 }).then(
      () => true,
      () => false,
    );
  };
  await waitUntil(isOffered, { what: 'the proposal is not offered' });
}
