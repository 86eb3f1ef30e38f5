import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findReusableKey, forgetRemovedKeys } from '../../../src/host/connections/keyEntries.ts';
import { formerKey, formerName, openWindows, profile, profileAt } from '../../support/keyWindows.ts';

test('removing a project deletes its keys at all addresses that it had', async () => {
  const { keys, secrets } = openWindows();
  const moved = profileAt('https://new.example');
  const otherProject = profileAt('http://127.0.0.1:9', { projectId: 'p2' });
  for (const each of [profile, moved, otherProject]) await keys.setEntered(each, `key of ${each.id}`);
  assert.equal(await keys.get(profile), `key of ${profile.id}`);
  await forgetRemovedKeys(keys, moved, []);
  assert.equal(await keys.get(profile), undefined);
  assert.equal(await keys.get(moved), undefined);
  assert.deepEqual(await secrets.keys(), ['sqlProjects.key:["http://127.0.0.1:9/serviceSql","p2"]']);
});

test('removing a project keeps the keys of listed profiles', async () => {
  const { keys } = openWindows();
  const elsewhere = profileAt('https://other.example');
  await keys.setEntered(profile, 'shared');
  await keys.setEntered(elsewhere, 'elsewhere');
  const sameInWorkspace = profileAt('http://127.0.0.1:9', { scope: 'workspace' });
  await forgetRemovedKeys(keys, profile, [sameInWorkspace, elsewhere]);
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
  await forgetRemovedKeys(keys, profile, []);
  assert.equal((await keys.stored(inWorkspace))?.key, 'of the other workspace');
  assert.equal(await keys.get(local), 'issued');
  await forgetRemovedKeys(otherKeys, profile, []);
  assert.equal(await keys.stored(inWorkspace), undefined);
});

test('removing a project keeps its key when it was entered for another workspace', async () => {
  const { keys, otherKeys } = openWindows();
  const shared = profileAt('https://shared.example', { scope: 'workspace' });
  await otherKeys.setEntered(shared, 'of the other workspace');
  await forgetRemovedKeys(keys, shared, []);
  assert.equal((await keys.stored(shared))?.key, 'of the other workspace');
  await forgetRemovedKeys(otherKeys, shared, []);
  assert.equal(await keys.stored(shared), undefined);
});

test('removing a project keeps its key while another workspace uses the same one', async () => {
  const { keys, otherKeys } = openWindows();
  const inWorkspace = profileAt('http://127.0.0.1:9', { scope: 'workspace' });
  // The key of a user's project names no workspace.
  await keys.setEntered(profile, 'shared');
  assert.equal(await otherKeys.get(inWorkspace), 'shared');
  await forgetRemovedKeys(keys, profile, []);
  assert.equal(await otherKeys.get(inWorkspace), 'shared');
  await forgetRemovedKeys(otherKeys, inWorkspace, []);
  assert.equal(await keys.get(profile), undefined);
});

test('removing a project from one of two workspaces keeps its key for the other one', async () => {
  const { keys, otherKeys, secrets } = openWindows();
  const inWorkspace = profileAt('http://127.0.0.1:9', { scope: 'workspace' });
  await keys.setEntered(inWorkspace, 'shared');
  assert.equal(await otherKeys.get(inWorkspace), 'shared');
  await forgetRemovedKeys(keys, inWorkspace, []);
  assert.equal(await otherKeys.get(inWorkspace), 'shared');
  await forgetRemovedKeys(otherKeys, inWorkspace, []);
  assert.deepEqual(await secrets.keys(), []);
});

for (const [name, place] of Object.entries({
  'a path of the user settings that is not the default': profileAt('http://127.0.0.1:9', { pathPrefix: '/other' }),
  'a base URL with a path': profileAt('http://127.0.0.1:9/base'),
  'the default path of a workspace': profileAt('http://127.0.0.1:9', { scope: 'workspace' }),
})) {
  test(`a former key is not given to ${name}, but can be confirmed`, async () => {
    const { keys, secrets } = openWindows();
    await secrets.store(formerName, formerKey);
    assert.equal(await keys.get(place), undefined);
    const reusable = await findReusableKey(keys, place);
    assert.equal(reusable?.address, 'http://127.0.0.1:9');
    await keys.setEntered(place, reusable.storedKey.key);
    assert.equal(await keys.get(place), 'former');
    // Another project may still need it.
    assert.equal(await secrets.get(formerName), formerKey);
  });
}

