import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after } from 'node:test';
import { QuickInput } from '../support/quickInput.ts';
import { reply, startScriptedServer } from '../support/scriptedServer.ts';
import { answerProof, serviceFileFor } from '../support/serviceFolder.ts';
import { openSettingsPage } from '../support/settingsPage.ts';
import { startTestService } from '../support/testService.ts';
import { chooseFromMenu } from '../support/treeMenu.ts';
import { ServiceAdministration } from '../../src/service/folder/serviceAdministration.ts';
import { decodeServiceFile, encodeServiceFile, serviceFileName } from '../../src/wire/serviceFile.ts';
import { waitUntil } from '../support/workbench/waitUntil.ts';
import { workbenchTest } from '../support/workbench/workbenchTest.ts';

const service = await startTestService();

workbenchTest(
  'a project of a local service can be protected and coloured like others, but not removed or copied to settings',
  { ownProfile: { machineSettings: { 'sqlProjects.localService.folder': service.folder } } },
  async session => {
    const choose = (name: string): Promise<void> => session.page.getByRole('option', { name }).first().click();
    await session.openView('SQL Projects');
    await session.treeItem('Sample Shop').waitFor();
    await session.runCommand('SQL Projects: Protection…');
    await choose('Sample Shop');
    await choose('Read-only');
    await session.treeItem(/^Sample Shop .*read-only/).waitFor();

    const content = await openSettingsPage(session);
    const shop = content.getByRole('listitem').filter({ hasText: 'Sample Shop' });
    await shop.getByText('Edit', { exact: true }).click();
    await shop.getByRole('combobox', { name: 'Colour' }).click();
    await shop.getByRole('option', { name: 'Purple' }).click();
    await shop.getByRole('textbox', { name: 'Name', exact: true }).fill('Mine');
    await shop.getByRole('button', { name: 'Save' }).click();
    await session.treeItem(/^Mine .*read-only/).waitFor();
    const text = await readFile(join(session.server.userDataDir, 'User/settings.json'), 'utf8');
    assert.deepEqual((JSON.parse(text) as Record<string, unknown>)['sqlProjects.localService.projects'], {
      [service.projectId]: { name: 'Mine', protection: 'readOnly', color: 'purple' },
    });

    await content.getByRole('button', { name: 'Forget Key Mine' }).click();
    const dialog = session.page.getByRole('dialog', { name: /Forget the API key/ });
    await dialog.getByText('The local service issues a new one when its projects are looked up again.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    for (const command of ['Remove Project…', 'Copy Project to Workspace Settings']) {
      await session.runCommand(`SQL Projects: ${command}`);
      await session.notifications.filter({ hasText: 'This is for projects of your settings' }).waitFor();
      await session.runCommand('Notifications: Clear All Notifications');
    }
  },
);

/** For each key that was issued for the window, oldest first: whether the service still accepts it. */
function keysOfWindow(): boolean[] {
  using registry = new DatabaseSync(join(service.folder, 'registry.sqlite'), { readOnly: true });
  const rows = registry.prepare(
    "SELECT revoked_at IS NULL AS open FROM keys WHERE issued_to = 'vscode' ORDER BY rowid",
  );
  return rows.all().map(({ open }) => open === 1);
}

workbenchTest(
  'a key that the local service issued for the window is revoked when it is forgotten or replaced',
  { ownProfile: { machineSettings: { 'sqlProjects.localService.folder': service.folder } } },
  async session => {
    const { page } = session;
    const issued = keysOfWindow().length;
    const ours = (): boolean[] => keysOfWindow().slice(issued);
    const ourKeys = (...expected: boolean[]): Promise<unknown> =>
      waitUntil(() => ours().join() === expected.join(), {
        what: `the keys are not ${expected.join()}`,
      });
    // The rows of the tree move when a key changes, so its menu is not used.
    const onSample = async (command: string): Promise<void> => {
      await session.runCommand(`SQL Projects: ${command}`);
      await page.getByRole('option', { name: /^Sample Shop/ }).click();
    };
    const forget = async (): Promise<void> => {
      await onSample('Forget API Key…');
      await page.getByRole('dialog').getByRole('button', { name: 'Forget Key' }).click();
    };
    await session.openView('SQL Projects');
    await session.treeItem('Sample Shop').waitFor();
    await ourKeys(true);
    await forget();
    await ourKeys(false);
    // After a refresh the project has a new key.
    await session.runCommand('SQL Projects: Refresh');
    await ourKeys(false, true);
    await onSample('Set API Key…');
    await page.getByRole('option', { name: /^Enter a Key/ }).click();
    await new QuickInput(page).answer('It is kept in the secret storage', service.apiKey);
    await ourKeys(false, false);
    // The window does not revoke a key that the user has entered.
    await forget();
    await session.runCommand('SQL Projects: Refresh');
    await ourKeys(false, false, true);
    assert.ok((await service.client.listTables(service.projectId)).length > 0);
  },
);

workbenchTest(
  'the local service issues a new key in place of one that it no longer accepts',
  { ownProfile: { machineSettings: { 'sqlProjects.localService.folder': service.folder } } },
  async session => {
    await session.openView('SQL Projects');
    await session.treeItem('Sample Shop').waitFor();
    await waitUntil(() => keysOfWindow().at(-1), { what: 'the window has no key' });
    const { projectId } = service;
    const file = decodeServiceFile(await readFile(join(service.folder, serviceFileName), 'utf8'));
    assert.ok(file);
    const administration = new ServiceAdministration(file);
    const keys = await administration.keys(projectId);
    await administration.revokeKey(keys.findLast(({ issuedTo }) => issuedTo === 'vscode')!.keyId);
    await session.expand('Sample Shop');
    const fault = session.treeItem(/^The local service does not accept the API key.*press Enter: Issue a New Key/);
    await fault.click();
    await session.treeItem('customers').waitFor();
    assert.equal(keysOfWindow().at(-1), true);
  },
);

const folder = await mkdtemp(join(tmpdir(), 'passing-'));
after(() => rm(folder, { recursive: true }));

workbenchTest(
  'a project that the local service has lost offers Refresh, but not Edit Project',
  { ownProfile: { machineSettings: { 'sqlProjects.localService.folder': folder } } },
  async session => {
    let projects = [{ project_id: 'p1', holder_id: 'ann', project_name: 'Passing' }];
    await using server = await startScriptedServer((response, request) => {
      if (request.path.startsWith('/p/admin/proof')) return answerProof(file)(response, request);
      const answer = {
        '/p/projects': reply({ projects }),
        '/auth/issue': reply({ apiKey: 'issued', url: '', keyId: 'k1' }),
      }[request.path];
      (answer ?? reply({ message: 'No such project.', code: 'project_not_found' }, 404))(response, request);
    });
    const file = serviceFileFor(server.url);
    await writeFile(join(folder, serviceFileName), encodeServiceFile(file));
    await session.openView('SQL Projects');
    await session.expand('Passing');
    await session.treeItem(/The local service does not have this project any more/).waitFor();
    await chooseFromMenu(session, 'Passing', 'Show Status');
    const fault = session.notifications.filter({ hasText: 'The local service does not have this project any more.' });
    await fault.getByRole('button', { name: 'Refresh' }).waitFor();
    assert.equal(await fault.getByRole('button', { name: 'Edit Project' }).count(), 0);
    projects = [{ project_id: 'p2', holder_id: 'ann', project_name: 'Later' }];
    await fault.getByRole('button', { name: 'Refresh' }).click();
    await session.treeItem('Later').waitFor();
    await session.treeItem('Passing').waitFor({ state: 'detached' });
  },
);
