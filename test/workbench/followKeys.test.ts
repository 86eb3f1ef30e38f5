import type { FrameLocator } from 'playwright-core';
import { browseTable } from '../support/windowTable.ts';
import { openProjectOf, startServiceWith } from '../support/ownProject.ts';
import { QuickInput } from '../support/quickInput.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

/* Only what needs VS Code: its tabs and keys. trail.test.ts of the host tests where the trail leads. */

const pets = `
  CREATE TABLE owners (town TEXT, number INTEGER, name TEXT, PRIMARY KEY (town, number));
  INSERT INTO owners VALUES ('Bern', 1, 'Ann'), ('Bern', 2, 'Bob'), ('Ulm', 1, 'Ann');
  CREATE TABLE pets (id INTEGER PRIMARY KEY, town TEXT, number INTEGER, FOREIGN KEY (town, number) REFERENCES owners);
  WITH RECURSIVE i(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM i LIMIT 3000)
  INSERT INTO pets SELECT i, iif(i % 2, 'Bern', 'Ulm'), iif(i % 4 = 3, 2, 1) FROM i`;

const chip = (table: FrameLocator, text: string) => table.getByRole('button', { name: text, exact: true });

const shownStep = (table: FrameLocator, text: string) =>
  table
    .getByRole('navigation', { name: 'Trail of foreign keys' })
    .locator('[aria-current="step"]')
    .filter({ hasText: text });

workbenchTest(
  'the trail of foreign keys leads back to the row and forward again, and a table keeps the filter that it had',
  {},
  async session => {
    await using service = await startServiceWith(pets);
    const { keyboard } = session.page;
    await openProjectOf(session, 'Pets', service);
    const owners = await browseTable(session, 'owners');
    await owners.getByRole('gridcell', { name: 'Ann' }).first().click({ button: 'right' });
    await owners.getByRole('menuitem', { name: 'Filter by This Value' }).click();
    await chip(owners, 'name = Ann').waitFor();

    const table = await browseTable(session, 'pets');
    await table.getByRole('gridcell').first().click();
    await keyboard.press('Control+g');
    await new QuickInput(session.page).field.fill('2003');
    await keyboard.press('Enter');
    await table.getByText('Row 2,003 · id').waitFor();
    // VS Code focuses the editor again a moment after the prompt has closed.
    await table.locator('[role="grid"]:focus').waitFor();
    await keyboard.press('ArrowRight');
    await table.getByText('Row 2,003 · town').waitFor();
    await keyboard.press('Control+Enter');
    const owner = await session.webviewFrame('owners');
    await chip(owner, 'town = Bern').waitFor();
    await chip(owner, 'number = 2').waitFor();
    await shownStep(owner, 'owners: town = Bern, number = 2').waitFor();
    await owner.locator('[role="grid"]:focus').waitFor();
    await owner.getByRole('gridcell', { name: 'Bob' }).waitFor();
    await session.screenshot('trail');

    // VS Code focuses its menu when Alt is released first, unless it knows that the keys belong together.
    await keyboard.down('Alt');
    await keyboard.down('ArrowLeft');
    const back = await session.webviewFrame('pets');
    await back.locator('[role="grid"]:focus').waitFor();
    await keyboard.up('Alt');
    await keyboard.up('ArrowLeft');
    await back.getByText('Row 2,003 · town').waitFor();
    await shownStep(back, 'pets').waitFor();
    await back.locator('[role="grid"]:focus').waitFor();
    await keyboard.press('Alt+ArrowRight');
    const forward = await session.webviewFrame('owners');
    await chip(forward, 'number = 2').waitFor();
    await forward.locator('[role="grid"]:focus').waitFor();
    await keyboard.press('Alt+ArrowLeft');
    await (await session.webviewFrame('pets')).getByText('Row 2,003 · town').waitFor();
    await session.editorTab('owners').click();
    await chip(await session.webviewFrame('owners'), 'name = Ann').waitFor();
  },
);
