import type { Locator } from 'playwright-core';
import type { WorkbenchSession } from './workbench/session.ts';

/** Opens the context menu of a tree row and picks an item. */
export async function chooseFromMenu(session: WorkbenchSession, item: string | RegExp, command: string): Promise<void> {
  // A list that closes takes the focus away, and a menu without the focus closes.
  await session.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  await session.treeItem(item).click({ button: 'right' });
  // A new menu ignores clicks for a moment, so that the click that opened it does not pick an item.
  await session.page.getByRole('menuitem', { name: command }).hover();
  await session.page.locator('.monaco-menu .action-item.focused').filter({ hasText: command }).waitFor();
  await session.page.keyboard.press('Enter');
}

/** The focused row of the tree. */
export function focusedRow({ page }: WorkbenchSession): Locator {
  return page.locator('.monaco-list:focus .monaco-list-row.focused');
}

/** Gives the tree of projects the focus, as a person does who uses no mouse. */
export const focusTree = (session: WorkbenchSession): Promise<void> =>
  session.runCommand('SQL Projects: Focus on SQL Projects View');

/** Presses a key until the row has the focus. */
export async function goToRow(session: WorkbenchSession, name: string | RegExp, key = 'ArrowDown'): Promise<void> {
  const row = focusedRow(session).and(session.treeItem(name));
  for (let pressed = 0; pressed < 40 && !(await row.count()); pressed++) await session.page.keyboard.press(key);
  await row.waitFor();
}
