import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { encodeServiceFile, serviceFileName } from '../../src/wire/serviceFile.ts';
import { fieldHolds } from '../support/fieldHolds.ts';
import { QuickInput } from '../support/quickInput.ts';
import { type Answer, reply, startScriptedServer } from '../support/scriptedServer.ts';
import { folderSettings, openSettingsPage } from '../support/settingsPage.ts';
import { testsInOneWindow, workbenchTest } from '../support/workbench/workbenchTest.ts';

const sharingTest = testsInOneWindow();

const slowFolder = await mkdtemp(join(tmpdir(), 'slow-'));
after(() => rm(slowFolder, { recursive: true }));

const canary = 'canary-key-0123456789';

const settingsOf = (projectId: string) => ({
  'sqlProjects.projects': [{ name: 'Hosted', baseUrl: 'http://127.0.0.1:9', projectId }],
});
const settings = settingsOf('p1');

sharingTest(
  'the page of projects takes a key by the password input, and never learns it',
  { settings },
  async session => {
    const { page } = session;
    const content = await openSettingsPage(session);
    const hosted = content.getByRole('listitem').filter({ hasText: 'Hosted' });
    await hosted.getByText('No key set').waitFor();
    await content
      .getByRole('listitem')
      .filter({ hasText: 'Sample Shop' })
      .getByText(/Key set on/)
      .waitFor();

    await hosted.getByRole('button', { name: 'Set Key…' }).click();
    await page.getByText(/kept in the secret storage and sent to http:\/\/127\.0\.0\.1:9 only/).waitFor();
    const input = page.locator('input[type="password"]');
    await input.fill(canary);
    await page.keyboard.press('Enter');
    await hosted.getByText(/Key set on/).waitFor();
    assert.doesNotMatch(await content.locator('html').innerHTML(), new RegExp(canary));
    assert.doesNotMatch(JSON.stringify(await folderSettings(session)), new RegExp(canary));

    await hosted.getByRole('button', { name: 'Forget Key' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Forget Key' }).click();
    await hosted.getByText('No key set').waitFor();
  },
);

sharingTest('Edit Projects in Settings leads to the setting, also when it is not there yet', {}, async session => {
  const content = await openSettingsPage(session);
  await content.getByRole('button', { name: 'Edit Projects in Settings' }).click();
  await session.page.getByRole('code').getByText('"sqlProjects.projects"').waitFor();
});

sharingTest('the page and the settings agree, whichever is edited', { settings }, async session => {
  const content = await openSettingsPage(session);
  const hosted = content.getByRole('listitem').filter({ hasText: 'http://127.0.0.1:9' });
  await hosted.getByText('Edit', { exact: true }).click();
  await hosted.getByRole('textbox', { name: 'Name', exact: true }).fill('Renamed');
  await hosted.getByRole('combobox', { name: 'Protection' }).click();
  await hosted.getByRole('option', { name: 'Read-only' }).click();
  await hosted.getByRole('button', { name: 'Save' }).click();
  await hosted.getByRole('heading', { name: 'Renamed' }).filter({ hasText: 'Read-only' }).waitFor();
  assert.deepEqual((await folderSettings(session))['sqlProjects.projects'], [
    { name: 'Renamed', baseUrl: 'http://127.0.0.1:9', projectId: 'p1', protection: 'readOnly' },
  ]);

  const byHand = { name: 'By hand', baseUrl: 'http://127.0.0.1:9', projectId: 'p1', color: 'purple', retries: 1 };
  await session.setFolderSettings({ 'sqlProjects.projects': [byHand] });
  await hosted.getByRole('heading', { name: 'By hand' }).waitFor();
  await fieldHolds(hosted.getByRole('textbox', { name: 'Retries' }), '1');
  await session.screenshot('settings-form');
  await session.setFolderSettings({ 'sqlProjects.results.maxRows': 77 });
  await fieldHolds(content.getByRole('textbox', { name: 'Most rows', exact: true }), '77');
});

sharingTest('a setting that is no list is named, leads to its file, and is never written over', {}, async session => {
  const content = await openSettingsPage(session);
  await session.setFolderSettings({ 'sqlProjects.projects': 'broken' });
  const problem = content.getByText(/sqlProjects\.projects must be a list/);
  await problem.waitFor();
  await content.getByRole('button', { name: /^Open Settings/ }).click();
  await session.page.getByRole('code').getByText('"broken"').waitFor();
  assert.equal((await folderSettings(session))['sqlProjects.projects'], 'broken');
});

sharingTest(
  'a problem of the workspace leads from the tree to the file of the workspace',
  { settings: { 'sqlProjects.projects': 'broken' } },
  async session => {
    await session.openView('SQL Projects');
    await session.treeItem(/sqlProjects\.projects must be a list/).click();
    await session.page.getByRole('code').getByText('"broken"').waitFor();
  },
);

sharingTest(
  'Test says what answered, and what to do when nobody did',
  { settings: settingsOf('p2') },
  async session => {
    const content = await openSettingsPage(session);
    await content.getByRole('button', { name: 'Test Sample Shop' }).click();
    await content.getByText(/^Sample Shop answered in \d+ ms\. Tables: 6\. SQLite 3\./).waitFor();
    await content.getByRole('button', { name: 'Test Hosted' }).click();
    const outcome = content.getByText('No API key is set for this project. Use "Set API Key" to enter it.');
    await outcome.waitFor();
    // With a key it is not so any more.
    await content.getByRole('button', { name: 'Set Key… Hosted' }).click();
    await new QuickInput(session.page).answer('It is kept in the secret storage', canary);
    await outcome.waitFor({ state: 'hidden' });
  },
);

sharingTest(
  'a settings file that is broken JSON is told of when something is saved, and nothing of it is lost',
  { settings },
  async session => {
    const content = await openSettingsPage(session);
    const file = join(session.folder, '.vscode/settings.json');
    const broken = (await readFile(file, 'utf8')).replace(/\}\s*$/, '  "more": [');
    await writeFile(file, broken);
    const hosted = content.getByRole('listitem').filter({ hasText: 'Hosted' });
    await hosted.getByText('Edit', { exact: true }).click();
    await hosted.getByRole('textbox', { name: 'Name', exact: true }).fill('Renamed');
    await hosted.getByRole('button', { name: 'Save' }).click();
    await content
      .getByRole('alert')
      .filter({ hasText: /Unable to write into workspace settings.*correct/ })
      .waitFor();
    await hosted.getByText('Not saved yet.').waitFor();
    assert.equal(await readFile(file, 'utf8'), broken);
  },
);

workbenchTest('the page is there again when the window is opened again', { settings }, async session => {
  await openSettingsPage(session);
  await session.reload();
  const content = await session.webviewFrame('SQL Projects and Credentials');
  await content.getByRole('heading', { name: 'Hosted' }).waitFor();
  await content.getByRole('button', { name: 'Test Hosted' }).click();
  await content.getByText('No API key is set for this project.').waitFor();
  assert.equal(await session.editorTab('SQL Projects and Credentials').count(), 1);
});

sharingTest('a project is removed after a question', { settings }, async session => {
  const content = await openSettingsPage(session);
  await content.getByRole('button', { name: 'Remove… Hosted' }).click();
  const dialog = session.page.getByRole('dialog').filter({ hasText: 'Remove Hosted from the settings' });
  await dialog.getByRole('button', { name: 'Remove Project' }).click();
  await content.getByRole('heading', { name: 'Hosted' }).waitFor({ state: 'detached' });
  assert.deepEqual((await folderSettings(session))['sqlProjects.projects'], []);
});

workbenchTest(
  'the page of projects shows what there is now, also when what was asked for before comes last',
  { ownProfile: { machineSettings: { 'sqlProjects.localService.folder': slowFolder } } },
  async session => {
    const held = Promise.withResolvers<() => void>();
    const none = reply({ projects: [] });
    const hold: Answer = (response, request) => held.resolve(() => none(response, request));
    await using server = await startScriptedServer(hold, none);
    const file = encodeServiceFile({ baseUrl: server.url, pathPrefix: '', adminKey: 'admin' });
    await writeFile(join(slowFolder, serviceFileName), file);
    await session.runCommand('SQL Projects: Manage Projects and Credentials');
    const answer = await held.promise;
    await session.setFolderSettings({
      'sqlProjects.projects': [{ name: 'Hosted', baseUrl: 'http://127.0.0.1:9', projectId: 'p1' }],
    });
    const content = await session.webviewFrame('SQL Projects and Credentials');
    const hosted = content.getByRole('listitem').filter({ hasText: 'Hosted' });
    await hosted.waitFor();
    answer();
    await hosted.getByRole('button', { name: 'Test Hosted' }).click();
    await hosted.getByText(/No API key is set/).waitFor();
  },
);
