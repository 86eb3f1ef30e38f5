import type { Locator, Page } from 'playwright-core';
import type { TablePage } from './browsedTablePage.ts';

/** The cells of a browsed table as a user edits them. */

export const cellAt = ({ page }: TablePage, row: number, column: number): Locator =>
  page.locator(`[role="row"][aria-rowindex="${row + 2}"] [role="gridcell"][aria-colindex="${column + 2}"]`);

export const editorOf = ({ page }: TablePage, column = 'name'): Locator =>
  page.getByRole('textbox', { name: `Edit ${column}`, exact: true });

/** The table may still learn what can be edited. */
export async function waitUntilEditable({ page }: TablePage): Promise<void> {
  await page.locator('[role="grid"][aria-readonly="false"]').waitFor();
}

export async function select(opened: TablePage, row: number, column: number): Promise<void> {
  await waitUntilEditable(opened);
  await cellAt(opened, row, column).click();
}

/** Types a value into a cell of the column `name`, or of another one, and takes it with Enter. */
export async function type(
  opened: TablePage,
  row: number,
  column: number,
  text: string,
  columnName = 'name',
): Promise<void> {
  await select(opened, row, column);
  await opened.page.keyboard.type(text);
  await opened.page.keyboard.press('Enter');
  await editorOf(opened, columnName).waitFor({ state: 'detached' });
  await waitUntilTaken(opened.page);
}

/** Waits until the host has judged what was typed, and the page shows it. */
export async function waitUntilTaken(page: Page): Promise<void> {
  // The cells are marked with the next frame.
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await page.locator('[data-edit="sent"]').first().waitFor({ state: 'detached' });
}

/** Pastes a text as Ctrl+V does. */
export const pasteText = (page: Page, text: string): Promise<void> =>
  page.evaluate(pasted => {
    const data = new DataTransfer();
    data.setData('text/plain', pasted);
    document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
  }, text);
