import type { Locator } from 'playwright-core';
import { openProjectOf, startServiceWith } from '../support/ownProject.ts';
import { keyPrompt, QuickInput } from '../support/quickInput.ts';
import { openSampleProject } from '../support/sampleProject.ts';
import { focusedRow } from '../support/treeMenu.ts';
import type { WorkbenchSession } from '../support/workbench/session.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const createTables = Array.from({ length: 5000 }, (_, index) => `CREATE TABLE t${String(index).padStart(4, '0')}(a)`);
const manyTables = `${createTables.join(';')}; CREATE VIEW last_of_all AS SELECT 1`;

/** Types a name into the list of all tables. Gives the first match. */
async function find(session: WorkbenchSession, name: string): Promise<Locator> {
  const input = new QuickInput(session.page);
  await session.runCommand('SQL Projects: Find Table…');
  await input.root.getByPlaceholder(/^Name of a table or view/).fill(name);
  const match = input.root.getByRole('option', { name }).first();
  await match.waitFor();
  return match;
}

async function showInTree(session: WorkbenchSession, name: string): Promise<void> {
  const match = await find(session, name);
  await match.hover();
  await match.getByRole('button', { name: 'Show in Tree' }).click();
}

const focused = (session: WorkbenchSession, name: string) => focusedRow(session).and(session.treeItem(name));

workbenchTest('Find Table opens any of five thousand tables, or shows it in the tree', {}, async session => {
  await using service = await startServiceWith(manyTables);
  await openProjectOf(session, 'Many', service);
  await session.collapse('Many');
  await find(session, 't4320');
  await session.page.keyboard.press('Enter');
  await session.editorTab('t4320').waitFor();
  await showInTree(session, 't4321');
  await focused(session, 't4321').waitFor();
  await session.screenshot('find-table');
  // The folder of tables is expanded now.
  await showInTree(session, 't4987');
  await focused(session, 't4987').waitFor();
  await showInTree(session, 'last_of_all');
  await focused(session, 'last_of_all').waitFor();
  await showInTree(session, 'order_totals');
  await focused(session, 'order_totals').waitFor();
});

workbenchTest(
  'Find Table lists the tables of other projects when one cannot be reached, and offers what helps',
  { settings: { 'sqlProjects.projects': [{ name: 'Locked', baseUrl: 'http://127.0.0.1:9', projectId: 'locked' }] } },
  async session => {
    const input = new QuickInput(session.page);
    await session.openView('SQL Projects');
    // VS Code shows the buttons of a view under the pointer.
    await session.page.getByRole('button', { name: 'SQL Projects Section' }).hover();
    await session.page.getByRole('button', { name: 'Find Table…' }).click();
    await input.root.getByRole('option', { name: /^customers/ }).waitFor();
    await input.field.fill('no such table');
    await input.root.getByRole('option', { name: /^Locked, Set API Key, No API key is set/ }).waitFor();
    await session.page.keyboard.press('Enter');
    await input.waitForPrompt(`${keyPrompt} and sent to http://127.0.0.1:9 only.`);
  },
);

workbenchTest('the find widget of the tree goes to the table that is typed', {}, async session => {
  await openSampleProject(session);
  await session.treeItem('customers').click();
  await session.page.keyboard.press('Control+Alt+f');
  await session.page.getByRole('textbox', { name: 'Type to search' }).fill('products');
  await session.page.keyboard.press('Enter');
  await focused(session, 'products').waitFor({ state: 'attached' });
});
