import type { Locator, Page } from 'playwright-core';
import { pressUntilShown } from './pressUntilShown.ts';
import type { WorkbenchSession } from './workbench/session.ts';

/** The proposals of the editor, while their list is shown. */
export const proposals = (page: Page): Locator => page.getByRole('listbox', { name: 'Suggest' }).getByRole('option');

/** The proposal that Enter accepts. */
export const activeProposal = (page: Page): Locator => proposals(page).and(page.locator('.focused'));

/** The box around the proposals. It is also there while they load. */
export const proposalBox = (page: Page): Locator => page.locator('.suggest-widget.visible');

/** The documentation beside the proposals. */
export const proposalDetails = (page: Page): Locator => page.locator('.suggest-details');

/** A proposal of the editor by its text. */
export const proposalOf = ({ page }: WorkbenchSession, text: RegExp): Locator =>
  proposals(page).filter({ hasText: text }).first();

/** Asks for proposals until one of them is there. The window may not have the schema yet. */
export const waitForProposal = (session: WorkbenchSession, proposal: Locator): Promise<void> =>
  pressUntilShown(session, 'Control+Space', proposal);
