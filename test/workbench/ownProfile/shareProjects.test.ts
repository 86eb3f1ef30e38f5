import assert from 'node:assert/strict';
import { fieldHolds } from '../../support/fieldHolds.ts';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { QuickInput } from '../../support/quickInput.ts';
import { openSettingsPage } from '../../support/settingsPage.ts';
import { takePictures } from '../../support/themePictures.ts';
import { selectedTexts } from '../../support/workbench/editorParts.ts';
import { folderSettings, userSettings } from '../../support/workbench/settingsFile.ts';
import { waitUntil } from '../../support/workbench/waitUntil.ts';
import { workbenchTest } from '../../support/workbench/workbenchTest.ts';

const canary = 'canary-key-0123456789';
const hosted = { name: 'Hosted', baseUrl: 'http://127.0.0.1:9', projectId: 'p1', color: 'red' };

workbenchTest(
  'Export writes no keys and no unknown fields, and Import leaves present projects alone',
  {
    ownProfile: { settings: { 'sqlProjects.projects': [{ ...hosted, apiKey: canary, note: 'mine' }] } },
    files: {
      // VS Code's settings may have comments and trailing commas.
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
    await session.notifications.filter({ hasText: 'Exported 1 project.' }).waitFor();
    const file = join(session.folder, 'sql-projects.json');
    assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), { 'sqlProjects.projects': [hosted] });

    // VS Code writes the file, and leaves its access rights as they are.
    await writeFile(file, '');
    await chmod(file, 0o600);
    await session.runCommand('SQL Projects: Export Projects…');
    await input.field.and(session.page.locator(':focus')).waitFor();
    const ok = input.root.getByRole('button', { name: 'OK', exact: true });
    await ok.click();
    await input.root.getByText('already exists').waitFor();
    await ok.click();
    await input.root.waitFor({ state: 'hidden' });
    await waitUntil(async () => (await stat(file)).size > 0, { what: 'the file is not written' });
    assert.equal((await stat(file)).mode & 0o777, 0o600);

    await session.runCommand('SQL Projects: Import Projects…');
    await choose('team.json');
    const imported = session.notifications.filter({
      hasText: 'Imported 1 project. Set its API key to use it. 1 project already exists.',
    });
    await imported.filter({ hasText: "Entry 3 of 'sqlProjects.projects' must be an object." }).waitFor();
    assert.deepEqual((await userSettings(session))['sqlProjects.projects'], [
      { ...hosted, apiKey: canary, note: 'mine' },
      { ...hosted, name: 'Other', projectId: 'p2' },
    ]);

    await session.runCommand('SQL Projects: Import Projects…');
    await choose('wrong.json');
    await session.notifications.filter({ hasText: 'The file is not a list of projects.' }).waitFor();
  },
);

workbenchTest(
  'Copy to Workspace shares a project without its key',
  { ownProfile: { settings: { 'sqlProjects.projects': [hosted] } } },
  async session => {
    const content = await openSettingsPage(session);
    await content.getByRole('button', { name: 'Copy to Workspace Settings Hosted' }).click();
    await session.notifications
      .filter({ hasText: 'Saved to workspace settings. Each user sets their own API key.' })
      .waitFor();
    assert.deepEqual((await folderSettings(session))['sqlProjects.projects'], [hosted]);

    await content.getByRole('button', { name: 'Remove Project… Hosted' }).click();
    await session.page.getByRole('dialog').getByRole('button', { name: 'Remove Project' }).click();
    const shared = content.getByRole('listitem').filter({ hasText: 'workspace settings' });
    await shared.getByText('No API key').waitFor();
    await session.openView('SQL Projects');
    await session.expand('Hosted');
    await session.treeItem(/No API key is set/).click();
    await session.page.getByText("API Key of 'Hosted'").waitFor();
  },
);

workbenchTest(
  'the page says that the workspace raises the protection of a project',
  {
    ownProfile: { settings: { 'sqlProjects.projects': [hosted] } },
    settings: { 'sqlProjects.projects': [{ ...hosted, name: 'Evil', pathPrefix: '/evil', protection: 'readOnly' }] },
  },
  async session => {
    const content = await openSettingsPage(session);
    const item = content.getByRole('listitem').filter({ hasText: 'Hosted' });
    await item.getByText('The workspace settings raise the protection to Read-only.').waitFor();
    assert.equal(await content.getByText('Evil').count(), 0);
    await item.getByText('Edit', { exact: true }).click();
    await fieldHolds(item.getByRole('textbox', { name: 'Path prefix' }), '/serviceSql');
    await session.runCommand('SQL Projects: Protection…');
    await session.page.getByRole('option', { name: /^Confirm writes/ }).click();
    await session.notifications
      .filter({ hasText: 'The workspace settings raise the protection to Read-only.' })
      .waitFor();
  },
);

workbenchTest(
  'Edit Projects in Settings goes to the list and inserts nothing',
  { ownProfile: { settings: { 'sqlProjects.projects': [hosted] } } },
  async session => {
    const file = join(session.server.userDataDir, 'User/settings.json');
    const before = await readFile(file, 'utf8');
    const content = await openSettingsPage(session);
    await content.getByRole('button', { name: 'Edit Projects in Settings' }).click();
    await session.page.getByRole('code').getByText('"sqlProjects.projects"').waitFor();
    await selectedTexts(session.page).first().waitFor();
    assert.equal(await readFile(file, 'utf8'), before);
  },
);

workbenchTest(
  'the view leaves out the projects of an untrusted workspace, and says how to trust it, in every kind of theme',
  { ownProfile: { trustWorkspaces: false }, settings: { 'sqlProjects.projects': [hosted] } },
  async session => {
    const { page } = session;
    await session.openView('SQL Projects');
    await page.getByText('The projects in the settings of this workspace are not listed').waitFor();
    await page.getByRole('button', { name: 'Add Project', exact: true }).waitFor();
    assert.equal(await session.treeItem('Hosted').count(), 0);
    await page.getByRole('button', { name: 'Manage Workspace Trust' }).waitFor();
    await takePictures(session, 'untrusted');
    await page.getByRole('button', { name: 'Manage Workspace Trust' }).click();
    await page.getByRole('button', { name: 'Trust', exact: true }).click();
    await session.treeItem('Hosted').waitFor();
  },
);
