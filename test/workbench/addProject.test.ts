import assert from 'node:assert/strict';
import { fieldHolds } from '../support/fieldHolds.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { QuickInput } from '../support/quickInput.ts';
import { startTestService } from '../support/testService.ts';
import { focusedRow } from '../support/treeMenu.ts';
import type { WorkbenchSession } from '../support/workbench/session.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const service = await startTestService();
const ownProfile = {};
const title = 'SQL Projects: Add Project…';

/** The prompt for the key of a project at an address. */
const keyFor = (url: string): string => `API key. It is kept in the secret storage and sent to ${url} only.`;

const userProjects = async ({ server }: WorkbenchSession): Promise<unknown> => {
  const text = await readFile(join(server.userDataDir, 'User/settings.json'), 'utf8');
  return (JSON.parse(text) as Record<string, unknown>)['sqlProjects.projects'];
};

workbenchTest(
  'a project is added from the welcome view, gets the focus in the tree, and its requests are logged',
  { ownProfile },
  async session => {
    const input = new QuickInput(session.page);
    await session.openView('SQL Projects');
    await session.page.getByRole('button', { name: 'Add Project', exact: true }).click();
    await input.answer('Base URL of the service', 'nowhere');
    await input.answer(/must be an http\(s\) address/, service.baseUrl);
    await input.answer('Path prefix', '/serviceSql');
    await input.choose('How do you know the project?', 'By its project ID');
    await input.answer('Project ID', service.projectId);
    await input.answer('What to call the project', 'Shop');
    await input.answer(keyFor(service.baseUrl), 'wrong-key');
    assert.equal(await userProjects(session), undefined);
    await input.choose(/does not accept the API key/, 'Enter another key');
    await input.answer(keyFor(service.baseUrl), service.apiKey);
    await session.notifications.filter({ hasText: /Shop answered in \d+ ms\. Tables: 6/ }).waitFor();
    await focusedRow(session).and(session.treeItem('Shop')).waitFor();
    await session.expand('Shop');
    await session.treeItem('customers').waitFor();
    await session.runCommand('Output: Show Output Channels...');
    await session.page.getByRole('option', { name: 'SQL Projects' }).first().click();
    await session.page
      .locator('.panel .view-line')
      .filter({ hasText: /Shop:\s401\sfor\sPOST/ })
      .first()
      .waitFor();
    assert.deepEqual(await userProjects(session), [
      { name: 'Shop', baseUrl: service.baseUrl, projectId: service.projectId },
    ]);
  },
);

workbenchTest('Back keeps the answers, and Escape leaves nothing behind', { ownProfile }, async session => {
  const input = new QuickInput(session.page);
  await session.runCommand(title);
  await input.answer('Base URL of the service', service.baseUrl);
  await input.waitForPrompt('Path prefix');
  await input.back();
  await input.waitForPrompt('Base URL of the service');
  await fieldHolds(input.field, service.baseUrl);
  await session.page.keyboard.press('Enter');
  await input.answer('Path prefix', '/serviceSql');
  await input.choose('How do you know the project?', 'By its project ID');
  await input.answer('Project ID', service.projectId);
  await input.answer('What to call the project', '');
  await input.waitForPrompt(keyFor(service.baseUrl));
  await input.field.fill(service.apiKey);
  await session.page.keyboard.press('Escape');
  await input.root.waitFor({ state: 'hidden' });
  assert.equal(await userProjects(session), undefined);
  // Added by hand later, the project has no key.
  await session.setFolderSettings({
    'sqlProjects.projects': [{ name: 'Later', baseUrl: service.baseUrl, projectId: service.projectId }],
  });
  await session.openView('SQL Projects');
  await session.expand('Later');
  await session.treeItem(/No API key is set/).waitFor();
});
