import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyLocalFields, changeLocalFields, mergeLocalProfiles } from '../../src/model/localProfiles.ts';
import { makeProfile, type Profile } from '../../src/model/profiles.ts';

const shop = makeProfile({ baseUrl: 'http://127.0.0.1:9', projectId: 'p1', projectName: 'shop', source: 'local' });

test('the fields of a local project are applied to its profile and leave the others as they were', () => {
  const own = { name: 'Mine', protection: 'readOnly', color: 'red', retries: 1, maxRows: 5 } as const;
  const { profiles, problems } = applyLocalFields([shop], { p1: own, p2: { color: 'blue' } });
  assert.deepEqual(profiles, [{ ...shop, ...own }]);
  assert.deepEqual(problems, []);
  assert.deepEqual(applyLocalFields([shop], undefined), { profiles: [shop], problems: [] });
});

test('address fields of the setting are ignored', () => {
  const elsewhere = { baseUrl: 'https://evil.example', projectId: 'p2', pathPrefix: '/evil', holderId: 'evil' };
  assert.deepEqual(applyLocalFields([shop], { p1: elsewhere }).profiles, [shop]);
});

for (const [setting, kind] of [
  [5, 'localNotAnObject'],
  [{ p1: 'readOnly' }, 'localNotAnObject'],
  [{ p1: { protection: 'readonly' } }, 'localField'],
] as const) {
  test(`${JSON.stringify(setting)} is a problem and makes the project read-only`, () => {
    const { profiles, problems } = applyLocalFields([shop], setting);
    assert.equal(profiles[0]?.protection, 'readOnly');
    assert.deepEqual(
      problems.map(problem => problem.kind),
      [kind],
    );
  });
}

/** The protection of a profile of the settings that is merged with the same local project. */
function protectionOf(profile: Profile, setting: unknown): unknown {
  const { profiles } = mergeLocalProfiles([profile], [shop], setting);
  assert.deepEqual(
    profiles.map(({ id }) => id),
    [profile.id],
  );
  return profiles[0]?.protection;
}

test('an entry of the workspace does not lower the protection of a local project', () => {
  const named = makeProfile({ baseUrl: 'http://127.0.0.1:9', projectId: 'p1', source: 'settings', scope: 'workspace' });
  assert.equal(protectionOf(named, { p1: { protection: 'readOnly' } }), 'readOnly');
  assert.equal(protectionOf(named, 'unreadable'), 'readOnly');
  assert.equal(protectionOf({ ...named, protection: 'confirmWrites' }, {}), 'confirmWrites');
  assert.equal(protectionOf({ ...named, scope: 'user' }, { p1: { protection: 'readOnly' } }), 'open');
});

test('local projects that are not in the settings are added to those that are', () => {
  const other = makeProfile({ baseUrl: 'https://s.example', projectId: 'p1', source: 'settings', scope: 'user' });
  assert.deepEqual(mergeLocalProfiles([other], [shop], { p1: { name: 'Mine' } }).profiles, [
    other,
    { ...shop, name: 'Mine' },
  ]);
});

test('a change sets fields of one local project and keeps everything else', () => {
  const setting = { p1: { color: 'red', note: 'ours' }, p2: 5 };
  assert.deepEqual(changeLocalFields(setting, shop, { color: undefined, protection: 'confirmWrites' }), {
    p1: { note: 'ours', protection: 'confirmWrites' },
    p2: 5,
  });
  assert.deepEqual(changeLocalFields(undefined, shop, { color: 'red', baseUrl: 'https://evil.example' }), {
    p1: { color: 'red' },
  });
});

test('an unreadable setting of local projects is never overwritten, and invalid fields are never written', () => {
  for (const setting of [5, [], { p1: 'readOnly' }]) {
    assert.throws(() => changeLocalFields(setting, shop, { color: 'red' }), { code: 'unreadable_local_setting' });
  }
  assert.throws(() => changeLocalFields({}, shop, { color: 'pink' }), { code: 'invalid_entry' });
});
