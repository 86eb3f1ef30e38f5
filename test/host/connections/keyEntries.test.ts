import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findReusableKey, forgetRemovedKeys } from '../../../src/host/connections/keyEntries.ts';
import { openWindows, profile, profileAt } from '../../support/keyWindows.ts';

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

test('only keys of the same origin and project can be confirmed, the newest first, and no issued ones', async () => {
  const { keys, clock } = openWindows();
  const other = profileAt('http://127.0.0.1:9', { pathPrefix: '/other' });
  await keys.setEntered(profileAt('http://127.0.0.1:10'), 'other origin');
  await keys.setEntered(profileAt('http://127.0.0.1:9', { projectId: 'p2' }), 'other project');
  await keys.setIssued(profileAt('http://127.0.0.1:9', { pathPrefix: '/local' }), 'issued', 'k1');
  assert.equal(await findReusableKey(keys, other), undefined);
  await keys.setEntered(profileAt('http://127.0.0.1:9', { pathPrefix: '/older' }), 'older');
  assert.equal((await findReusableKey(keys, other))?.storedKey.key, 'older');
  clock.advance(1000);
  await keys.setEntered(profile, 'newer');
  const reusable = await findReusableKey(keys, other);
  assert.deepEqual([reusable?.address, reusable?.storedKey.key], ['http://127.0.0.1:9/serviceSql', 'newer']);
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

test('a forgotten key is not replaced by that of another path', async () => {
  const { keys } = openWindows();
  const other = profileAt('http://127.0.0.1:9', { pathPrefix: '/other' });
  await keys.setEntered(other, 'other');
  await keys.setEntered(profile, 'key');
  await keys.forget(profile);
  assert.deepEqual([await keys.get(profile), await findReusableKey(keys, profile)], [undefined, undefined]);
  assert.equal(await keys.get(other), 'other');
});

test('removing a project deletes its keys at all paths', async () => {
  const { keys, secrets } = openWindows();
  const other = profileAt('http://127.0.0.1:9', { pathPrefix: '/other' });
  await keys.setEntered(other, 'other');
  await keys.setEntered(profile, 'key');
  await forgetRemovedKeys(keys, other, []);
  assert.deepEqual(await secrets.keys(), []);
});
