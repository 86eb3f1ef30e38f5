import assert from 'node:assert/strict';
import { showLog } from '../../support/extensionLog.ts';
import { fieldHolds } from '../../support/fieldHolds.ts';
import { keyPrompt, QuickInput } from '../../support/quickInput.ts';
import { openTestService } from '../../support/testService.ts';
import { focusedRow } from '../../support/treeMenu.ts';
import type { WorkbenchSession } from '../../support/workbench/session.ts';
import { userSettings } from '../../support/workbench/settingsFile.ts';
import { workbenchTest } from '../../support/workbench/workbenchTest.ts';

const ownProfile = {};
const title = 'SQL Projects: Add Project…';

/** The prompt for the key of a project at an address. */
const keyFor = (url: string): string => `API key. ${keyPrompt} and sent to ${url} only.`;

const userProjects = async (session: WorkbenchSession): Promise<unknown> =>
  (await userSettings(session))['sqlProjects.projects'];

workbenchTest(
  'a project is added from the welcome view, gets the focus in the tree, and its requests are logged',
  { ownProfile },
  async session => {
    await using service = await openTestService();
    const input = new QuickInput(session.page);
    await session.openView('SQL Projects');
    await session.page.getByRole('button', { name: 'Add Project', exact: true }).click();
    await input.answer('Address of the service', 'no where');
    await input.answer(/must be an http or https address/, service.baseUrl);
    await input.answer(keyFor(service.baseUrl), 'wrong-key');
    await input.waitForPrompt(/rejected the API key/);
    assert.equal(await userProjects(session), undefined);
    await input.answer(/rejected the API key/, service.apiKey);
    // The key opens one project, which is taken without a question.
    await input.answer('Display name', 'Shop');
    await session.notifications.filter({ hasText: /'Shop' answered in [\d.]+ m?s: 6 tables/ }).waitFor();
    await focusedRow(session).and(session.treeItem('Shop')).waitFor();
    await session.expand('Shop');
    await session.treeItem('customers').waitFor();
    const lines = await showLog(session);
    await lines
      .filter({ hasText: /Shop\s·\s(GET|SELECT)/ })
      .first()
      .waitFor();
    const [added] = (await userProjects(session)) as Record<string, string>[];
    assert.deepEqual(
      [added?.['name'], added?.['baseUrl'], added?.['projectId']],
      ['Shop', service.baseUrl, service.projectId],
    );
  },
);

workbenchTest('Back keeps the answers, and Escape stores nothing', { ownProfile }, async session => {
  await using service = await openTestService();
  const input = new QuickInput(session.page);
  await session.runCommand(title);
  await input.answer('Address of the service', service.baseUrl);
  await input.waitForPrompt(keyFor(service.baseUrl));
  await input.back();
  await input.waitForPrompt('Address of the service');
  await fieldHolds(input.field, service.baseUrl);
  await session.page.keyboard.press('Enter');
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
