import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProjectStatus } from '../../../src/client/index.ts';
import type { ObjectCommandParts } from '../../../src/host/commands/objectCommands.ts';
import { makeProfile } from '../../../src/model/profiles.ts';
import { decodeProjectStatus } from '../../../src/wire/projectAnswers.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const vscode = await import('vscode');
const { showStatus } = await import('../../../src/host/commands/objectCommands.ts');

const profile = makeProfile({ name: 'Shop', baseUrl: 'http://127.0.0.1:9', projectId: 'p1', source: 'settings' });

/** The message of Show Status for an answer of the service. */
async function messageFor(answer: object): Promise<string> {
  const messages: string[] = [];
  Object.assign(vscode.window, { showInformationMessage: async (text: string) => void messages.push(text) });
  const projectStatus = async (): Promise<ProjectStatus> => decodeProjectStatus(answer);
  const parts = {
    clients: { for: async () => ({ projectStatus }) },
    catalogs: { for: () => ({ tables: async () => ['t', 'u'] }) },
  } as unknown as ObjectCommandParts;
  await showStatus(parts, { kind: 'project', profile });
  return messages.join('\n');
}

test('Show Status gives the reason why a project can only be read', async () => {
  const answer = { project_id: 'p1', is_active: true, status: 'read-only', read_only_reason: 'The disk is full.' };
  assert.equal(await messageFor(answer), 'Shop is active (read-only) and has 2 tables. The disk is full.');
});

test('Show Status ignores a reason that is no text', async () => {
  const answer = { project_id: 'p1', is_active: true, status: 'active', read_only_reason: 5 };
  assert.equal(await messageFor(answer), 'Shop is active and has 2 tables.');
});
