import assert from 'node:assert/strict';
import { after } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { QuickInput } from '../support/quickInput.ts';
import { runFromKeyboard } from '../support/sampleProject.ts';
import { memoryFiles, memoryFolder } from '../support/workbench/memoryFiles.ts';
import type { WorkbenchSession } from '../support/workbench/session.ts';
import { waitUntil } from '../support/workbench/waitUntil.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const inMemory = await memoryFiles();
after(() => inMemory[Symbol.asyncDispose]());

/** Exports the rows of the result in front as CSV, with the first answer to each question. */
async function exportCsv(session: WorkbenchSession): Promise<void> {
  const results = await session.webviewFrame('SQL Results');
  await results.getByRole('button', { name: 'Export Rows…' }).click();
  const input = new QuickInput(session.page);
  await input.root.getByRole('option', { name: /^CSV\b/ }).click();
  await input.root.getByText('Names of the columns in the first line').waitFor();
  await session.page.keyboard.press('Enter');
  await input.root.getByText('Names of the columns in the first line').waitFor({ state: 'detached' });
  await input.root.getByRole('button', { name: 'OK', exact: true }).click();
}

workbenchTest(
  'rows are written where files are on no disk; what is given up or cannot be written whole leaves the old file, and what gets no name stays',
  { developmentExtension: inMemory.extension },
  async session => {
    const { page } = session;
    const input = new QuickInput(page);
    await page.goto(session.server.urlFor(memoryFolder));
    await session.runCommand('SQL Projects: New Query');
    await input.choose('Choose a project', 'Sample Shop');
    await session.waitForEditorFocus();
    await page.keyboard.type('SELECT 1 AS one;');
    const results = await runFromKeyboard(session);
    await results.getByRole('gridcell', { name: '1', exact: true }).waitFor();
    await exportCsv(session);
    await session.notifications.filter({ hasText: 'Exported rows to Sample-Shop.csv: 1.' }).waitFor();
    const whole = { 'Sample-Shop.csv': 'one\r\n1\r\n' };
    assert.deepEqual(await inMemory.read(), whole);
    await session.runCommand('Notifications: Clear All Notifications');

    await inMemory.hold();
    await exportCsv(session);
    await replaceFile(session);
    await inMemory.arrived();
    const progress = session.notifications.filter({ hasText: 'Exporting to Sample-Shop.csv' });
    await progress.getByRole('button', { name: 'Cancel' }).click();
    await inMemory.release();
    const isLeft = async (): Promise<boolean> => isDeepStrictEqual(await inMemory.read(), whole);
    await waitUntil(isLeft, { what: 'the part of a file stays' });

    await inMemory.fillUp();
    await exportCsv(session);
    await replaceFile(session);
    await session.notifications
      .filter({ hasText: /The export did not finish, and no file was left: .*The memory is full/ })
      .waitFor();
    assert.deepEqual(await inMemory.read(), whole);

    await inMemory.refuseNames();
    await exportCsv(session);
    await replaceFile(session);
    // Of more than three notices in a moment VS Code shows no toast, but has them all in its list.
    await session.runCommand('Notifications: Show Notifications');
    const told = session.notifications.filter({
      hasText: /The rows are in \.Sample-Shop\.csv\..*\.part\. It could not be renamed/,
    });
    await told.filter({ hasText: 'Names are for good here.' }).waitFor();
    const kept = Object.entries(await inMemory.read()).filter(([name]) => name.endsWith('.part'));
    assert.deepEqual(
      kept.map(([, content]) => content),
      [whole['Sample-Shop.csv']],
    );
  },
);

/** Says yes to the question whether the file that is there may go. */
async function replaceFile({ page }: WorkbenchSession): Promise<void> {
  const { root } = new QuickInput(page);
  await root.getByText(/already exists/).waitFor();
  await root.getByRole('button', { name: 'OK', exact: true }).click();
}
