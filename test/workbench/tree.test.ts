import assert from 'node:assert/strict';
import type { ThemeKind } from '../support/workbench/session.ts';
import { openProjectOf, startServiceWith } from '../support/ownProject.ts';
import { openSampleProject, runFromKeyboard } from '../support/sampleProject.ts';
import { chooseFromMenu } from '../support/treeMenu.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const pets = `
  CREATE TABLE owners(id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT 'nobody');
  CREATE TABLE pets(id INTEGER PRIMARY KEY, owner_id INT NOT NULL REFERENCES owners(id), name TEXT UNIQUE CHECK (name <> ''));
  CREATE INDEX pets_by_owner ON pets(owner_id);
  CREATE TRIGGER pets_added AFTER INSERT ON pets BEGIN SELECT 1; END;
  CREATE VIEW named_pets AS SELECT name FROM pets WHERE name IS NOT NULL;
  INSERT INTO owners(name) VALUES ('Ada'), ('Grace')`;

workbenchTest('a table has folders of its columns, indexes and triggers', {}, async session => {
  await using service = await startServiceWith(pets);
  await openProjectOf(session, 'Pets', service);
  await session.expand('pets');
  await session.treeItem(/^id INTEGER · PK/).waitFor();
  await session.treeItem(/^owner_id INT · NOT NULL · → owners\.id/).waitFor();
  await session.treeItem(/^name TEXT · UNIQUE · CHECK \(name <> ''\)/).waitFor();
  await session.expand('Indexes');
  await session.treeItem(/^pets_by_owner owner_id/).waitFor();
  await session.treeItem(/^sqlite_autoindex_pets_1 unique · name/).waitFor();
  await session.expand('Triggers');
  await session.treeItem('pets_added').waitFor();
  for (const kind of ['light', 'dark', 'hcLight', 'hcDark'] satisfies ThemeKind[]) {
    await session.setTheme(kind);
    await session.screenshot(`tree-${kind}`);
  }
  await session.expand('Views');
  await session.treeItem('named_pets').waitFor();
});

workbenchTest('Drop asks first, says what is lost, and shows it', {}, async session => {
  await using service = await startServiceWith(pets);
  await openProjectOf(session, 'Pets', service);
  const dialog = session.page.getByRole('dialog', { name: /Drop table/ });
  await chooseFromMenu(session, 'owners', 'Drop…');
  await dialog.getByText("Drop table 'owners' in Pets (127.0.0.1)? It affects 2 rows.").waitFor();
  await dialog.getByText("Other tables refer to it: 'pets'").waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).waitFor();
  await session.screenshot('drop-question');
  // Enter presses the focused button, which shows the table and drops nothing.
  await session.page.keyboard.press('Enter');
  await (await session.webviewFrame('owners')).getByRole('gridcell', { name: 'Ada' }).waitFor();
  assert.ok((await service.client.listTables(service.projectId)).includes('owners'));
  await session.treeItem('pets').waitFor();
  await chooseFromMenu(session, 'pets', 'Drop…');
  await dialog.getByRole('button', { name: 'Drop Table', exact: true }).click();
  await session.treeItem('pets').waitFor({ state: 'detached' });
  assert.ok(!(await service.client.listTables(service.projectId)).includes('pets'));
});

workbenchTest('New Query on a table opens its SELECT, which runs', {}, async session => {
  await openSampleProject(session);
  await session.treeItem('categories').hover();
  await session.treeItem('categories').getByRole('button', { name: 'New Query' }).click();
  await session.page.getByRole('code').getByText('SELECT * FROM "categories" LIMIT 100').waitFor();
  const results = await runFromKeyboard(session);
  await results.getByRole('gridcell', { name: 'Kitchen' }).waitFor();
});
