import { goToLine, waitForRunLens } from '../support/sampleProject.ts';
import { renameField } from '../support/workbench/editorParts.ts';
import type { WorkbenchSession } from '../support/workbench/session.ts';
import { waitUntil } from '../support/workbench/waitUntil.ts';
import { statusBar } from '../support/workbench/workbenchParts.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const lines = [
  '-- @project Sample Shop',
  'CREATE TABLE notes (text TEXT);',
  'SELECT text FROM notes;',
  'SELECT name FROM customers;',
];

/** Puts the cursor into the last name of a line. */
async function goToLastName(session: WorkbenchSession, line: number): Promise<void> {
  await session.openFile('names.sql');
  await goToLine(session, line);
  await session.page.keyboard.press('End');
  await session.page.keyboard.press('ArrowLeft');
  await session.page.keyboard.press('ArrowLeft');
}

workbenchTest(
  'a name has a hover and a definition, and is renamed where the document declares it',
  { files: { 'names.sql': `${lines.join('\n')}\n` } },
  async session => {
    const { page } = session;
    const code = page.getByRole('code');
    await session.openFile('names.sql');
    await waitForRunLens(session);

    const column = page.getByRole('tooltip').filter({ hasText: 'Table customers' }).getByText('email TEXT');
    // The server may not have the schema yet.
    const isHovered = async (): Promise<boolean> => {
      await statusBar(page).hover();
      await code.getByText('customers', { exact: true }).hover();
      return column.waitFor({ timeout: 5000 }).then(
        () => true,
        () => false,
      );
    };
    await waitUntil(isHovered, { what: 'the table has no hover' });

    // A table of the project stays as it is. Its definition opens beside the document.
    await goToLastName(session, 4);
    await page.keyboard.press('F2');
    await page.getByText("This document does not create 'customers'.").first().waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('F12');
    await session.editorTab('customers.sql').waitFor();
    await code.getByText('CREATE TABLE customers').first().waitFor();

    await goToLastName(session, 3);
    await page.keyboard.press('F2');
    const input = renameField(page);
    await input.fill('my notes');
    await page.keyboard.press('Enter');
    await code.getByText('CREATE TABLE "my notes" (text TEXT);').waitFor();
    await code.getByText('SELECT text FROM "my notes";').waitFor();
  },
);
