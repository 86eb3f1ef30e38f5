import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeyStore } from '../../../src/host/connections/keyStore.ts';
import { makeProfile } from '../../../src/model/profiles.ts';
import { secretStorage } from '../../support/secretStorage.ts';

const profile = makeProfile({ baseUrl: 'http://127.0.0.1:9', projectId: 'p1', source: 'settings' });

/** What two windows of one user have of the keys. */
function windows(): { one: KeyStore; other: KeyStore; reads: () => number } {
  const secrets = secretStorage();
  let reads = 0;
  const counted = { ...secrets, get: (name: string) => (reads++, secrets.get(name)) };
  const open = (): KeyStore => new KeyStore(counted, () => new Date(0));
  return { one: open(), other: open(), reads: () => reads };
}

test('a key is read once, however many statements need it', async () => {
  const { one, reads } = windows();
  await one.set(profile, 'key');
  const keys = await Promise.all([one.get(profile), one.get(profile)]);
  assert.deepEqual([...keys, await one.get(profile), reads()], ['key', 'key', 'key', 1]);
});

test('a key that was set is the one that is given from then on, also in another window', async () => {
  const { one, other } = windows();
  await one.set(profile, 'key');
  assert.deepEqual([await one.get(profile), await other.get(profile)], ['key', 'key']);
  await other.set(profile, 'newer');
  assert.deepEqual([await one.get(profile), await other.get(profile)], ['newer', 'newer']);
  await one.forget(profile);
  assert.deepEqual([await one.get(profile), await other.get(profile)], [undefined, undefined]);
});

test('a key that was not there is looked for again', async () => {
  const { one, other } = windows();
  assert.equal(await one.get(profile), undefined);
  await other.set(profile, 'key');
  assert.equal(await one.get(profile), 'key');
});

test('whoever hears that a key changed reads what there is now', async () => {
  const { one, other } = windows();
  await one.set(profile, 'key');
  assert.equal(await one.get(profile), 'key');
  const read = Promise.withResolvers<string | undefined>();
  one.onDidChange(() => read.resolve(one.get(profile)));
  await other.set(profile, 'newer');
  assert.equal(await read.promise, 'newer');
});

test('a key that was read while another one was set is not kept', async () => {
  const { one } = windows();
  await one.set(profile, 'key');
  const [before] = await Promise.all([one.get(profile), one.set(profile, 'newer')]);
  assert.ok(before === 'key' || before === 'newer');
  assert.equal(await one.get(profile), 'newer');
});

test('a storage that cannot be read is asked again', async () => {
  const secrets = secretStorage();
  let isLocked = true;
  const get = (name: string) => (isLocked ? Promise.reject(new Error('locked')) : secrets.get(name));
  const keys = new KeyStore({ ...secrets, get }, () => new Date(0));
  await keys.set(profile, 'key');
  await assert.rejects(keys.get(profile), { message: 'locked' });
  isLocked = false;
  assert.equal(await keys.get(profile), 'key');
});
