import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DraftStores, ProjectDraft } from '../../../src/host/management/projectDraft.ts';
import { newKeyStore } from '../../support/keyWindows.ts';

function makeDraft(key: string) {
  const draft = new ProjectDraft(() => ({}));
  draft.baseUrl = 'http://127.0.0.1:9';
  draft.projectId = 'p1';
  draft.key = key;
  const revoked: string[] = [];
  const stores: DraftStores = {
    keys: newKeyStore(),
    localKeys: { revoke: async keyId => void revoked.push(keyId) },
    writer: { write: async (_scope, change) => void change([]) },
  };
  return { draft, stores, revoked };
}

test('adding a local project by its address revokes the issued key that the entered one replaces', async () => {
  const { draft, stores, revoked } = makeDraft('entered');
  await stores.keys.setIssued(draft.profile, 'issued', 'k1');
  await draft.save(stores);
  assert.equal(await stores.keys.get(draft.profile), 'entered');
  assert.deepEqual(revoked, ['k1']);
});

test('an issued key that the user enters is not revoked', async () => {
  const { draft, stores, revoked } = makeDraft('issued');
  await stores.keys.setIssued(draft.profile, 'issued', 'k1');
  await draft.save(stores);
  assert.deepEqual(revoked, []);
});

test('the former key is put back when the entry cannot be written', async () => {
  const { draft, stores, revoked } = makeDraft('entered');
  await stores.keys.setIssued(draft.profile, 'issued', 'k1');
  const keyBefore = await stores.keys.stored(draft.profile);
  const failing = { ...stores, writer: { write: () => Promise.reject(new Error('read-only')) } };
  await assert.rejects(draft.save(failing), { message: 'read-only' });
  assert.deepEqual(await stores.keys.stored(draft.profile), keyBefore);
  assert.deepEqual(revoked, []);
});

test('a key that was typed for one address is not kept for another', () => {
  const { draft } = makeDraft('entered');
  draft.baseUrl = 'http://127.0.0.1:9/base';
  assert.equal(draft.key, 'entered');
  draft.baseUrl = 'http://127.0.0.1:10';
  assert.equal(draft.key, '');
});
