import type { Locator } from 'playwright-core';
import type { WorkbenchSession } from './workbench/session.ts';

/** Opens the menu of a row of the tree and chooses from it. */
export async function chooseFromMenu(session: WorkbenchSession, item: string | RegExp, command: string): Promise<void> {
  await session.treeItem(item).click({ button: 'right' });
  // The menu takes no click in its first moments, which would be the end of the one that opened it.
  await session.page.getByRole('menuitem', { name: command }).hover();
  await session.page.keyboard.press('Enter');
}

/** The row that the keys of the tree go to. */
export function focusedRow({ page }: WorkbenchSession): Locator {
  return page.locator('.monaco-list:focus .monaco-list-row.focused');
}
