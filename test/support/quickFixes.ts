import type { WorkbenchSession } from './workbench/session.ts';
import { waitUntil } from './workbench/waitUntil.ts';

/**
 * Opens the list of quick fixes at the cursor, with one that has this title. VS Code forgets the key when the reported faults
 * or the cursor change before the fixes have come.
 */
export async function openQuickFixes({ page }: WorkbenchSession, title: string): Promise<void> {
  const fix = page.locator('.action-widget').getByText(title);
  const isOffered = async (): Promise<boolean> => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+.');
    return fix.waitFor({ timeout: 5000 }).then(
      () => true,
      () => false,
    );
  };
  await waitUntil(isOffered, { what: `the fix "${title}" is not offered` });
}
