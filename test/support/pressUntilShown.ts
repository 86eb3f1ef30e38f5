import type { Locator } from 'playwright-core';
import type { WorkbenchSession } from './workbench/session.ts';
import { waitUntil } from './workbench/waitUntil.ts';

/** Presses a key of the editor until the list that it opens has an item. VS Code forgets such a key when the text changes. */
export async function pressUntilShown({ page }: WorkbenchSession, key: string, item: Locator): Promise<void> {
  const isShown = async (): Promise<boolean> => {
    await page.keyboard.press('Escape');
    await page.keyboard.press(key);
    return item.waitFor({ timeout: 5000 }).then(
      () => true,
      () => false,
    );
  };
  await waitUntil(isShown, { what: `${key} does not show the item` });
}
