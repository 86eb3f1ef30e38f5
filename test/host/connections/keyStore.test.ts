import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeyStore } from '../../../src/host/connections/keyStore.ts';
import { HandClock } from '../../support/handClock.ts';
import { openWindows, profile, profileAt } from '../../support/keyWindows.ts';
import { secretStorage } from '../../support/secretStorage.ts';

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
  const keyBefore = await keys.stored(profile);
  await keys.setEntered(profile, 'entered');
  await keys.restore(profile, keyBefore);
  assert.deepEqual(await keys.stored(profile), keyBefore);
  await keys.restore(profile, undefined);
  assert.equal(await keys.stored(profile), undefined);
});

test('the use of a workspace is stored once', async () => {
  const { keys, secrets } = openWindows();
  const inWorkspace = profileAt('http://127.0.0.1:9', { scope: 'workspace' });
  let changes = 0;
  await keys.setEntered(inWorkspace, 'key');
  secrets.onDidChange(() => changes++);
  await keys.get(inWorkspace);
  await keys.get(inWorkspace);
  assert.equal(changes, 0);
});
