import assert from 'node:assert/strict';
import type { ThemeKind } from '../support/workbench/session.ts';
import { openProjectOf, startServiceWith } from '../support/ownProject.ts';
import { startRefusingProxy } from '../support/refusingProxy.ts';
import { openSampleProject } from '../support/sampleProject.ts';
import { QuickInput } from '../support/quickInput.ts';
import { type Answer, reply, startScriptedServer } from '../support/scriptedServer.ts';
import { chooseFromMenu, focusedRow, focusTree, goToRow } from '../support/treeMenu.ts';
import { waitUntil } from '../support/workbench/waitUntil.ts';
import { icons } from '../support/workbench/workbenchParts.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const pets = `
  CREATE TABLE owners(id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT 'nobody');
  CREATE TABLE pets(id INTEGER PRIMARY KEY, owner_id INT NOT NULL REFERENCES owners(id), name TEXT UNIQUE);
  CREATE INDEX pets_by_owner ON pets(owner_id);
  CREATE TRIGGER pets_added AFTER INSERT ON pets BEGIN SELECT 1; END;
  CREATE VIEW named_pets AS SELECT name FROM pets WHERE name IS NOT NULL;
  INSERT INTO owners(name) VALUES ('Ada'), ('Grace')`;

workbenchTest('a link in a name is shown as text', {}, async session => {
  const name = '[free](command:workbench.action.closeAllEditors) `a` $(zap)';
  await using service = await startServiceWith(`CREATE TABLE "${name}"(a)`);
  await openProjectOf(session, 'Pets', service);
  await session.treeItem(/\[free\]/).hover();
  const hover = session.page.getByRole('tooltip');
  await hover.getByText('CREATE TABLE').waitFor();
  assert.equal(await hover.getByRole('link').count(), 0);
  await chooseFromMenu(session, /\[free\]/, 'Count Rows');
  const toast = session.notifications.filter({ hasText: 'has 0 rows.' });
  await toast.waitFor();
  assert.equal(await toast.locator('a[href*="command:"]').count(), 0);
  await chooseFromMenu(session, /\[free\]/, 'Drop…');
  const dialog = session.page.getByRole('dialog', { name: /Drop table '.*\[free\].*' in .*It affects no row now/ });
  await dialog.waitFor();
  assert.equal(await dialog.locator('a[href*="command:"]').count(), 0);
  await dialog.getByRole('button', { name: 'Drop Table', exact: true }).click();
  await session.treeItem(/\[free\]/).waitFor({ state: 'detached' });
});

workbenchTest(
  'the tree shows a table that a statement created',
  { files: { 'make.sql': 'CREATE TABLE made_just_now(a);' } },
  async session => {
    await using service = await startServiceWith(pets);
    await openProjectOf(session, 'Pets', service);
    await session.openFile('make.sql');
    await session.runCommand('SQL Projects: Run Statement');
    await session.page.getByRole('option', { name: /Pets/ }).click();
    await session.treeItem('made_just_now').waitFor();
  },
);

const tablesAlone: Answer = (response, request) =>
  (request.path.endsWith('/tables') ? reply({ tables: ['pets'] }) : reply({ message: 'Not here.' }, 400))(
    response,
    request,
  );

// The row that the previous test selected has gone, so VS Code passes null to the buttons of the view.
workbenchTest('a new name, color or protection does not list the tables of a project again', {}, async session => {
  await using server = await startScriptedServer(tablesAlone);
  const listCount = (): number => server.requests.filter(({ path }) => path.endsWith('/tables')).length;
  const project = { name: 'Listed', baseUrl: server.url, projectId: 'p1' };
  await session.setFolderSettings({ 'sqlProjects.projects': [project] });
  await session.openView('SQL Projects');
  await session.expand('Listed');
  await session.treeItem(/No API key is set/).click();
  await new QuickInput(session.page).enterKey('some-key');
  await session.treeItem('pets').waitFor();
  const changed = { ...project, name: 'Renamed', color: 'red', protection: 'readOnly' };
  await session.setFolderSettings({ 'sqlProjects.projects': [changed] });
  await session.treeItem(/^Renamed .*Read-only/).waitFor();
  await session.treeItem('pets').waitFor();
  // VS Code shows the buttons of a view under the pointer.
  await session.page.getByRole('button', { name: 'SQL Projects Section' }).hover();
  await session.page.getByRole('button', { name: 'Refresh' }).click();
  await waitUntil(() => listCount() > 1, { what: 'Refresh lists no tables' });
  assert.equal(listCount(), 2);
});

workbenchTest('a long folder loads more in place, with the focus on the first new table', {}, async session => {
  const tables = Array.from({ length: 600 }, (_, index) => `CREATE TABLE t${String(index).padStart(4, '0')}(a)`);
  await using service = await startServiceWith(tables.join(';'));
  await openProjectOf(session, 'Many', service);
  await session.treeItem('categories').focus();
  await session.page.keyboard.press('End');
  await session.treeItem(/^Load More \(106\)/).click();
  await session.treeItem(/^Load More/).waitFor({ state: 'detached' });
  await focusedRow(session).and(session.treeItem('t0494')).waitFor();
});

workbenchTest(
  'the tree shows the protection and the color of a project',
  {
    settings: {
      'sqlProjects.projects': [
        { name: 'Live', baseUrl: 'http://127.0.0.1:9', projectId: 'p1', protection: 'readOnly', color: 'red' },
        { name: 'Staging', baseUrl: 'http://127.0.0.1:9', projectId: 'p2', protection: 'confirmWrites' },
        { name: 'Play', baseUrl: 'http://127.0.0.1:9', projectId: 'p3', color: 'green' },
      ],
    },
  },
  async session => {
    await session.openView('SQL Projects');
    await session.treeItem(/^Live .*Read-only/).waitFor();
    await session.treeItem(/^Staging .*Confirm writes/).waitFor();
    for (const kind of ['light', 'dark', 'hcLight', 'hcDark'] satisfies ThemeKind[]) {
      await session.setTheme(kind);
      await icons(session.treeItem('Live'), 'lock').waitFor();
      await icons(session.treeItem('Staging'), 'shield').waitFor();
      await icons(session.treeItem('Play'), 'database').waitFor();
      await session.screenshot(`protected-${kind}`);
    }
    await chooseFromMenu(session, 'Play', 'Protection…');
    await session.page.getByRole('option', { name: 'Read-only' }).click();
    await session.treeItem(/^Play .*Read-only/).waitFor();
    // The current value is selected, so Enter alone changes nothing.
    await chooseFromMenu(session, 'Play', 'Protection…');
    const present = session.page.getByRole('option', { name: 'Read-only, current' });
    await present.and(new QuickInput(session.page).activeRow).waitFor();
    await session.page.keyboard.press('Escape');
  },
);

workbenchTest('nothing can be dropped in a read-only project', {}, async session => {
  await using service = await startServiceWith(pets);
  await openProjectOf(session, 'Pets', service);
  await chooseFromMenu(session, 'Pets', 'Protection…');
  await session.page.getByRole('option', { name: 'Read-only' }).click();
  await session.treeItem(/^Pets .*Read-only/).waitFor();
  await chooseFromMenu(session, 'pets', 'Drop…');
  await session.notifications.filter({ hasText: /Pets is read-only.*It was not run/ }).waitFor();
});

workbenchTest('Test Connection works with a service that has no status', {}, async session => {
  await using service = await startServiceWith('CREATE TABLE parts(id INTEGER PRIMARY KEY); CREATE TABLE zebras(a)');
  const { baseUrl } = await startRefusingProxy(service.baseUrl, ({ path }) =>
    path.endsWith('/status') ? { status: 404, code: 'not_found' } : undefined,
  );
  const { projectId, apiKey } = service;
  await openProjectOf(session, 'Silent', { projectId, apiKey, baseUrl });
  await session.treeItem('zebras').waitFor();
  await chooseFromMenu(session, 'Silent', 'Test Connection');
  const message = session.notifications.filter({
    hasText: /'Silent' answered in [\d.]+ m?s: 8 tables, SQLite [\d.]+\./,
  });
  await message.first().waitFor();
});

workbenchTest(
  'a reloaded window shows the tree as it was, with row counts if the setting wants them',
  {},
  async session => {
    await openSampleProject(session);
    await session.expand('categories');
    await session.collapse('Columns');
    await session.reload();
    await session.openView('SQL Projects');
    await session.treeItem('customers').waitFor();
    await session.treeItem('Columns').and(session.page.locator('[aria-expanded="false"]')).waitFor();
    await session.setFolderSettings({ 'sqlProjects.tree.rowCounts': true });
    await session.treeItem(/^customers 2,000 rows/).waitFor();
    await session.treeItem(/^categories 8 rows/).waitFor();
    await session.screenshot('tree-row-counts');
  },
);

workbenchTest('the remedy in the tree and Load more work with keys alone', {}, async session => {
  const tables = Array.from({ length: 600 }, (_, index) => `CREATE TABLE t${String(index).padStart(4, '0')}(a)`);
  await using many = await startServiceWith(tables.join(';'));
  const { baseUrl, projectId } = many;
  const { keyboard } = session.page;
  await session.setFolderSettings({ 'sqlProjects.projects': [{ name: 'Many', baseUrl, projectId }] });
  await session.openView('SQL Projects');
  await session.treeItem('Many').waitFor();
  await focusTree(session);
  // The focus may be on a row that was there before.
  await keyboard.press('Home');
  await goToRow(session, 'Many');
  const isExpanded = async (): Promise<boolean> => {
    // VS Code sometimes drops a key while the list has just taken the focus.
    await keyboard.press('ArrowRight');
    return (await session.treeItem('Many').getAttribute('aria-expanded')) === 'true';
  };
  await waitUntil(isExpanded, { what: 'the project is not expanded' });
  await session.treeItem(/No API key is set/).waitFor();
  await goToRow(session, /No API key is set/);
  await keyboard.press('Enter');
  await new QuickInput(session.page).enterKey(many.apiKey);
  await session.treeItem('Tables').waitFor();
  await goToRow(session, 'Tables');
  await keyboard.press('End');
  await goToRow(session, /^Load More/, 'ArrowUp');
  await keyboard.press('Enter');
  await focusedRow(session).and(session.treeItem('t0494')).waitFor();
});
