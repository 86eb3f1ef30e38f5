import assert from 'node:assert/strict';
import { QuickInput } from '../support/quickInput.ts';
import { runFromKeyboard } from '../support/sampleProject.ts';
import { memoryFiles, memoryFolder } from '../support/workbench/memoryFiles.ts';
import type { WorkbenchSession } from '../support/workbench/session.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const inMemory = memoryFiles();

/** Exports the rows of the active result as CSV, with the default options. */
async function exportCsv(session: WorkbenchSession): Promise<void> {
  const results = await session.webviewFrame('SQL Results');
  await results.getByRole('button', { name: 'Export…' }).click();
  const input = new QuickInput(session.page);
  const exportItem = input.root.getByRole('option', { name: /Export as CSV…/ });
  await exportItem.waitFor();
  await session.page.keyboard.press('Enter');
  await exportItem.waitFor({ state: 'detached' });
  await input.root.getByRole('button', { name: 'OK', exact: true }).click();
}

workbenchTest(
  'rows are exported to a virtual file system, and replace a file there',
  { developmentExtension: inMemory.extension },
  async session => {
    const { page } = session;
    const input = new QuickInput(page);
    await page.goto(session.server.urlFor(memoryFolder));
    await session.runCommand('SQL Projects: New Query');
    await session.waitForEditorFocus();
    await page.keyboard.type('SELECT 1 AS one;');
    const results = await runFromKeyboard(session);
    await results.getByRole('gridcell', { name: '1', exact: true }).waitFor();
    const exported = session.notifications.filter({ hasText: 'Exported 1 row to SELECT-1-AS-one.csv.' });
    await exportCsv(session);
    await exported.waitFor();
    assert.deepEqual(await inMemory.read(), { 'SELECT-1-AS-one.csv': 'one\r\n1\r\n' });
    await session.runCommand('Notifications: Clear All Notifications');
    await exportCsv(session);
    await input.root.getByText(/already exists/).waitFor();
    await input.root.getByRole('button', { name: 'OK', exact: true }).click();
    await exported.waitFor();
    assert.deepEqual(await inMemory.read(), { 'SELECT-1-AS-one.csv': 'one\r\n1\r\n' });
  },
);
