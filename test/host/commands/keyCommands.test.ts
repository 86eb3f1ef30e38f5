import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KeyCommandParts } from '../../../src/host/commands/keyCommands.ts';
import { KeyStore } from '../../../src/host/connections/keyStore.ts';
import type { Projects } from '../../../src/host/connections/projects.ts';
import { makeProfile, type Profile } from '../../../src/model/profiles.ts';
import { HandClock } from '../../support/handClock.ts';
import { secretStorage } from '../../support/secretStorage.ts';
import { stubVscode } from '../../support/vscodeStub.ts';

stubVscode();
const vscode = await import('vscode');
const { issueLocalKey } = await import('../../../src/host/commands/keyCommands.ts');

const local = makeProfile({ baseUrl: 'http://127.0.0.1:9', projectId: 'p1', source: 'local' });

function makeParts({ canIssue = true } = {}) {
  const keys = new KeyStore(secretStorage(), { clock: new HandClock() });
  const revoked: string[] = [];
  const projects: Pick<Projects, 'find'> = {
    find: async (id: string): Promise<Profile | undefined> => (id === local.id ? local : undefined),
  };
  const parts: KeyCommandParts = {
    keys,
    clients: { openWith: () => Promise.reject(new Error('No key is tested.')) },
    projects: projects as Projects,
    localKeys: {
      issue: async profile => {
        if (!canIssue) throw new Error('The service is gone.');
        await keys.setIssued(profile, 'new', 'k2');
      },
      revoke: async keyId => void revoked.push(keyId),
    },
  };
  return { parts, keys, revoked };
}

test('a new key of the local service replaces the former one, which is revoked', async () => {
  const { parts, keys, revoked } = makeParts();
  await keys.setIssued(local, 'former', 'k1');
  await issueLocalKey(parts, local.id);
  assert.equal(await keys.get(local), 'new');
  assert.deepEqual(revoked, ['k1']);
});

test('a key that the user entered is replaced if the user says so, but cannot be revoked', async () => {
  const { parts, keys, revoked } = makeParts();
  await keys.setEntered(local, 'entered');
  const answers = [undefined, 'Replace API Key'];
  Object.assign(vscode.window, { showWarningMessage: async () => answers.shift() });
  await issueLocalKey(parts, local.id);
  assert.equal(await keys.get(local), 'entered');
  await issueLocalKey(parts, local.id);
  assert.equal(await keys.get(local), 'new');
  assert.deepEqual(revoked, []);
});

test('the former key stays when the service issues none', async () => {
  const { parts, keys, revoked } = makeParts({ canIssue: false });
  await keys.setIssued(local, 'former', 'k1');
  await assert.rejects(issueLocalKey(parts, local.id), { message: 'The service is gone.' });
  assert.equal(await keys.get(local), 'former');
  assert.deepEqual(revoked, []);
});
