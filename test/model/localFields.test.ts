import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeLocal, settleLocal } from '../../src/model/localFields.ts';
import { makeProfile } from '../../src/model/profiles.ts';

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
