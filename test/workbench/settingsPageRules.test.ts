import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fieldHolds } from '../support/fieldHolds.ts';
import { QuickInput } from '../support/quickInput.ts';
import { openSettingsPage } from '../support/settingsPage.ts';
import { folderSettings } from '../support/workbench/settingsFile.ts';
import { waitUntil } from '../support/workbench/waitUntil.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const canary = 'canary-key-0123456789';

const settingsOf = (projectId: string) => ({
  'sqlProjects.projects': [{ name: 'Hosted', baseUrl: 'http://127.0.0.1:9', projectId }],
});
const settings = settingsOf('page1');

workbenchTest(
  'unsaved changes survive another tab, and closing the page asks about them',
  { settings },
  async session => {
    const content = await openSettingsPage(session);
    const hosted = content.getByRole('listitem').filter({ hasText: 'http://127.0.0.1:9' });
    await hosted.getByText('Edit', { exact: true }).click();
    await hosted.getByRole('textbox', { name: 'Display name (optional)' }).fill('Renamed');
    await session.editorTab('● Manage Projects').waitFor();
    await session.runCommand('File: New Untitled Text File');
    await session.editorTab('● Manage Projects').click();
    const shownAgain = await session.webviewFrame('● Manage Projects');
    await fieldHolds(shownAgain.getByRole('textbox', { name: 'Display name (optional)' }).first(), 'Renamed');
    await session.screenshot('settings-unsaved');
    await session.runCommand('View: Close Editor');
    const dialog = session.page.getByRole('dialog').filter({ hasText: "Save the changes to 'Hosted'?" });
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await waitUntil(
      async () => JSON.stringify((await folderSettings(session))['sqlProjects.projects']).includes('Renamed'),
      { what: 'the changes are not saved' },
    );
  },
);

workbenchTest('a setting that is not a list is shown as a problem and never overwritten', {}, async session => {
  const content = await openSettingsPage(session);
  await session.setFolderSettings({ 'sqlProjects.projects': 'broken' });
  const problem = content.getByText(/sqlProjects\.projects' must be a list/);
  await problem.waitFor();
  await content.getByRole('button', { name: /^Open Settings/ }).click();
  await session.page.getByRole('code').getByText('"broken"').waitFor();
  assert.equal((await folderSettings(session))['sqlProjects.projects'], 'broken');
});

workbenchTest(
  'a problem of the workspace in the tree opens its settings file',
  { settings: { 'sqlProjects.projects': 'broken' } },
  async session => {
    await session.openView('SQL Projects');
    await session.treeItem(/sqlProjects\.projects' must be a list/).click();
    await session.page.getByRole('code').getByText('"broken"').waitFor();
  },
);

workbenchTest(
  'a key goes to another path of the workspace settings only after a question',
  { settings: settingsOf('page3') },
  async session => {
    const content = await openSettingsPage(session);
    await content.getByRole('button', { name: 'Set API Key… Hosted' }).click();
    await new QuickInput(session.page).enterKey(canary);
    const hosted = content.getByRole('listitem').filter({ hasText: 'Hosted' });
    await hosted.getByText(/API key set on/).waitFor();
    const [project] = settingsOf('page3')['sqlProjects.projects'];
    await session.setFolderSettings({ 'sqlProjects.projects': [{ ...project, pathPrefix: '/moved' }] });
    await hosted.getByText('No API key').waitFor();
    await content.getByRole('button', { name: 'Test Connection Hosted' }).click();
    const dialog = session.page.getByRole('dialog');
    await dialog
      .getByText(/was set for http:\/\/127\.0\.0\.1:9\/serviceSql\. Use it for http:\/\/127\.0\.0\.1:9\/moved too\?/)
      .waitFor();
    await dialog.getByText(/The new address comes from the workspace settings/).waitFor();
    await dialog.getByRole('button', { name: 'Use Key' }).click();
    await hosted.getByText(/API key set on/).waitFor();
  },
);

workbenchTest(
  'a settings file with broken JSON stays as it is, and saving shows the error',
  { settings },
  async session => {
    const content = await openSettingsPage(session);
    const file = join(session.folder, '.vscode/settings.json');
    const broken = (await readFile(file, 'utf8')).replace(/\}\s*$/, '  "more": [');
    await writeFile(file, broken);
    const hosted = content.getByRole('listitem').filter({ hasText: 'Hosted' });
    await hosted.getByText('Edit', { exact: true }).click();
    await hosted.getByRole('textbox', { name: 'Display name (optional)' }).fill('Renamed');
    await hosted.getByRole('button', { name: 'Save' }).click();
    await content
      .getByRole('alert')
      .filter({ hasText: /Unable to write into workspace settings.*correct/ })
      .waitFor();
    await hosted.getByText('Unsaved changes.').waitFor();
    assert.equal(await readFile(file, 'utf8'), broken);
    // The next test closes the page, which asks about unsaved changes.
    await hosted.getByRole('button', { name: 'Discard' }).click();
    await hosted.getByText('Unsaved changes.').waitFor({ state: 'detached' });
  },
);

workbenchTest('the page is restored after a reload', { settings }, async session => {
  await openSettingsPage(session);
  await session.reload();
  const content = await session.webviewFrame('Manage Projects');
  await content.getByRole('heading', { name: 'Hosted' }).waitFor();
  await content.getByRole('button', { name: 'Test Connection Hosted' }).click();
  await content.getByText('No API key is set for this project.').waitFor();
  assert.equal(await session.editorTab('Manage Projects').count(), 1);
});

workbenchTest('Remove asks first', { settings }, async session => {
  const content = await openSettingsPage(session);
  await content.getByRole('button', { name: 'Remove Project… Hosted' }).click();
  const dialog = session.page.getByRole('dialog').filter({ hasText: "Remove 'Hosted' from the workspace settings?" });
  await dialog.getByRole('button', { name: 'Remove Project' }).click();
  await content.getByRole('heading', { name: 'Hosted' }).waitFor({ state: 'detached' });
  assert.deepEqual((await folderSettings(session))['sqlProjects.projects'], []);
});
