import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import assert from 'node:assert/strict';
import { openProjectOf, startServiceWith } from '../support/ownProject.ts';
import { QuickInput } from '../support/quickInput.ts';
import { takePictures } from '../support/themePictures.ts';
import { chooseFromMenu } from '../support/treeMenu.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const pets = `
  CREATE TABLE owners(id INTEGER PRIMARY KEY, name TEXT NOT NULL);
  CREATE TABLE pets(id INTEGER PRIMARY KEY, name TEXT, owner INTEGER NOT NULL REFERENCES owners);
  CREATE TABLE visits(pet INTEGER REFERENCES pets ON DELETE CASCADE, day TEXT);
  CREATE TABLE notes(text TEXT)`;

workbenchTest(
  'the diagram of a table follows the schema, is saved, leads to the rows, and is there after a reload as it was arranged',
  {},
  async session => {
    const { page } = session;
    await using service = await startServiceWith(pets);
    await openProjectOf(session, 'Shop', service);
    await session.expand('Tables');
    await chooseFromMenu(session, 'owners', 'Show Diagram');
    const diagram = await session.webviewFrame('Diagram of owners');
    const status = diagram.getByRole('status');
    await status.getByText('2 tables · 1 foreign key').waitFor();
    await service.query('CREATE TABLE vets(id INTEGER PRIMARY KEY, boss INTEGER REFERENCES owners)');
    await diagram.getByRole('button', { name: 'Refresh' }).click();
    await status.getByText('3 tables · 2 foreign keys · New: vets').waitFor();
    await diagram.getByRole('combobox', { name: 'Keys away' }).selectOption('2');
    await status.getByText('4 tables · 3 foreign keys').waitFor();
    await diagram.locator('canvas[data-state="routed"]').waitFor();
    await takePictures(session, 'diagram');

    await diagram.getByRole('button', { name: 'Export Diagram' }).click();
    await diagram.getByRole('menuitem', { name: 'Mermaid Text…' }).click();
    await new QuickInput(page).root.getByRole('button', { name: 'OK', exact: true }).click();
    await session.notifications.filter({ hasText: 'Saved the diagram to owners.mmd.' }).waitFor();
    const text = await readFile(join(session.folder, 'owners.mmd'), 'utf8');
    assert.match(text, /"pets" }o--\|\| "owners" : "owner"/);

    const canvas = diagram.getByRole('application', { name: 'Diagram of owners' });
    await canvas.focus();
    await page.keyboard.press('ArrowRight');
    await status.getByText('owners, 2 columns').waitFor();
    await page.keyboard.press('Enter');
    const rows = await session.webviewFrame('owners');
    await rows.getByRole('grid').waitFor();

    await session.reload();
    await session.editorTab('Diagram of owners').click();
    const restored = await session.webviewFrame('Diagram of owners');
    await restored.getByRole('status').getByText('4 tables · 3 foreign keys').waitFor();
    // The workspace remembers a hidden table when the tab is closed.
    const restoredCanvas = restored.getByRole('application', { name: 'Diagram of owners' });
    await restoredCanvas.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    await restored
      .getByRole('status')
      .getByText(/^(?:pets|vets), /)
      .waitFor();
    await page.keyboard.press('Delete');
    await restored.getByText(/ is hidden\. A search shows it again\.$/).waitFor();
    await page.keyboard.press('Escape');
    await restored
      .getByRole('status')
      .getByText(/^3 tables/)
      .waitFor();
    await session.runCommand('View: Close Editor');
    await session.editorTab('Diagram of owners').waitFor({ state: 'detached' });
    await chooseFromMenu(session, 'owners', 'Show Diagram');
    const again = await session.webviewFrame('Diagram of owners');
    await again
      .getByRole('status')
      .getByText(/^3 tables/)
      .waitFor();
  },
);
