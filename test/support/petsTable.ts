import type { FrameLocator } from 'playwright-core';
import { editBar } from './pageParts.ts';
import type { TestService } from './testService.ts';
import { browseTable } from './windowTable.ts';
import type { WorkbenchSession } from './workbench/session.ts';

export const pets = `CREATE TABLE pets(id INTEGER PRIMARY KEY, name TEXT); INSERT INTO pets VALUES (1, 'Ida'), (2, 'Bo')`;

export async function browsePets(session: WorkbenchSession): Promise<FrameLocator> {
  const table = await browseTable(session, 'pets');
  await table.locator('[role="grid"][aria-readonly="false"]').waitFor();
  return table;
}

/** The bar stays while a save runs, with another text. */
export const hasNoEdits = (table: FrameLocator): Promise<void> => editBar(table).waitFor({ state: 'hidden' });

export const cell = (table: FrameLocator, text: string) => table.getByRole('gridcell', { name: text, exact: true });

export async function rename(session: WorkbenchSession, table: FrameLocator, from: string, to: string): Promise<void> {
  await cell(table, from).click();
  await session.page.keyboard.press('F2');
  await table.getByRole('textbox', { name: 'Edit name' }).fill(to);
  await session.page.keyboard.press('Enter');
  await cell(table, to).waitFor();
  await editBar(table).getByText('1 row to update').waitFor();
}

export const namesIn = async ({ query }: TestService): Promise<unknown[]> =>
  (await query('SELECT name FROM pets ORDER BY id')).flat();