test('a former key that moved can be confirmed for another path', async () => {
  const { keys, secrets } = openWindows();
  await secrets.store(formerName, formerKey);
  assert.equal(await keys.get(profile), 'former');
  const reusable = await findReusableKey(
    keys,
    profileAt('http://127.0.0.1:9', { scope: 'workspace', pathPrefix: '/other' }),
  );
  assert.deepEqual([reusable?.address, reusable?.storedKey.key], ['http://127.0.0.1:9/serviceSql', 'former']);
});

test('only keys of the same origin and project can be confirmed, the newest first, and no issued ones', async () => {
  const { keys, secrets } = openWindows();
  const other = profileAt('http://127.0.0.1:9', { pathPrefix: '/other' });
  await keys.setEntered(profileAt('http://127.0.0.1:10'), 'other origin');
  await keys.setEntered(profileAt('http://127.0.0.1:9', { projectId: 'p2' }), 'other project');
  await keys.setIssued(profileAt('http://127.0.0.1:9', { pathPrefix: '/local' }), 'issued', 'k1');
  assert.equal(await findReusableKey(keys, other), undefined);
  await secrets.store(formerName, formerKey);
  assert.equal((await findReusableKey(keys, other))?.storedKey.key, 'former');
  await keys.setEntered(profile, 'newer');
  await secrets.store(formerName, JSON.stringify({ key: 'of unknown age' }));
  assert.equal((await findReusableKey(keys, other))?.storedKey.key, 'newer');
  assert.equal(await findReusableKey(keys, { ...other, source: 'local' }), undefined);
});

test('a declined key is not offered again in any window until another one is set', async () => {
  const { keys, otherKeys } = openWindows();
  const other = profileAt('http://127.0.0.1:9', { pathPrefix: '/other' });
  await keys.setEntered(profile, 'key');
  await keys.decline(other);
  assert.deepEqual([await findReusableKey(otherKeys, other), await otherKeys.get(other)], [undefined, undefined]);
  assert.equal(await keys.get(profile), 'key');
  await keys.setEntered(other, 'another');
  assert.deepEqual([await keys.get(other), await keys.get(profile)], ['another', 'key']);
});

test('a forgotten key is not replaced by the former one, nor by that of another path', async () => {
  const { keys, secrets } = openWindows();
  const other = profileAt('http://127.0.0.1:9', { pathPrefix: '/other' });
  await secrets.store(formerName, formerKey);
  await keys.setEntered(other, 'other');
  assert.equal(await keys.get(profile), 'former');
  await keys.forget(profile);
  assert.deepEqual([await keys.get(profile), await findReusableKey(keys, profile)], [undefined, undefined]);
  assert.equal(await keys.get(other), 'other');
});

test('removing a project deletes its keys at all paths, and the former one', async () => {
  const { keys, secrets } = openWindows();
  const other = profileAt('http://127.0.0.1:9', { pathPrefix: '/other' });
  await secrets.store(formerName, formerKey);
  await keys.setEntered(other, 'other');
  await keys.setEntered(profile, 'key');
  await forgetRemovedKeys(keys, other, []);
  assert.deepEqual(await secrets.keys(), []);
});

test('removing a project keeps the former key while a listed project may ask for it', async () => {
  const { keys, secrets } = openWindows();
  await secrets.store(formerName, formerKey);
  const inWorkspace = profileAt('http://127.0.0.1:9', { scope: 'workspace', pathPrefix: '/other' });
  await forgetRemovedKeys(keys, profile, [inWorkspace]);
  assert.equal((await findReusableKey(keys, inWorkspace))?.storedKey.key, 'former');
});
