import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeProfiles, mergeProfiles } from '../../src/model/profiles.ts';

const good = { name: 'Shop', baseUrl: 'https://sql.example.com/base', projectId: 'p1' };

test('an entry becomes a profile with the default path prefix and the origin of its URL', () => {
  const { profiles, problems } = decodeProfiles([good]);
  assert.deepEqual(problems, []);
  assert.equal(profiles[0]?.pathPrefix, '/serviceSql');
  assert.equal(profiles[0]?.origin, 'https://sql.example.com');
});

test('a profile without a name is named after its project', () => {
  const { profiles } = decodeProfiles([
    { ...good, name: '' },
    { ...good, name: '', projectId: 'p2', projectName: 'shop' },
  ]);
  assert.deepEqual(
    profiles.map(({ name }) => name),
    ['p1', 'shop'],
  );
});

test('protection, color, retries, timeout and result limits are decoded, and have defaults', () => {
  const extended = {
    protection: 'confirmWrites',
    color: 'red',
    retries: 0,
    timeoutSeconds: 5,
    maxRows: 10,
    maxBytesMb: 2,
  } as const;
  const [plain, all] = decodeProfiles([good, { ...good, projectId: 'p2', ...extended }]).profiles;
  const fields = ['protection', 'color', 'retries', 'timeoutSeconds', 'maxRows', 'maxBytesMb'] as const;
  assert.deepEqual(
    fields.map(field => plain?.[field]),
    ['open', undefined, undefined, undefined, undefined, undefined],
  );
  assert.deepEqual(
    fields.map(field => all?.[field]),
    ['confirmWrites', 'red', 0, 5, 10, 2],
  );
});

const unusableEntries: readonly (readonly [name: string, entry: unknown, kind: string])[] = [
  ['a text in place of an object', 'text', 'notAnObject'],
  ['no base URL', { projectId: 'p1' }, 'baseUrl missing'],
  ['no project', { baseUrl: 'https://a.example' }, 'projectId missing'],
  ['a URL without a scheme', { baseUrl: 'sql.example.com', projectId: 'p1' }, 'baseUrl badUrl'],
  ['another scheme', { baseUrl: 'file:///etc', projectId: 'p1' }, 'baseUrl badUrl'],
  ['credentials in the URL', { baseUrl: 'https://me:secret@a.example', projectId: 'p1' }, 'baseUrl badUrl'],
  ['a query in the URL', { baseUrl: 'https://a.example?x=1', projectId: 'p1' }, 'baseUrl badUrl'],
  ['an empty query in the URL', { baseUrl: 'https://a.example?', projectId: 'p1' }, 'baseUrl badUrl'],
  ['no encryption to another machine', { baseUrl: 'http://db.internal', projectId: 'p1' }, 'baseUrl insecureUrl'],
  ['a prefix without a slash', { ...good, projectId: 'p2', pathPrefix: 'sql' }, 'pathPrefix badPrefix'],
  ['a project id of two dots', { ...good, projectId: '..' }, 'projectId badProjectId'],
  ['a holder that is not a text', { ...good, projectId: 'p2', holderId: 5 }, 'holderId notText'],
  ['the same project as another', good, 'duplicate'],
];

const kinds = (setting: unknown): string[] =>
  decodeProfiles(setting).problems.map(problem =>
    problem.kind === 'field' ? `${problem.field} ${problem.fault}` : problem.kind,
  );

for (const [name, entry, kind] of unusableEntries) {
  test(`an entry with ${name} is a problem and leaves the other entries intact`, () => {
    assert.equal(decodeProfiles([good, entry]).profiles.length, 1);
    assert.deepEqual(kinds([good, entry]), [kind]);
  });
}

const faultyFields: readonly (readonly [field: string, value: unknown, fault: string])[] = [
  ['name', 5, 'notText'],
  ['color', 'chartreuse', 'unknownColor'],
  ['retries', -1, 'badRetries'],
  ['retries', 11, 'badRetries'],
  ['timeoutSeconds', '30', 'badTimeout'],
  ['timeoutSeconds', 1.5, 'badTimeout'],
  ['maxRows', 0, 'badBudget'],
  ['maxBytesMb', '5', 'badBudget'],
];

