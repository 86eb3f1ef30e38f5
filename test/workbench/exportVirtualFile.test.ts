import { QuickInput } from '../support/quickInput.ts';
import { runFromKeyboard } from '../support/sampleProject.ts';
import { memoryFiles, memoryFolder } from '../support/workbench/memoryFiles.ts';
import type { WorkbenchSession } from '../support/workbench/session.ts';
import { waitUntil } from '../support/workbench/waitUntil.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const inMemory = memoryFiles();

/** Opens the export of the active result as CSV. */
async function openExport(session: WorkbenchSession): Promise<QuickInput> {
  const results = await session.webviewFrame('SQL Results');
  await results.getByRole('button', { name: 'Export…' }).click();
  const input = new QuickInput(session.page);
  await input.root.getByRole('option', { name: /Export as CSV…/ }).waitFor();
  return input;
}

/** Writes the file with the options that are shown, at the place that VS Code suggests. */
async function acceptExport(input: QuickInput): Promise<void> {
  const exportItem = input.root.getByRole('option', { name: /Export as CSV…/ });
  await exportItem.click();
  await exportItem.waitFor({ state: 'detached' });
  await input.root.getByRole('button', { name: 'OK', exact: true }).click();
}

/** VS Code shows at most three toasts at a time and leaves out the rest, so the file itself is read. */
async function waitForFile(content: string): Promise<void> {
  const isWritten = async (): Promise<boolean> => (await inMemory.read())['SELECT-1-AS-one.csv'] === content;
  await waitUntil(isWritten, { what: `the file is not ${JSON.stringify(content)}` });
}

workbenchTest(
  'rows are exported to a virtual file system, and replace a file there',
  { developmentExtension: inMemory.extension },
  async session => {
    const { page } = session;
    await page.goto(session.server.urlFor(memoryFolder));
    await session.runCommand('SQL Projects: New Query');
    await session.waitForEditorFocus();
    await page.keyboard.type('SELECT 1 AS one;');
    const results = await runFromKeyboard(session);
    await results.getByRole('gridcell', { name: '1', exact: true }).waitFor();
    await acceptExport(await openExport(session));
    await waitForFile('one\r\n1\r\n');
    const second = await openExport(session);
    await second.root.getByRole('option', { name: /Header Row/ }).click();
    await acceptExport(second);
    await second.root.getByText(/already exists/).waitFor();
    await second.root.getByRole('button', { name: 'OK', exact: true }).click();
    await waitForFile('1\r\n');
  },
);
