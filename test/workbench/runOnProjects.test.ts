import assert from 'node:assert/strict';
import { headerNames } from '../support/shopStatements.ts';
import { createProject } from '../support/projectKeys.ts';
import { QuickInput } from '../support/quickInput.ts';
import { waitForRunLens } from '../support/sampleProject.ts';
import { takePictures } from '../support/themePictures.ts';
import { Client } from '../../src/client/index.ts';
import { startTestService } from '../support/testService.ts';
import type { WorkbenchSession } from '../support/workbench/session.ts';
import { projectStatusItem } from '../support/workbench/workbenchParts.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const { admin, baseUrl } = await startTestService();

/** Shop B has one column more. */
const shops = await Promise.all(
  ['Shop A', 'Shop B', 'Shop C'].map(async name => {
    const { projectId, apiKey } = await createProject(admin, { holderId: 'test', projectName: name });
    const color = name === 'Shop B' ? ", color TEXT DEFAULT 'red'" : '';
    await using client = new Client({ baseUrl, apiKey });
    await client.execSql(projectId, { sql: `CREATE TABLE pets (id INTEGER PRIMARY KEY, name TEXT${color})` });
    await client.execSql(projectId, { sql: `INSERT INTO pets (name) VALUES ('Rex'), ('${name}')` });
    return { name, projectId, apiKey };
  }),
);

const statements = '-- @project Shop A\nSELECT * FROM pets;\nUPDATE pets SET name = upper(name);\n';

async function runOnProjects(session: WorkbenchSession, ...ticks: readonly string[]): Promise<QuickInput> {
  await session.runCommand('SQL Projects: Run on Projects…');
  const input = new QuickInput(session.page);
  // A row without a description has the name of its check box.
  for (const name of ticks) await input.root.getByRole('checkbox', { name, exact: true }).last().click();
  return input;
}

async function enterKey(session: WorkbenchSession, { name, apiKey }: (typeof shops)[number]): Promise<void> {
  await session.runCommand('SQL Projects: Set API Key…');
  await session.page.getByRole('option', { name }).click();
  await new QuickInput(session.page).enterKey(apiKey);
  await session.waitForEditorFocus();
}

workbenchTest(
  'a statement runs on several projects at once, and one that fails runs again when its key is set',
  { files: { 'pets.sql': statements } },
  async session => {
    const { page } = session;
    const projects = shops.map(({ name, projectId }) => ({ name, projectId, baseUrl }));
    const live = { name: 'Live', projectId: 'live', baseUrl, protection: 'readOnly' };
    await session.setFolderSettings({ 'sqlProjects.projects': [...projects, live] });
    await session.openFile('pets.sql');
    await projectStatusItem(page, 'Shop A').waitFor();
    for (const shop of shops.slice(0, 2)) await enterKey(session, shop);
    await waitForRunLens(session);
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowDown');

    const input = await runOnProjects(session, 'Shop A', 'Shop B', 'Shop C', 'Save These as a Group…');
    await session.screenshot('run-on-projects-list');
    await input.root.getByRole('button', { name: 'OK' }).click();
    await input.answer('Name of the group with Shop A, Shop B, Shop C', 'Shops');
    const results = await session.webviewFrame('SQL Results');
    const list = results.getByRole('list', { name: 'Projects' });
    await list.getByText(/ · No API key is set/).waitFor();
    assert.deepEqual(await headerNames(results), ['project', 'id', 'name', 'color']);
    const color = results.getByRole('columnheader', { name: 'color' });
    assert.equal(await color.getAttribute('aria-description'), 'Not in Shop A');
    await takePictures(session, 'run-on-projects');
    await list.getByRole('group', { name: 'Shop C' }).getByRole('button', { name: 'Set API Key' }).click();
    await new QuickInput(page).enterKey(shops[2]!.apiKey);
    await session.notifications.filter({ hasText: "'Shop C' answered" }).waitFor();
    // The message may cover the button.
    await list.getByRole('group', { name: 'Shop C' }).getByRole('button', { name: 'Retry' }).focus();
    await page.keyboard.press('Enter');
    await list
      .getByText(/^2 rows · /)
      .nth(2)
      .waitFor();
    await results
      .getByText(/^6 rows · /)
      .first()
      .waitFor();

    await session.runCommand('View: Focus Active Editor Group');
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const second = await runOnProjects(session, 'Live');
    const isTicked = (name: string) => second.root.getByRole('checkbox', { name, exact: true }).isChecked();
    assert.deepEqual([await isTicked('Shop A'), await isTicked('Shops')], [true, false]);
    await second.root.getByRole('button', { name: 'OK' }).click();
    const question = page.getByRole('dialog').filter({ hasText: "Update all rows of 'pets' in 3 projects?" });
    await question.getByText(/Shop A \(127\.0\.0\.1\): 2 rows[^]*Not sent to Live, which is read-only\./).waitFor();
    await session.screenshot('run-on-projects-question');
    await question.getByRole('button', { name: 'Update Rows' }).click();
    await list.getByText('2 rows changed').nth(2).waitFor();
    await results
      .getByText(/^6 rows changed · /)
      .first()
      .waitFor();
  },
);
