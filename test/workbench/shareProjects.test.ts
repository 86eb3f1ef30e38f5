import assert from 'node:assert/strict';
import { fieldHolds } from '../support/fieldHolds.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { QuickInput } from '../support/quickInput.ts';
import { folderSettings, openSettingsPage } from '../support/settingsPage.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const canary = 'canary-key-0123456789';
const hosted = { name: 'Hosted', baseUrl: 'http://127.0.0.1:9', projectId: 'p1', color: 'red' };

workbenchTest(
  'exported projects hold no key and nothing that nobody knows, and are imported with what is there left alone',
  {
    ownProfile: { settings: { 'sqlProjects.projects': [{ ...hosted, apiKey: canary, note: 'mine' }] } },
    files: {
      // As a team's settings are: with comments and commas where JSON has none.
      'team.json': `{
        "sqlProjects.projects": [ // ours
          ${JSON.stringify({ ...hosted, color: 'blue' })},
          ${JSON.stringify({ ...hosted, name: 'Other', projectId: 'p2' })},
          5,
        ],
      }`,
      'wrong.json': '{ "sqlProjects.projects": ',
    },
  },
  async session => {
    const input = new QuickInput(session.page);
    const choose = (file: string): Promise<void> => input.root.getByRole('option', { name: file }).click();
    await session.runCommand('SQL Projects: Export Projects…');
    await input.field.and(session.page.locator(':focus')).waitFor();
    await input.root.getByRole('button', { name: 'OK', exact: true }).click();
    await session.notifications.filter({ hasText: 'Exported projects: 1.' }).waitFor();
    assert.deepEqual(JSON.parse(await readFile(join(session.folder, 'sql-projects.json'), 'utf8')), {
      'sqlProjects.projects': [hosted],
    });

    await session.runCommand('SQL Projects: Import Projects…');
    await choose('team.json');
    const imported = session.notifications.filter({ hasText: 'Imported projects: 1. There already: 1.' });
    await imported.filter({ hasText: 'Entry 3 of sqlProjects.projects must be an object.' }).waitFor();
    const user = JSON.parse(await readFile(join(session.server.userDataDir, 'User/settings.json'), 'utf8')) as object;
    assert.deepEqual((user as Record<string, unknown>)['sqlProjects.projects'], [
      { ...hosted, apiKey: canary, note: 'mine' },
      { ...hosted, name: 'Other', projectId: 'p2' },
    ]);

    await session.runCommand('SQL Projects: Import Projects…');
    await choose('wrong.json');
    await session.notifications.filter({ hasText: 'no JSON with a list sqlProjects.projects' }).waitFor();
  },
);

workbenchTest(
  'a project is copied to the settings of the workspace, where a team finds it and enters keys of its own',
  { ownProfile: { settings: { 'sqlProjects.projects': [hosted] } } },
  async session => {
    const content = await openSettingsPage(session);
    await content.getByRole('button', { name: 'Copy to Workspace Hosted' }).click();
    await session.notifications.filter({ hasText: 'Hosted is in the settings of the workspace now.' }).waitFor();
    assert.deepEqual((await folderSettings(session))['sqlProjects.projects'], [hosted]);

    await content.getByRole('button', { name: 'Remove… Hosted' }).click();
    await session.page.getByRole('dialog').getByRole('button', { name: 'Remove Project' }).click();
    const shared = content.getByRole('listitem').filter({ hasText: 'workspace settings' });
    await shared.getByText('No key set').waitFor();
    await session.openView('SQL Projects');
    await session.expand('Hosted');
    await session.treeItem(/No API key is set/).click();
    await session.page.getByText('API key for Hosted').waitFor();
  },
);

workbenchTest(
  'a workspace raises the protection of a project of the user, and the page says so',
  {
    ownProfile: { settings: { 'sqlProjects.projects': [hosted] } },
    settings: { 'sqlProjects.projects': [{ ...hosted, name: 'Evil', pathPrefix: '/evil', protection: 'readOnly' }] },
  },
  async session => {
    const content = await openSettingsPage(session);
    const item = content.getByRole('listitem').filter({ hasText: 'Hosted' });
    await item.getByText('The workspace raises the protection: Read-only.').waitFor();
    assert.equal(await content.getByText('Evil').count(), 0);
    await item.getByText('Edit', { exact: true }).click();
    await fieldHolds(item.getByRole('textbox', { name: 'Path prefix' }), '/serviceSql');
    await session.runCommand('SQL Projects: Protection…');
    await session.page.getByRole('option', { name: /^Hosted/ }).click();
    await session.page.getByRole('option', { name: /^Confirm writes/ }).click();
    await session.notifications.filter({ hasText: 'The workspace raises the protection: Read-only.' }).waitFor();
  },
);

workbenchTest(
  'a workspace that is not trusted adds no project, and the view says why and how to change that',
  { ownProfile: { trustWorkspaces: false }, settings: { 'sqlProjects.projects': [hosted] } },
  async session => {
    const { page } = session;
    await session.openView('SQL Projects');
    await page.getByText('Projects from the settings of this workspace are left out').waitFor();
    await page.getByRole('button', { name: 'Add Project', exact: true }).waitFor();
    assert.equal(await session.treeItem('Hosted').count(), 0);
    await page.getByRole('button', { name: 'Manage Workspace Trust' }).click();
    await page.getByRole('button', { name: 'Trust', exact: true }).click();
    await session.treeItem('Hosted').waitFor();
  },
);

workbenchTest(
  'nothing is written to the settings of a workspace that is not trusted, since nobody can see what stands there',
  {
    ownProfile: { trustWorkspaces: false, settings: { 'sqlProjects.projects': [{ ...hosted, projectId: 'p2' }] } },
    settings: { 'sqlProjects.projects': [hosted] },
  },
  async session => {
    await session.openView('SQL Projects');
    await session.treeItem('Hosted').waitFor();
    await session.runCommand('SQL Projects: Copy Project to Workspace Settings');
    await session.page.getByRole('option', { name: /^Hosted/ }).click();
    await session.notifications.filter({ hasText: 'You have not said that you trust this workspace' }).waitFor();
    assert.deepEqual((await folderSettings(session))['sqlProjects.projects'], [hosted]);
  },
);
