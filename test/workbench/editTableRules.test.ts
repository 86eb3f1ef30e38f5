import assert from 'node:assert/strict';
import { browsePets, cell, hasNoEdits, namesIn, pets, rename } from '../support/petsTable.ts';
import { openProjectOf, startServiceWith } from '../support/ownProject.ts';
import { editBar } from '../support/pageParts.ts';
import { WindowTable } from '../support/windowTable.ts';
import { waitUntil } from '../support/workbench/waitUntil.ts';
import { dirtyTab, statusItem } from '../support/workbench/workbenchParts.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

/*
 * Only what needs VS Code: its Save, Undo, close question, auto save and reload. editing.test.ts of the grid tests the page with
 * the extension's own code behind it.
 */

workbenchTest(
  'pending edits survive a reload and an undo after it, and are gone when they are discarded',
  {},
  async session => {
    await using service = await startServiceWith(pets);
    await openProjectOf(session, 'Pets', service);
    await rename(session, await browsePets(session), 'Bo', 'Bella');
    await session.reload();
    const table = await session.webviewFrame('pets');
    await cell(table, 'Bella').waitFor();
    await editBar(table).getByText('1 row to update').waitFor();
    assert.deepEqual(await namesIn(service), ['Ida', 'Bo']);
    // VS Code no longer knows of the restored edit, so an edit and its undo would leave the tab as saved.
    await cell(table, 'Ida').click();
    await session.page.keyboard.press('Delete');
    await table.getByText('2 rows to update').waitFor();
    await session.page.keyboard.press('Control+z');
    await cell(table, 'Ida').waitFor();
    await editBar(table).getByText('1 row to update').waitFor();
    await dirtyTab(session.page, 'pets').waitFor();
    await table.getByRole('button', { name: 'Discard Changes' }).click();
    await session.page.getByRole('dialog').getByRole('button', { name: 'Discard Changes' }).click();
    await cell(table, 'Bo').waitFor();
    await hasNoEdits(table);
  },
);

workbenchTest(
  'discarding the changes of a table leaves the file alone that is edited beside it, and undo brings no discarded edit back',
  { settings: { 'files.autoSave': 'off' }, files: { 'notes.txt': 'notes\n' } },
  async session => {
    await using service = await startServiceWith(pets);
    await openProjectOf(session, 'Pets', service);
    const { page } = session;
    await (await WindowTable.browse(session, 'pets')).type(0, 1, 'name', 'Iris');
    await session.openFile('notes.txt');
    await session.runCommand('View: Move Editor into Right Group');
    await session.waitForEditorFocus();
    await page.keyboard.type('more ');
    const dirtyFile = dirtyTab(page, 'notes.txt');
    await dirtyFile.waitFor();
    const table = await WindowTable.shown(session, 'pets');
    await table.waitForText('1 row to update');
    // Assistive technology presses a button without moving the focus.
    await table.button('Discard Changes').dispatchEvent('click');
    await page.getByRole('dialog').getByRole('button', { name: 'Discard Changes' }).click();
    await table.cell('Ida').waitFor();
    await table.waitForNoEdits();
    await table.dirtyTab.waitFor({ state: 'detached' });
    await dirtyFile.waitFor();
    await page.getByRole('code').getByText('more notes').waitFor();
    await table.type(0, 1, 'name', 'Ina');
    // The table is VS Code's active editor once the cursor of the file has left the status bar.
    await statusItem(page, /^Ln /).waitFor({ state: 'hidden' });
    await table.press('Control+z');
    await table.cell('Ida').waitFor();
    await table.press('Control+z');
    await session.runCommand('View: Focus Right Editor Group');
    await table.dirtyTab.waitFor({ state: 'detached' });
    await table.cell('Ida').waitFor();
    await table.waitForNoEdits();
    assert.deepEqual(await namesIn(service), ['Ida', 'Bo']);
  },
);

workbenchTest(
  'with auto save, File: Save and the Save of a closed table ask before they write',
  // The delay is long, so that no save of the test comes at the time of an automatic one.
  { settings: { 'files.autoSave': 'afterDelay', 'files.autoSaveDelay': 600_000 } },
  async session => {
    await using service = await startServiceWith(pets);
    await openProjectOf(session, 'Pets', service);
    const table = await browsePets(session);
    const question = session.page.getByRole('dialog').filter({ hasText: "Save changes to 'pets' in Pets" });
    await rename(session, table, 'Ida', 'Iris');
    await session.runCommand('File: Save');
    // Enter presses the focused button, which shows what would be saved, beside the table.
    await question.getByRole('button', { name: 'Review' }).and(session.page.locator(':focus')).waitFor();
    await session.page.keyboard.press('Enter');
    await session.editorTab('Review of pets.sql').waitFor();
    await session.page.getByRole('code').getByText('UPDATE').first().waitFor();
    assert.deepEqual(await namesIn(service), ['Ida', 'Bo']);
    await session.editorTab('pets').click();
    await session.runCommand('File: Save');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    assert.deepEqual(await namesIn(service), ['Ida', 'Bo']);
    await session.runCommand('File: Save');
    await question.getByRole('button', { name: 'Save Changes' }).click();
    await hasNoEdits(table);
    assert.deepEqual(await namesIn(service), ['Iris', 'Bo']);
    await rename(session, table, 'Bo', 'Bella');
    await session.runCommand('View: Close All Editors');
    await session.page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
    await question.getByRole('button', { name: 'Save Changes' }).click();
    const areSaved = async (): Promise<boolean> => (await namesIn(service)).includes('Bella');
    await waitUntil(areSaved, { what: 'the changes are not saved' });
    await session.editorTab('pets').waitFor({ state: 'detached' });
  },
);
