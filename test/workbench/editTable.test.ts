import assert from 'node:assert/strict';
import { browsePets, cell, hasNoEdits, namesIn, pets, rename } from '../support/petsTable.ts';
import { openProjectOf, startServiceWith } from '../support/ownProject.ts';
import { QuickInput } from '../support/quickInput.ts';
import { codeLenses } from '../support/workbench/editorParts.ts';
import { waitUntil } from '../support/workbench/waitUntil.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

/*
 * Only what needs VS Code: its Save, Undo, close question, auto save and reload. editing.test.ts of the grid tests the page with
 * the extension's own code behind it.
 */

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
    // Chromium undoes letters together that were typed quickly, and a slow machine types slowly.
    await field.pressSequentially('X');
    assert.equal(await field.inputValue(), 'X');
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
  'a review lists the edits, leads to their cells and to the statements of the save, and a table that is closed asks first',
  { settings: { 'files.autoSave': 'off' } },
  async session => {
    await using service = await startServiceWith(pets);
    await openProjectOf(session, 'Pets', service);
    const table = await browsePets(session);
    await rename(session, table, 'Ida', 'Iris');
    const list = new QuickInput(session.page);
    const edit = list.root.getByRole('option', { name: '1 · name' });
    await cell(table, 'Bo').click();
    await table.getByText('Row 2 · name').waitFor();
    await table.getByRole('button', { name: 'Review Changes' }).click();
    await edit.getByText("'Ida' → 'Iris'").waitFor();
    await edit.getByText(`UPDATE pets SET name = 'Iris' WHERE id = 1`).waitFor();
    await session.screenshot('review-changes');
    await edit.click();
    await table.getByText('Row 1 · name').waitFor();
    await table.getByRole('button', { name: 'Review Changes' }).click();
    await list.choose('Review of pets', 'Details');
    await session.editorTab('Review of pets.sql').waitFor();
    await session.page.getByText('UPDATE main.pets AS target').first().waitFor();
    assert.equal(await codeLenses(session.page).count(), 0);
    await session.runCommand('View: Close All Editors');
    await session.page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
    const areSaved = async (): Promise<boolean> => (await namesIn(service)).includes('Iris');
    await waitUntil(areSaved, { what: 'the changes are not saved' });
  },
);
