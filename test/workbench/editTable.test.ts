import assert from 'node:assert/strict';
import type { FrameLocator } from 'playwright-core';
import { openProjectOf, startServiceWith } from '../support/ownProject.ts';
import { editBar } from '../support/pageParts.ts';
import type { TestService } from '../support/testService.ts';
import { WindowTable } from '../support/windowTable.ts';
import { codeLenses } from '../support/workbench/editorParts.ts';
import { waitUntil } from '../support/workbench/waitUntil.ts';
import type { WorkbenchSession } from '../support/workbench/session.ts';
import { dirtyTab, statusItem } from '../support/workbench/workbenchParts.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

/*
 * Only what needs VS Code: its Save, Undo, close question, auto save and reload. editing.test.ts of the grid tests the page with
 * the extension's own code behind it.
 */

const pets = `CREATE TABLE pets(id INTEGER PRIMARY KEY, name TEXT); INSERT INTO pets VALUES (1, 'Ida'), (2, 'Bo')`;

async function browsePets(session: WorkbenchSession): Promise<FrameLocator> {
  await session.treeItem('pets').hover();
  await session.treeItem('pets').getByRole('button', { name: 'Browse Table' }).click();
  const table = await session.webviewFrame('pets');
  await table.locator('[role="grid"][aria-readonly="false"]').waitFor();
  return table;
}

/** The bar stays while a save is going on, with another text. */
const hasNoEdits = (table: FrameLocator): Promise<void> => editBar(table).waitFor({ state: 'hidden' });

const cell = (table: FrameLocator, text: string) => table.getByRole('gridcell', { name: text, exact: true });

async function rename(session: WorkbenchSession, table: FrameLocator, from: string, to: string): Promise<void> {
  await cell(table, from).click();
  await session.page.keyboard.press('F2');
  await table.getByRole('textbox', { name: 'Edit name' }).fill(to);
  await session.page.keyboard.press('Enter');
  await cell(table, to).waitFor();
  await editBar(table).getByText('1 row updated').waitFor();
}

async function namesIn({ client, projectId }: TestService): Promise<unknown[]> {
  const { rows } = await client.execSql(projectId, { sql: 'SELECT name FROM pets ORDER BY id' });
  return rows.map(({ name }) => name);
}

workbenchTest(
  'Save, Undo and Redo of VS Code work on the rows of a table, and auto save writes nothing',
  { settings: { 'files.autoSave': 'afterDelay', 'files.autoSaveDelay': 1 } },
  async session => {
    await using service = await startServiceWith(pets);
    await openProjectOf(session, 'Pets', service);
    const { keyboard } = session.page;
    const table = await browsePets(session);
    await rename(session, table, 'Ida', 'Iris');
    await keyboard.press('Control+z');
    await cell(table, 'Ida').waitFor();
    await hasNoEdits(table);
    await keyboard.press('Control+Shift+z');
    await cell(table, 'Iris').waitFor();
    // In a field, the keys undo what was typed.
    await cell(table, 'Bo').click();
    await keyboard.press('F2');
    const field = table.getByRole('textbox', { name: 'Edit name' });
    await field.pressSequentially('Bob');
    assert.equal(await field.inputValue(), 'Bob');
    await keyboard.press('Control+z');
    await waitUntil(async () => (await field.inputValue()) === 'Bo', { what: 'the typing is not undone' });
    await cell(table, 'Iris').waitFor();
    await keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    assert.deepEqual(await namesIn(service), ['Ida', 'Bo'], 'auto save wrote nothing');
    await keyboard.press('Control+s');
    await hasNoEdits(table);
    assert.deepEqual(await namesIn(service), ['Iris', 'Bo']);
    await session.screenshot('edit-table');
  },
);

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
    await editBar(table).getByText('1 row updated').waitFor();
    assert.deepEqual(await namesIn(service), ['Ida', 'Bo']);
    // VS Code no longer knows of the restored edit, so an edit and its undo would leave the tab as saved.
    await cell(table, 'Ida').click();
    await session.page.keyboard.press('Delete');
    await table.getByText('2 rows updated').waitFor();
    await session.page.keyboard.press('Control+z');
    await cell(table, 'Ida').waitFor();
    await editBar(table).getByText('1 row updated').waitFor();
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
    await table.waitForText('1 row updated');
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
  'a review shows the statements of a save, and a table that is closed asks first',
  { settings: { 'files.autoSave': 'off' } },
  async session => {
    await using service = await startServiceWith(pets);
    await openProjectOf(session, 'Pets', service);
    const table = await browsePets(session);
    await rename(session, table, 'Ida', 'Iris');
    await table.getByRole('button', { name: 'Review Changes' }).click();
    await session.editorTab('Review of pets.sql').waitFor();
    await session.page.getByText('UPDATE main.pets AS target').first().waitFor();
    assert.equal(await codeLenses(session.page).count(), 0);
    await session.runCommand('View: Close All Editors');
    await session.page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
    const areSaved = async (): Promise<boolean> => (await namesIn(service)).includes('Iris');
    await waitUntil(areSaved, { what: 'the changes are not saved' });
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
