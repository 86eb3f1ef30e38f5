import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { openImportDialog } from '../support/importDialog.ts';
import { openProjectOf, startServiceWith } from '../support/ownProject.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const members = 'CREATE TABLE members(id INTEGER PRIMARY KEY, code TEXT, note TEXT)';
const files = {
  'members.csv': 'id;code;extra\n1;007;x\n2;1e5;y\n3;"a;b";z\n3;twice;z\n4\n',
  'cities.csv': 'city,zip,population\nBerlin,01234,3500000\nParis,75000,2100000\n',
};

workbenchTest(
  'the rows of a file are previewed and imported, and rejected rows are written to a file',
  { files },
  async session => {
    await using service = await startServiceWith(members);
    await openProjectOf(session, 'Shop', service, { protection: 'confirmWrites' });
    const input = await openImportDialog(session, 'members', 'members.csv');
    await input.root.getByRole('option', { name: /Import 5 Rows….*1 of the first 5/ }).waitFor();
    await input.root.getByRole('option', { name: /Columns: 2 of 3.*without extra/ }).waitFor();
    await input.root.getByRole('option', { name: /Delimiter: semicolon/ }).waitFor();
    const results = await session.webviewFrame('SQL Results');
    await results.getByRole('tab', { name: /Preview of members\.csv/ }).waitFor();
    await results.getByRole('gridcell', { name: '007' }).waitFor();
    await session.screenshot('import-dialog');
    await input.root.getByRole('option', { name: /Import 5 Rows/ }).click();
    const dialog = session.page.getByRole('dialog', { name: /Import 5 rows into 'members' in Shop/ });
    const look = dialog.getByRole('button', { name: 'Show Table' });
    await look.and(session.page.locator(':focus')).waitFor();
    await dialog.getByRole('button', { name: 'Import 5 Rows', exact: true }).click();
    const done = session.notifications.filter({ hasText: "Imported 3 rows into 'members'. 2 rows were rejected." });
    await done.getByRole('button', { name: 'Browse Table' }).waitFor();
    assert.deepEqual(await service.query('SELECT * FROM members'), [
      [1, '007', null],
      [2, '1e5', null],
      [3, 'a;b', null],
    ]);
    await done.getByRole('button', { name: 'Show Rejected Rows' }).click();
    await session.page.getByText('UNIQUE constraint failed: members.id').first().waitFor();
  },
);

workbenchTest(
  'a new table is created as the user designs it, and its tab and the preview close when the import ends or is given up',
  { files },
  async session => {
    await using service = await startServiceWith(members);
    await openProjectOf(session, 'Shop', service, { protection: 'confirmWrites' });
    const openDesign = async () => {
      const input = await openImportDialog(session, 'Shop', 'cities.csv');
      await input.root.getByRole('option', { name: /New Table: cities/ }).waitFor();
      await input.root.getByRole('option', { name: /Import 2 Rows/ }).click();
      return session.webviewFrame('New Table');
    };
    const areClosed = async (preview: Locator): Promise<void> => {
      await preview.waitFor({ state: 'detached' });
      await session.editorTab('New Table').waitFor({ state: 'detached' });
    };
    await openDesign();
    const results = await session.webviewFrame('SQL Results');
    const preview = results.getByRole('tab', { name: /Preview of cities\.csv/ });
    await preview.waitFor();
    await session.runCommand('View: Close Editor');
    await areClosed(preview);

    const form = await openDesign();
    await form.getByText('population INTEGER').waitFor();
    await form.getByText('zip TEXT').waitFor();
    await form.getByRole('button', { name: 'Actions of city' }).click();
    await form.getByRole('menuitem', { name: /Delete Column/ }).click();
    await form.getByRole('textbox', { name: 'Name of population' }).fill('people');
    await form.getByText('people INTEGER').waitFor();
    await session.screenshot('import-new-table');
    await form.getByRole('button', { name: 'Create Table and Import' }).click();
    const dialog = session.page.getByRole('dialog', { name: /Import 2 rows into 'cities' in Shop/ });
    await dialog.getByRole('button', { name: 'Import 2 Rows', exact: true }).click();
    await session.notifications.filter({ hasText: "Imported 2 rows into 'cities'." }).waitFor();
    await areClosed(preview);
    assert.deepEqual(await service.query('SELECT * FROM cities'), [
      ['01234', 3_500_000],
      ['75000', 2_100_000],
    ]);
    await session.treeItem('cities').waitFor();
  },
);
