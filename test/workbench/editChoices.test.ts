import assert from 'node:assert/strict';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { openProjectOf, startServiceWith } from '../support/ownProject.ts';
import { editBar, problemCells } from '../support/pageParts.ts';
import { namesIn } from '../support/petsTable.ts';
import { QuickInput } from '../support/quickInput.ts';
import { waitUntil } from '../support/workbench/waitUntil.ts';
import { browseTable } from '../support/windowTable.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

/** Questions of editing in VS Code's own lists and dialogs: conflicts, the row of a foreign key, and a file. */

workbenchTest(
  'the user chooses the edits to save over the changes of somebody else, and sees the values before, theirs and mine',
  { settings: { 'files.autoSave': 'off' } },
  async session => {
    const pets = `CREATE TABLE pets(id INTEGER PRIMARY KEY, name TEXT);
      INSERT INTO pets VALUES (1, 'Ida'), (2, 'Bo'), (3, 'Cleo')`;
    await using service = await startServiceWith(pets);
    await openProjectOf(session, 'Pets', service);
    const table = await browseTable(session, 'pets');
    await table.locator('[role="grid"][aria-readonly="false"]').waitFor();
    const cell = (text: string) => table.getByRole('gridcell', { name: text, exact: true });
    for (const name of ['Ida', 'Bo', 'Cleo']) {
      await cell(name).click();
      await session.page.keyboard.press('F2');
      await table.getByRole('textbox', { name: 'Edit name' }).fill(`my ${name}`);
      await session.page.keyboard.press('Enter');
      await cell(`my ${name}`).waitFor();
    }
    // The page shows the values before the host has read the rows.
    await table.getByText('3 rows to update').waitFor();
    await service.query(`UPDATE pets SET name = 'their ' || name WHERE id < 3`);
    await session.page.keyboard.press('Control+s');
    const input = new QuickInput(session.page);
    const option = (row: number) => input.root.getByRole('checkbox', { name: new RegExp(`^${row} · name`) }).first();
    await option(1).waitFor();
    await input.root.getByText("Before: 'Ida' · In the table now: 'their Ida' · Yours: 'my Ida'").waitFor();
    assert.equal(await option(3).count(), 0);
    await session.screenshot('edit-conflicts');
    // Closed without a choice, nothing is written, and the cells are marked.
    await session.page.keyboard.press('Escape');
    await table.getByText('2 rows have changed in the table since you edited them.').waitFor();
    await table.getByText('2 problems').waitFor();
    await problemCells(table).nth(1).waitFor();
    await table.getByRole('button', { name: 'Save Changes' }).click();
    await option(2).click();
    await session.page.keyboard.press('Enter');
    const isSaved = async (): Promise<boolean> =>
      isDeepStrictEqual(await namesIn(service), ['their Ida', 'my Bo', 'my Cleo']);
    await waitUntil(isSaved, { what: 'the chosen edits are not in the table' });
  },
);

workbenchTest(
  'the row of a foreign key is searched and chosen, and a file is loaded into a cell',
  { settings: { 'files.autoSave': 'off' }, files: { 'photo.bin': 'bytes of a photo' } },
  async session => {
    const script = `CREATE TABLE owners(town TEXT, nr INT, name TEXT, PRIMARY KEY (town, nr));
      INSERT INTO owners VALUES ('Bonn', 1, 'Ann'), ('Bonn', 2, 'Bea'), ('Jena', 1, 'Cem');
      CREATE TABLE pets(id INTEGER PRIMARY KEY, town TEXT, nr INT, photo BLOB,
        FOREIGN KEY (town, nr) REFERENCES owners);
      INSERT INTO pets VALUES (1, 'Bonn', 1, NULL)`;
    await using service = await startServiceWith(script);
    await openProjectOf(session, 'Pets', service);
    const table = await browseTable(session, 'pets');
    await table.locator('[role="grid"][aria-readonly="false"]').waitFor();
    await table.getByRole('gridcell', { name: 'Bonn', exact: true }).click();
    await session.page.keyboard.press('F4');
    const input = new QuickInput(session.page);
    await input.root.getByRole('option', { name: /'Bonn', 2/ }).waitFor();
    await input.field.fill('cem');
    await input.root.getByRole('option', { name: /'Bonn', 2/ }).waitFor({ state: 'detached' });
    await input.root.getByRole('option', { name: /'Jena', 1.*Cem/ }).click();
    await table.getByRole('gridcell', { name: 'Jena', exact: true }).waitFor();
    await table.getByRole('gridcell', { name: 'NULL', exact: true }).click();
    await session.page.keyboard.press('Control+o');
    await input.chooseFile(join(session.folder, 'photo.bin'));
    await editBar(table).getByText('1 row to update').waitFor();
    await table.getByRole('button', { name: 'Save Changes' }).click();
    await editBar(table).waitFor({ state: 'hidden' });
    const photo = Buffer.from('bytes of a photo').toString('hex').toUpperCase();
    assert.deepEqual(await service.query('SELECT town, nr, typeof(photo), hex(photo) FROM pets'), [
      ['Jena', 1, 'blob', photo],
    ]);
  },
);
