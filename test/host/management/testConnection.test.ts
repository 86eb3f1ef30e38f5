import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProjectError } from '../../../src/base/errors.ts';
import type { ManagementParts } from '../../../src/host/management/management.ts';
import { makeProfile, type Profile } from '../../../src/model/profiles.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const vscode = await import('vscode');
const { Management } = await import('../../../src/host/management/management.ts');

const baseUrl = 'http://127.0.0.1:9';
const ofSettings = makeProfile({ name: 'Shop', baseUrl, projectId: 'p1', source: 'settings', scope: 'user' });
const local = makeProfile({ name: 'Local', baseUrl, projectId: 'p1', source: 'local' });

interface Answers {
  readonly rows?: readonly object[];
  readonly status?: object;
  readonly fault?: string;
}

/** Tests the connection of a project. Gives the messages and their buttons; the user chooses the first one. */
async function testConnectionOf(profile: Profile, { rows, status, fault }: Answers) {
  const shown: string[][] = [];
  const commands: unknown[][] = [];
  const show = async (message: string, ...buttons: string[]) => {
    shown.push([message, ...buttons]);
    return buttons[0];
  };
  Object.assign(vscode.window, {
    showInformationMessage: show,
    showErrorMessage: show,
    withProgress: (_options: unknown, work: () => unknown) => work(),
  });
  Object.assign(vscode.commands, { executeCommand: async (...args: unknown[]) => void commands.push(args) });
  const client = {
    execSql: async () => {
      if (fault !== undefined) throw new ProjectError('service', fault, 'No.');
      return { rows };
    },
    projectStatus: async () => {
      if (!status) throw new Error('There is no status.');
      return status;
    },
  };
  const parts = { projects: { find: async () => profile }, clients: { for: async () => client } };
  await new Management(parts as unknown as ManagementParts).testConnection(profile.id);
  return { shown, commands };
}

const rows = [{ version: '3.50.0', tables: 1 }];

test('a connection test says the time, the tables and the state of the project', async () => {
  const status = { isActive: true, status: 'read-only', readOnlyReason: 'The disk is full.' };
  const { shown } = await testConnectionOf(ofSettings, { rows, status });
  assert.match(
    shown.join(),
    /^'Shop' answered in [\d.]+ m?s: 1 table, SQLite 3\.50\.0\. The project is active \(read-only\)\. The disk is full\.$/,
  );
});

const messageWithKey = async (keyScope: string): Promise<string> => {
  const status = { isActive: true, status: 'active', keyScope };
  return (await testConnectionOf(ofSettings, { rows, status })).shown.join();
};

test('a connection test says that the key may only read, and nothing of a full key', async () => {
  assert.match(await messageWithKey('read'), /The project is active\. Its API key may only read\.$/);
  assert.match(await messageWithKey('full'), /The project is active\.$/);
});

test('a connection test works without a status', async () => {
  const { shown } = await testConnectionOf(ofSettings, { rows });
  assert.match(shown.join(), /^'Shop' answered in [\d.]+ m?s: 1 table, SQLite 3\.50\.0\.$/);
});

test('a failed connection test offers what helps', async () => {
  const rejected = await testConnectionOf(ofSettings, { fault: 'unauthenticated' });
  assert.deepEqual(rejected.commands, [['sqlProjects.setKey', ofSettings.id]]);
  const down = await testConnectionOf(ofSettings, { fault: 'connect_failed' });
  assert.deepEqual(down.commands, [['sqlProjects.testConnection', ofSettings.id]]);
  const gone = await testConnectionOf(local, { fault: 'project_not_found' });
  assert.equal(gone.shown[0]?.[1], 'Refresh');
  assert.deepEqual(gone.commands, [['sqlProjects.refresh']]);
});
