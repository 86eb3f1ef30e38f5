import { openProjectOf, startServiceWith } from '../support/ownProject.ts';
import { QuickInput } from '../support/quickInput.ts';
import { takePictures } from '../support/themePictures.ts';
import { chooseFromMenu } from '../support/treeMenu.ts';
import { endlessRows } from '../support/endlessRows.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const pets = `
  CREATE TABLE owners (town TEXT, number INTEGER, name TEXT, PRIMARY KEY (town, number));
  INSERT INTO owners VALUES ('Bern', 1, 'Ann Zebris'), ('Ulm', 2, 'Bob');
  CREATE TABLE pets (name TEXT, note TEXT);
  WITH RECURSIVE i(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM i LIMIT 3000)
  INSERT INTO pets SELECT 'Pet ' || i, iif(i = 2003, 'dreams of zebras', NULL) FROM i;
  CREATE VIEW endless AS ${endlessRows}`;

workbenchTest('a value is found in all tables of a project, and its row opens', {}, async session => {
  await using service = await startServiceWith(pets);
  const { page } = session;
  const { keyboard } = page;
  await openProjectOf(session, 'Pets', service);
  await chooseFromMenu(session, 'Pets', 'Search All Tables…');
  const input = new QuickInput(page);
  await input.answer('A text or a number', 'zebr');
  await input.choose('Which values to find', 'equals');
  await input.waitForPrompt('Tables and views to search');
  // The answers before are still there.
  await input.back();
  await input.choose('Which values to find', 'contains');
  await input.waitForPrompt('Tables and views to search');
  await session.screenshot('search-tables');
  await input.root.getByRole('button', { name: 'OK' }).click();

  const results = await session.webviewFrame('SQL Results');
  const status = results.getByRole('contentinfo');
  await status.getByText(/^2 rows · \d+ of \d+ tables searched/).waitFor();
  await results.getByRole('gridcell', { name: 'Ann Zebris' }).waitFor();
  await results.getByRole('gridcell', { name: 'dreams of zebras' }).click();
  await takePictures(session, 'search-results');
  await keyboard.press('Enter');
  const table = await session.webviewFrame('pets');
  await table.getByText('Row 2,003 · note').waitFor();
  await results.getByRole('gridcell', { name: 'Ann Zebris' }).dblclick();
  const owners = await session.webviewFrame('owners');
  await owners.getByRole('button', { name: 'town = Bern', exact: true }).waitFor();
  await owners.getByRole('gridcell', { name: 'Ann Zebris' }).waitFor();
});

workbenchTest('a table that could not be searched has a note', {}, async session => {
  await using service = await startServiceWith(`${pets}; CREATE VIEW broken AS SELECT missing FROM pets`);
  await openProjectOf(session, 'Pets', service);
  await chooseFromMenu(session, 'Pets', 'Search All Tables…');
  const input = new QuickInput(session.page);
  await input.answer('A text or a number', 'zebr');
  await input.choose('Which values to find', 'contains');
  await input.waitForPrompt('Tables and views to search');
  await input.root.getByRole('checkbox', { name: 'broken' }).first().click();
  await input.root.getByRole('button', { name: 'OK' }).click();
  const results = await session.webviewFrame('SQL Results');
  await results.getByRole('columnheader', { name: 'Note' }).waitFor();
  await results.getByRole('gridcell', { name: 'Not searched: no such column: missing' }).waitFor();
  await session.screenshot('search-note');
});

workbenchTest('values arrive while a search goes on, until the user stops it', {}, async session => {
  await using service = await startServiceWith(pets);
  await openProjectOf(session, 'Pets', service);
  await session.runCommand('SQL Projects: Search All Tables…');
  const input = new QuickInput(session.page);
  await input.choose('Choose Project', 'Pets');
  await input.answer('A text or a number', '4096');
  await input.choose('Which values to find', 'equals');
  await input.waitForPrompt('Tables and views to search');
  await input.root.getByRole('checkbox', { name: 'endless' }).first().click();
  await input.root.getByRole('button', { name: 'OK' }).click();
  const results = await session.webviewFrame('SQL Results');
  const status = results.getByRole('contentinfo');
  await results.getByRole('gridcell', { name: '4096' }).first().waitFor();
  await results.getByRole('button', { name: 'Stop' }).click();
  await status.getByText(/Cancelled after/).waitFor();
  await results.getByRole('gridcell', { name: '4096' }).first().waitFor();
});
