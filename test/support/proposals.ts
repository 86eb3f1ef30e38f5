import type { Locator } from 'playwright-core';
import { pressUntilShown } from './pressUntilShown.ts';
import type { WorkbenchSession } from './workbench/session.ts';

/** A proposal of the editor by its text. */
export const proposalOf = ({ page }: WorkbenchSession, text: RegExp): Locator =>
  page.locator('.suggest-widget .monaco-list-row').filter({ hasText: text }).first();

/** Asks for proposals until one of them is there. The window may not have the schema yet. */
export const waitForProposal = (session: WorkbenchSession, proposal: Locator): Promise<void> =>
  pressUntilShown(session, 'Control+Space', proposal);
