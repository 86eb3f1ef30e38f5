import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serviceFolderVariable } from '../support/workbench/globalSetup.ts';
import { testsInOneWindow } from '../support/workbench/workbenchTest.ts';
import { openProjectOf, startServiceWith } from '../support/ownProject.ts';
import { startRefusingProxy } from '../support/refusingProxy.ts';
import { chooseFromMenu } from '../support/treeMenu.ts';
import { openSampleProject, runFromKeyboard } from '../support/sampleProject.ts';

const sharingTest = testsInOneWindow();

sharingTest(
  'a broken entry of the settings is named in the tree, and the others are there',
  {
    settings: {
      'sqlProjects.projects': [
        { name: 'Nowhere', baseUrl: 'http://127.0.0.1:9', projectId: 'p1' },
        { name: 'No address', projectId: 'p2' },
      ],
    },
  },
  async session => {
    await session.openView('SQL Projects');
    await session.treeItem(/Entry 2 of sqlProjects\.projects has no "baseUrl"/).waitFor();
    await session.treeItem('Sample Shop').waitFor();
    await session.expand('Nowhere');
    await session.treeItem(/No API key is set for this project/).waitFor();
  },
);

sharingTest('New Query on a table opens a SELECT for it that runs', {}, async session => {
  await openSampleProject(session);
  await session.treeItem('categories').hover();
  await session.treeItem('categories').getByRole('button', { name: 'New Query' }).click();
  await session.page.getByRole('code').getByText('SELECT * FROM "categories" LIMIT 100').waitFor();
  const results = await runFromKeyboard(session);
  await results.getByRole('gridcell', { name: 'Kitchen' }).waitFor();
});

sharingTest('a key that the service does not accept is named, and another can be entered', {}, async session => {
  const { page } = session;
  const { baseUrl } = JSON.parse(
    await readFile(join(process.env[serviceFolderVariable] ?? '', 'service.json'), 'utf8'),
  ) as { baseUrl: string };
  await session.setFolderSettings({ 'sqlProjects.projects': [{ name: 'Locked', baseUrl, projectId: 'p1' }] });
  await session.openView('SQL Projects');
  await session.expand('Locked');
  await session.treeItem(/No API key is set for this project/).click();
  await page.locator('input[type="password"]').fill('wrong-key');
  await page.keyboard.press('Enter');
  await session.treeItem(/The service does not accept the API key/).click();
  await page.getByText('API key for Locked').waitFor();
});

sharingTest(
  'a service that does not tell the status of its projects is not taken for a wrong address',
  {},
  async session => {
    await using service = await startServiceWith('CREATE TABLE parts(id INTEGER PRIMARY KEY); CREATE TABLE zebras(a)');
    const { baseUrl } = await startRefusingProxy(service.baseUrl, ({ path }) =>
      path.endsWith('/status') ? { status: 404, code: 'not_found' } : undefined,
    );
    const { projectId, apiKey } = service;
    await openProjectOf(session, 'Silent', { projectId, apiKey, baseUrl });
    await session.treeItem('zebras').waitFor();
    await chooseFromMenu(session, 'Silent', 'Show Status');
    const told = 'Silent has 8 tables. Its service does not tell whether it is active.';
    await session.notifications.filter({ hasText: told }).waitFor();
  },
);
