import { openProjectOf, startServiceWith } from '../support/ownProject.ts';
import { chooseFromMenu } from '../support/treeMenu.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const pets = `
  CREATE TABLE pets(id INTEGER PRIMARY KEY, name TEXT UNIQUE);
  CREATE INDEX pets_by_name ON pets(name)`;

workbenchTest('a definition opens as a read-only document', {}, async session => {
  await using service = await startServiceWith(pets);
  await openProjectOf(session, 'Pets', service);
  await chooseFromMenu(session, 'pets', 'Show Definition');
  const editor = session.page.getByRole('code');
  await editor.getByText('CREATE TABLE pets(id INTEGER PRIMARY KEY').waitFor();
  await editor.getByText('CREATE INDEX pets_by_name').waitFor();
  await session.editorTab('pets.sql').waitFor();
  await session.page.keyboard.type('x');
  await session.page.getByText('Definitions are read-only.').first().waitFor();
});

workbenchTest('a definition is compared with that of another project', {}, async session => {
  await using service = await startServiceWith(pets);
  await openProjectOf(session, 'Pets', service);
  await chooseFromMenu(session, 'orders', 'Compare Definition with Another Project…');
  await session.editorTab('orders: Pets ↔ Sample Shop').waitFor();
  const definitions = session.page.getByRole('code').getByText('CREATE TABLE orders');
  await definitions.nth(1).waitFor();
  await chooseFromMenu(session, 'pets', 'Compare Definition with Another Project…');
  await session.page.getByRole('code').getByText("-- Sample Shop has no 'pets'.").waitFor();
});
