import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeyStore } from '../../../src/host/connections/keyStore.ts';
import { makeProfile, type Profile } from '../../../src/model/profiles.ts';
import { HandClock } from '../../support/handClock.ts';
import { secretStorage } from '../../support/secretStorage.ts';

const profileAt = (baseUrl: string, fields: Partial<Profile> = {}): Profile =>
  makeProfile({ baseUrl, projectId: 'p1', source: 'settings', scope: 'user', ...fields });

const profile = profileAt('http://127.0.0.1:9');

/** The key stores of two windows with the same secret storage. */
function openWindows() {
  const secrets = secretStorage();
  let readCount = 0;
  const countingSecrets = {
    ...secrets,
    get: (name: string) => {
      readCount++;
      return secrets.get(name);
    },
  };
  const open = (workspace: string): KeyStore =>
    new KeyStore(countingSecrets, { clock: new HandClock(), workspace: () => workspace });
  return {
    keys: open('file:///a'),
    otherKeys: open('file:///b'),
    secrets,
    readCount: () => readCount,
  };
}

test('a key is read once, however many statements need it', async () => {
  const { keys, readCount } = openWindows();
  await keys.setEntered(profile, 'key');
  const both = await Promise.all([keys.get(profile), keys.get(profile)]);
  assert.deepEqual([...both, await keys.get(profile)], ['key', 'key', 'key']);
  assert.equal(readCount(), 1);
});

test('a new key counts at once, in other windows too', async () => {
  const { keys, otherKeys } = openWindows();
  await keys.setEntered(profile, 'key');
  assert.deepEqual([await keys.get(profile), await otherKeys.get(profile)], ['key', 'key']);
  await otherKeys.setEntered(profile, 'newer');
  assert.deepEqual([await keys.get(profile), await otherKeys.get(profile)], ['newer', 'newer']);
  await keys.forget(profile);
  assert.deepEqual([await keys.get(profile), await otherKeys.get(profile)], [undefined, undefined]);
});

test('a missing key is looked up each time', async () => {
  const { keys, otherKeys } = openWindows();
  assert.equal(await keys.get(profile), undefined);
  await otherKeys.setEntered(profile, 'key');
  assert.equal(await keys.get(profile), 'key');
});

test('a listener of changes reads the new key', async () => {
  const { keys, otherKeys } = openWindows();
  await keys.setEntered(profile, 'key');
  assert.equal(await keys.get(profile), 'key');
  const read = Promise.withResolvers<string | undefined>();
  keys.onDidChange(() => read.resolve(keys.get(profile)));
  await otherKeys.setEntered(profile, 'newer');
  assert.equal(await read.promise, 'newer');
});

test('a key that is read during a change is not cached', async () => {
  const { keys } = openWindows();
  await keys.setEntered(profile, 'key');
  const [during] = await Promise.all([keys.get(profile), keys.setEntered(profile, 'newer')]);
  assert.ok(during === 'key' || during === 'newer');
  assert.equal(await keys.get(profile), 'newer');
});

test('a failed read is not cached', async () => {
  const secrets = secretStorage();
  let isLocked = true;
  const get = (name: string) => (isLocked ? Promise.reject(new Error('locked')) : secrets.get(name));
  const keys = new KeyStore({ ...secrets, get }, { clock: new HandClock() });
  await keys.setEntered(profile, 'key');
  await assert.rejects(keys.get(profile), { message: 'locked' });
  isLocked = false;
  assert.equal(await keys.get(profile), 'key');
});

test('restoring puts back the former key with its date and id', async () => {
  const { keys } = openWindows();
  await keys.setIssued(profile, 'issued', 'k1');
  const former = await keys.stored(profile);
  await keys.setEntered(profile, 'entered');
  await keys.restore(profile, former);
  assert.deepEqual(await keys.stored(profile), former);
  await keys.restore(profile, undefined);
  assert.equal(await keys.stored(profile), undefined);
});

test('removing a project deletes its keys at all addresses that it had', async () => {
  const { keys, secrets } = openWindows();
  const moved = profileAt('https://new.example');
  const otherProject = profileAt('http://127.0.0.1:9', { projectId: 'p2' });
  for (const each of [profile, moved, otherProject]) await keys.setEntered(each, `key of ${each.id}`);
  assert.equal(await keys.get(profile), `key of ${profile.id}`);
  await keys.forgetRemoved(moved, []);
  assert.equal(await keys.get(profile), undefined);
  assert.equal(await keys.get(moved), undefined);
  assert.deepEqual(await secrets.keys(), ['sqlProjects.key:http://127.0.0.1:9/p2']);
});

test('removing a project keeps the keys of listed profiles', async () => {
  const { keys } = openWindows();
  const elsewhere = profileAt('https://other.example');
  await keys.setEntered(profile, 'shared');
  await keys.setEntered(elsewhere, 'elsewhere');
  const sameInWorkspace = profileAt('http://127.0.0.1:9', { scope: 'workspace' });
  await keys.forgetRemoved(profile, [sameInWorkspace, elsewhere]);
  assert.equal(await keys.get(profile), 'shared');
  assert.equal(await keys.get(elsewhere), 'elsewhere');
});

test('removing a project keeps keys of other workspaces and keys that a local service issued', async () => {
  const { keys, otherKeys } = openWindows();
  const inWorkspace = profileAt('https://shared.example', { scope: 'workspace' });
  const local = profileAt('http://127.0.0.1:10', { source: 'local', scope: undefined });
  await keys.setEntered(profile, 'key');
  await otherKeys.setEntered(inWorkspace, 'of the other workspace');
  await keys.setIssued(local, 'issued', 'k1');
  await keys.forgetRemoved(profile, []);
  assert.equal(await keys.get(inWorkspace), 'of the other workspace');
  assert.equal(await keys.get(local), 'issued');
  await otherKeys.forgetRemoved(profile, []);
  assert.equal(await keys.get(inWorkspace), undefined);
});

test('removing a project keeps its key when it was entered for another workspace', async () => {
  const { keys, otherKeys } = openWindows();
  const shared = profileAt('https://shared.example', { scope: 'workspace' });
  await otherKeys.setEntered(shared, 'of the other workspace');
  await keys.forgetRemoved(shared, []);
  assert.equal(await keys.get(shared), 'of the other workspace');
  await otherKeys.forgetRemoved(shared, []);
  assert.equal(await keys.get(shared), undefined);
});
