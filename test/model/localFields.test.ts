import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeLocal, settleLocal, withLocal } from '../../src/model/localFields.ts';
import { makeProfile, type Profile } from '../../src/model/profiles.ts';

const shop = makeProfile({ baseUrl: 'http://127.0.0.1:9', projectId: 'p1', projectName: 'shop', source: 'local' });

test('what is settled about a project is on it, and it stays the project it was', () => {
  const own = { name: 'Mine', protection: 'readOnly', color: 'red', retries: 1, maxRows: 5 } as const;
  const { profiles, problems } = settleLocal([shop], { p1: own, p2: { color: 'blue' } });
  assert.deepEqual(profiles, [{ ...shop, ...own }]);
  assert.deepEqual(problems, []);
  assert.deepEqual(settleLocal([shop], undefined), { profiles: [shop], problems: [] });
});

test('where a project is, the service says and no setting', () => {
  const elsewhere = { baseUrl: 'https://evil.example', projectId: 'p2', pathPrefix: '/evil', holderId: 'evil' };
  assert.deepEqual(settleLocal([shop], { p1: elsewhere }).profiles, [shop]);
});

for (const [setting, kind] of [
  [5, 'localNotAnObject'],
  [{ p1: 'readOnly' }, 'localNotAnObject'],
  [{ p1: { protection: 'readonly' } }, 'localField'],
] as const) {
  test(`${JSON.stringify(setting)} is told of, and nothing is written to the project meanwhile`, () => {
    const { profiles, problems } = settleLocal([shop], setting);
    assert.equal(profiles[0]?.protection, 'readOnly');
    assert.deepEqual(
      problems.map(problem => problem.kind),
      [kind],
    );
  });
}

/** What protects a project of the settings, which stands in the place of the local one. */
function protectionOf(profile: Profile, setting: unknown): unknown {
  const { profiles } = withLocal([profile], [shop], setting);
  assert.deepEqual(
    profiles.map(({ id }) => id),
    [profile.id],
  );
  return profiles[0]?.protection;
}

test('a workspace that names a project of the local service does not lower its protection', () => {
  const named = makeProfile({ baseUrl: 'http://127.0.0.1:9', projectId: 'p1', source: 'settings', scope: 'workspace' });
  assert.equal(protectionOf(named, { p1: { protection: 'readOnly' } }), 'readOnly');
  assert.equal(protectionOf(named, 'unreadable'), 'readOnly');
  assert.equal(protectionOf({ ...named, protection: 'confirmWrites' }, {}), 'confirmWrites');
  assert.equal(protectionOf({ ...named, scope: 'user' }, { p1: { protection: 'readOnly' } }), 'open');
});

test('projects of the local service that the settings do not name stand beside those that they do', () => {
  const other = makeProfile({ baseUrl: 'https://s.example', projectId: 'p1', source: 'settings', scope: 'user' });
  assert.deepEqual(withLocal([other], [shop], { p1: { name: 'Mine' } }).profiles, [other, { ...shop, name: 'Mine' }]);
});

test('a change sets fields of one project, and leaves all else as it was', () => {
  const setting = { p1: { color: 'red', note: 'ours' }, p2: 5 };
  assert.deepEqual(changeLocal(setting, shop, { color: undefined, protection: 'confirmWrites' }), {
    p1: { note: 'ours', protection: 'confirmWrites' },
    p2: 5,
  });
  assert.deepEqual(changeLocal(undefined, shop, { color: 'red', baseUrl: 'https://evil.example' }), {
    p1: { color: 'red' },
  });
});

test('what cannot be read is never written over, and what is wrong is not written', () => {
  for (const setting of [5, [], { p1: 'readOnly' }]) {
    assert.throws(() => changeLocal(setting, shop, { color: 'red' }), { code: 'unreadable_local_setting' });
  }
  assert.throws(() => changeLocal({}, shop, { color: 'pink' }), { code: 'invalid_entry' });
});
