import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeProfiles } from '../../src/model/profiles.ts';

const good = { name: 'Shop', baseUrl: 'https://sql.example.com/base', projectId: 'p1' };

test('an entry becomes a profile, with the usual prefix and the origin that its key is bound to', () => {
  const { profiles, problems } = decodeProfiles([good]);
  assert.deepEqual(problems, []);
  assert.equal(profiles[0]?.pathPrefix, '/serviceSql');
  assert.equal(profiles[0]?.origin, 'https://sql.example.com');
});

test('a profile without a name is called by its project', () => {
  const { profiles } = decodeProfiles([
    { ...good, name: '' },
    { ...good, name: '', projectId: 'p2', projectName: 'shop' },
  ]);
  assert.deepEqual(
    profiles.map(({ name }) => name),
    ['p1', 'shop'],
  );
});

const broken: readonly (readonly [name: string, entry: unknown, kind: string])[] = [
  ['no object', 'text', 'notAnObject'],
  ['no base URL', { projectId: 'p1' }, 'missingField'],
  ['no project', { baseUrl: 'https://a.example' }, 'missingField'],
  ['no URL', { baseUrl: 'sql.example.com', projectId: 'p1' }, 'badUrl'],
  ['another scheme', { baseUrl: 'file:///etc', projectId: 'p1' }, 'badUrl'],
  ['credentials in the URL', { baseUrl: 'https://me:secret@a.example', projectId: 'p1' }, 'badUrl'],
  ['a query in the URL', { baseUrl: 'https://a.example?x=1', projectId: 'p1' }, 'badUrl'],
  ['an empty query in the URL', { baseUrl: 'https://a.example?', projectId: 'p1' }, 'badUrl'],
  ['no encryption to another machine', { baseUrl: 'http://db.internal:8080', projectId: 'p1' }, 'insecureUrl'],
  ['a repeated entry', good, 'duplicate'],
];

for (const [name, entry, kind] of broken) {
  test(`${name} is a problem that takes no other entry with it`, () => {
    const { profiles, problems } = decodeProfiles([good, entry]);
    assert.equal(profiles.length, 1);
    assert.deepEqual(
      problems.map(problem => problem.kind),
      [kind],
    );
  });
}

test('a setting that is no list is one problem', () => {
  assert.deepEqual(decodeProfiles({}).problems, [{ kind: 'notAList' }]);
  assert.deepEqual(decodeProfiles(undefined), { profiles: [], problems: [] });
});
