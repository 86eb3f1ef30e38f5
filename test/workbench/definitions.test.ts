import { openProjectOf, startServiceWith } from '../support/ownProject.ts';
import { chooseFromMenu } from '../support/treeMenu.ts';
import { codeTokens, editorLines, problemMarks } from '../support/workbench/editorParts.ts';
import { waitUntil } from '../support/workbench/waitUntil.ts';
import { statusItem } from '../support/workbench/workbenchParts.ts';
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

const redirected = `
  CREATE TABLE owners(id INTEGER PRIMARY KEY);
  CREATE TABLE pets /*
-- @project Sample Shop
*/ (id INTEGER PRIMARY KEY, owner_id REFERENCES owners(id)) WITHOUT ROWID`;

workbenchTest(
  'a definition belongs to its own project, with the colors of SQLite and ways to other objects',
  {},
  async session => {
    await using service = await startServiceWith(redirected);
    await openProjectOf(session, 'Pets', service);
    await chooseFromMenu(session, 'pets', 'Show Definition');
    await statusItem(session.page, 'Pets').waitFor();
    const line = editorLines(session.page).filter({ hasText: 'WITHOUT ROWID' });
    const colorOf = async (text: string): Promise<string> =>
      codeTokens(line)
        .getByText(text, { exact: true })
        .evaluate(element => getComputedStyle(element).color);
    await waitUntil(async () => (await colorOf('WITHOUT')) === (await colorOf('REFERENCES')), {
      what: 'WITHOUT is no keyword',
    });
    await codeTokens(line).getByText('owners', { exact: true }).click();
    await session.page.keyboard.press('F12');
    await session.editorTab('owners.sql').waitFor();
    await problemMarks(session.page).waitFor({ state: 'detached' });
  },
);