for (const [field, value, fault] of faultyFields) {
  test(`${field} of ${JSON.stringify(value)} is a problem, and the profile is decoded without it`, () => {
    const setting = [{ ...good, [field]: value }];
    assert.deepEqual(kinds(setting), [`${field} ${fault}`]);
    assert.deepEqual(decodeProfiles(setting).profiles[0]?.origin, 'https://sql.example.com');
  });
}

test('an unreadable protection becomes the highest', () => {
  const setting = [{ ...good, protection: 'readonly' }];
  assert.deepEqual(kinds(setting), ['protection unknownProtection']);
  assert.equal(decodeProfiles(setting).profiles[0]?.protection, 'readOnly');
});

test('an API key in the setting is a problem, which does not contain the key', () => {
  const { problems } = decodeProfiles([{ ...good, apiKey: 'canary' }]);
  assert.deepEqual(problems, [{ scope: 'user', kind: 'keyInSetting', index: 0 }]);
});

test('a setting that is not a list is one problem', () => {
  assert.deepEqual(decodeProfiles({}).problems, [{ scope: 'user', kind: 'notAList' }]);
  assert.deepEqual(decodeProfiles(undefined), { profiles: [], problems: [] });
});

test('the projects of the workspace follow those of the user, each with its scope', () => {
  const shared = { ...good, projectId: 'p2' };
  const { profiles } = mergeProfiles({ user: [good], workspace: [shared, 5], trusted: true });
  assert.deepEqual(
    profiles.map(({ projectId, scope }) => [projectId, scope]),
    [
      ['p1', 'user'],
      ['p2', 'workspace'],
    ],
  );
});

test('a problem has the scope of its settings file', () => {
  const { problems } = mergeProfiles({ user: 'text', workspace: [5], trusted: true });
  assert.deepEqual(problems, [
    { scope: 'user', kind: 'notAList' },
    { scope: 'workspace', kind: 'notAnObject', index: 0 },
  ]);
});

test('an unreadable user setting makes the projects of the workspace read-only', () => {
  const shared = [good, { ...good, projectId: 'p2', protection: 'confirmWrites' }];
  const { profiles } = mergeProfiles({ user: { 0: good }, workspace: shared, trusted: true });
  assert.deepEqual(
    profiles.map(({ protection }) => protection),
    ['readOnly', 'readOnly'],
  );
});

test('a workspace that is not trusted adds no projects and no problems', () => {
  const shared = { ...good, projectId: 'p2' };
  const { profiles, problems } = mergeProfiles({ user: [good], workspace: [shared, 5], trusted: false });
  assert.deepEqual([profiles.length, problems.length], [1, 0]);
});

for (const [own, shared, wins] of [
  ['readOnly', 'open', 'readOnly'],
  ['readOnly', undefined, 'readOnly'],
  ['confirmWrites', 'open', 'confirmWrites'],
  ['open', 'readOnly', 'readOnly'],
  [undefined, 'confirmWrites', 'confirmWrites'],
] as const) {
  test(`${own ?? 'no'} protection of the user and ${shared ?? 'no'} protection of the workspace become ${wins}`, () => {
    const { profiles } = mergeProfiles({
      user: [{ ...good, protection: own }],
      workspace: [{ ...good, protection: shared }],
      trusted: true,
    });
    assert.deepEqual(
      profiles.map(({ protection }) => protection),
      [wins],
    );
  });
}

test('an entry of the workspace does not replace a broken entry of the user', () => {
  const user = [{ ...good, pathPrefix: 'sql', protection: 'readOnly' }];
  assert.deepEqual(mergeProfiles({ user, workspace: [good], trusted: true }).profiles, []);
});

test('an entry of the workspace cannot redirect the calls and the API key of a project of the user', () => {
  const redirecting = { ...good, baseUrl: 'https://SQL.example.com:443/evil', pathPrefix: '/evil', holderId: 'evil' };
  const { profiles } = mergeProfiles({ user: [good], workspace: [redirecting], trusted: true });
  assert.deepEqual(profiles, decodeProfiles([good]).profiles);
});
