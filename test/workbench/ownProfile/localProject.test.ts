import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { QuickInput } from '../../support/quickInput.ts';
import { reply, startScriptedServer } from '../../support/scriptedServer.ts';
import { answerProof, serviceFileFor } from '../../support/serviceFolder.ts';
import { openSettingsPage } from '../../support/settingsPage.ts';
import { startTestService } from '../../support/testService.ts';
import { chooseFromMenu } from '../../support/treeMenu.ts';
import { ServiceAdministration } from '../../../src/service/folder/serviceAdministration.ts';
import { decodeServiceFile, encodeServiceFile, serviceFileName } from '../../../src/wire/serviceFile.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';
import { userSettings } from '../../support/workbench/settingsFile.ts';
import { waitUntil } from '../../support/workbench/waitUntil.ts';
import { workbenchTest } from '../../support/workbench/workbenchTest.ts';

const service = await startTestService();

workbenchTest(
  'a project of a local service can be protected and colored like others, but not removed or copied to settings',
  { ownProfile: { machineSettings: { 'sqlProjects.localService.folder': service.folder } } },
  async session => {
    const choose = (name: string): Promise<void> => session.page.getByRole('option', { name }).first().click();
    await session.openView('SQL Projects');
    await session.treeItem('Sample Shop').waitFor();
    // With one project nobody is asked which.
    await session.runCommand('SQL Projects: Protection…');
    await choose('Read-only');
    await session.treeItem(/^Sample Shop .*Read-only/).waitFor();

    const content = await openSettingsPage(session);
    const shop = content.getByRole('listitem').filter({ hasText: 'Sample Shop' });
    await shop.getByText('Edit', { exact: true }).click();
    await shop.getByRole('combobox', { name: 'Color' }).click();
    await shop.getByRole('option', { name: 'Purple' }).click();
    await shop.getByRole('textbox', { name: 'Display name (optional)' }).fill('Mine');
    await shop.getByRole('button', { name: 'Save' }).click();
    await session.treeItem(/^Mine .*Read-only/).waitFor();
    assert.deepEqual((await userSettings(session))['sqlProjects.localService.projects'], {
      [service.projectId]: { name: 'Mine', protection: 'readOnly', color: 'purple' },
    });

    await content.getByRole('button', { name: 'Forget API Key Mine' }).click();
    const dialog = session.page.getByRole('dialog', { name: /Forget the API key/ });
    await dialog.getByText('The local service issues a new key with the next refresh.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    for (const command of ['Remove Project…', 'Copy Project to Workspace Settings']) {
      await session.runCommand(`SQL Projects: ${command}`);
      await session.notifications.filter({ hasText: 'This command does not apply to any of your projects.' }).waitFor();
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
    await session.openView('SQL Projects');
    await session.treeItem('Sample Shop').waitFor();
    await waitUntil(() => keysOfWindow().at(-1), { what: 'the window has no key' });
    const countBefore = keysOfWindow().length - 1;
    const ours = (): boolean[] => keysOfWindow().slice(countBefore);
    const ourKeys = (...expected: boolean[]): Promise<unknown> =>
      waitUntil(() => ours().join() === expected.join(), {
        what: `the keys are not ${expected.join()}`,
      });
    // The rows of the tree move when a key changes, so its menu is not used.
    const onSample = async (command: string): Promise<void> => {
      await session.runCommand(`SQL Projects: ${command}`);
    };
    const forget = async (): Promise<void> => {
      await onSample('Forget API Key…');
      await page.getByRole('dialog').getByRole('button', { name: 'Forget API Key' }).click();
    };
    await ourKeys(true);
    await forget();
    await ourKeys(false);
    // After a refresh the project has a new key.
    await session.runCommand('SQL Projects: Refresh');
    await ourKeys(false, true);
    await onSample('Set API Key…');
    await page.getByRole('option', { name: /^Enter API Key/ }).click();
    await new QuickInput(page).enterKey(service.apiKey);
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
    const fault = session.treeItem(/^The local service rejected the API key.*press Enter: Issue New Key/);
    await fault.click();
    await session.treeItem('customers').waitFor();
    assert.equal(keysOfWindow().at(-1), true);
  },
);

const folder = temporaryFolder();

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
    await session.treeItem(/The local service no longer has this project/).waitFor();
    await chooseFromMenu(session, 'Passing', 'Test Connection');
    const fault = session.notifications.filter({ hasText: 'The local service no longer has this project.' });
    await fault.getByRole('button', { name: 'Refresh' }).waitFor();
    assert.equal(await fault.getByRole('button', { name: 'Edit Project' }).count(), 0);
    projects = [{ project_id: 'p2', holder_id: 'ann', project_name: 'Later' }];
    await fault.getByRole('button', { name: 'Refresh' }).click();
    await session.treeItem('Later').waitFor();
    await session.treeItem('Passing').waitFor({ state: 'detached' });
  },
);
