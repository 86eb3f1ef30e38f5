import { openProjectOf, startServiceWith } from '../support/ownProject.ts';
import { QuickInput } from '../support/quickInput.ts';
import { openSampleProject } from '../support/sampleProject.ts';
import { focusedRow } from '../support/treeMenu.ts';
import type { WorkbenchSession } from '../support/workbench/session.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const five = Array.from({ length: 5000 }, (_, index) => `CREATE TABLE t${String(index).padStart(4, '0')}(a)`);
const manyTables = `${five.join(';')}; CREATE VIEW last_of_all AS SELECT 1`;

/** Types a name into the list of all tables and takes the first that is offered. */
async function find(session: WorkbenchSession, name: string): Promise<void> {
  const input = new QuickInput(session.page);
  await session.runCommand('SQL Projects: Find Table…');
  await input.root.getByPlaceholder(/^The name of a table or view/).fill(name);
  await input.root.getByRole('option', { name }).first().waitFor();
  await session.page.keyboard.press('Enter');
}

const focused = (session: WorkbenchSession, name: string) => focusedRow(session).and(session.treeItem(name));

workbenchTest('a table far down among five thousand is found by its name, and shown in the tree', {}, async session => {
  await using service = await startServiceWith(manyTables);
  await openProjectOf(session, 'Many', service);
  await session.collapse('Many');
  await find(session, 't4321');
  await focused(session, 't4321').waitFor();
  await session.screenshot('find-table');
  // Its folder is open now, and shows more of it.
  await find(session, 't4987');
  await focused(session, 't4987').waitFor();
  await find(session, 'last_of_all');
  await focused(session, 'last_of_all').waitFor();
  await find(session, 'order_totals');
  await focused(session, 'order_totals').waitFor();
});

workbenchTest(
  'the tables of the other projects are found while one cannot be asked, and what helps it is offered',
  { settings: { 'sqlProjects.projects': [{ name: 'Locked', baseUrl: 'http://127.0.0.1:9', projectId: 'p1' }] } },
  async session => {
    const input = new QuickInput(session.page);
    await session.openView('SQL Projects');
    await session.page.getByRole('button', { name: 'Find Table…' }).click();
    await input.root.getByRole('option', { name: /^customers/ }).waitFor();
    await input.field.fill('no such table');
    await input.root.getByRole('option', { name: /^Locked, Set API Key, No API key is set/ }).waitFor();
    await session.page.keyboard.press('Enter');
    await input.asked('It is kept in the secret storage and sent to http://127.0.0.1:9 only.');
  },
);

workbenchTest('the find of the tree itself goes to what is typed', {}, async session => {
  await openSampleProject(session);
  await session.treeItem('customers').click();
  await session.page.keyboard.press('Control+Alt+f');
  await session.page.locator('.monaco-tree-type-filter input').fill('products');
  await session.page.keyboard.press('Enter');
  await focused(session, 'products').waitFor({ state: 'attached' });
});
