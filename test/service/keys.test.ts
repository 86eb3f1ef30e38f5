import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { rawCall, requestBytes } from '../support/rawHttp.ts';
import { stage } from '../support/engineUnderTest.ts';
import { startTestService, type TestService } from '../support/testService.ts';
import { waitUntil } from '../support/workbench/waitUntil.ts';

const service = await startTestService();
const { baseUrl, adminKey, admin, projectId } = service;
const sampleName = { holderId: 'local', projectName: 'Sample Shop' };

async function send(method: string, path: string, headers: Record<string, string>, body?: unknown, at = baseUrl) {
  const sent =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const answer = await rawCall(at, requestBytes({ method, path, ...sent, headers: { ...sent.headers, ...headers } }));
  return { ...answer, json: JSON.parse(answer.body) as Record<string, unknown> };
}

async function newKey(user = 'test'): Promise<{ apiKey: string; keyId: string }> {
  const { json } = await send('POST', '/auth/issue', { 'x-api-key': adminKey }, { projectId, user });
  return json as { apiKey: string; keyId: string };
}

const tablesWith = async (apiKey: string): Promise<number> =>
  (await send('GET', `/serviceSql/projects/${projectId}/tables`, { 'x-api-key': apiKey })).status;

test('a revoked key opens nothing, and other keys of the project still do', async () => {
  const first = await newKey();
  const other = await newKey();
  assert.deepEqual([await tablesWith(first.apiKey), await tablesWith(other.apiKey)], [200, 200]);
  const revoked = await send('POST', `/serviceSql/admin/keys/${first.keyId}/revoke`, { 'x-api-key': adminKey });
  assert.equal(revoked.json['key_id'], first.keyId);
  assert.deepEqual([await tablesWith(first.apiKey), await tablesWith(other.apiKey)], [401, 200]);
  const secondRevoke = await send('POST', `/serviceSql/admin/keys/${first.keyId}/revoke`, { 'x-api-key': adminKey });
  assert.equal(secondRevoke.json['revoked_at'], revoked.json['revoked_at']);
});

test('a key is issued under the path prefix too, where a proxy may pass on no other paths', async () => {
  const { json } = await send(
    'POST',
    '/serviceSql/auth/issue',
    { 'x-api-key': adminKey },
    { projectId, user: 'proxied' },
  );
  assert.equal(await tablesWith(String(json['apiKey'])), 200);
});

test('a key with an expiry is listed with it, and opens nothing after it', async () => {
  const issue = async (expiresInSeconds: unknown) =>
    send('POST', '/auth/issue', { 'x-api-key': adminKey }, { projectId, user: 'short', expiresInSeconds });
  for (const wrong of [0, -1, 1.5, '60', 1e15, null]) assert.equal((await issue(wrong)).status, 400, String(wrong));
  const { apiKey, keyId } = (await issue(3600)).json as { apiKey: string; keyId: string };
  assert.equal(await tablesWith(apiKey), 200);
  const { json } = await send('GET', `/serviceSql/admin/keys?project_id=${projectId}`, { 'x-api-key': adminKey });
  const keys = json['keys'] as { key_id: string; issued_at: string; expires_at: string | null }[];
  const { issued_at: issuedAt, expires_at: expiresAt } = keys.find(key => key.key_id === keyId)!;
  const lifeMs = Date.parse(expiresAt ?? '') - Date.parse(issuedAt);
  assert.ok(Math.abs(lifeMs - 3_600_000) <= 1000, `${issuedAt} to ${expiresAt}`);
  assert.ok(
    keys.some(key => key.expires_at === null),
    'the others never expire',
  );
  const { apiKey: short } = (await issue(1)).json as { apiKey: string };
  await waitUntil(async () => (await tablesWith(short)) === 401, { what: 'the key has expired' });
});

test('a stream of rows ends when its key is revoked', async () => {
  const { apiKey, keyId } = await newKey();
  const many = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, hex(zeroblob(500)) FROM n';
  const answer = await fetch(`${baseUrl}/serviceSql/projects/${projectId}/sql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify({ sql: many }),
  });
  await send('POST', `/serviceSql/admin/keys/${keyId}/revoke`, { 'x-api-key': adminKey });
  const end = (await answer.text()).slice(-200);
  assert.match(
    end,
    /\],"ok":false,"message":"The API key is not valid\. Use another one\.",.*"code":"unauthenticated"\}$/,
  );
});

test('the list of keys shows their data but not the keys', async () => {
  const { apiKey, keyId } = await newKey('ann');
  const { body, json } = await send('GET', `/serviceSql/admin/keys?project_id=${projectId}`, { 'x-api-key': adminKey });
  const found = (json['keys'] as Record<string, unknown>[]).find(key => key['key_id'] === keyId);
  assert.deepEqual([found?.['project_id'], found?.['issued_to'], found?.['revoked_at']], [projectId, 'ann', null]);
  assert.ok(!body.includes(apiKey));
});

test('the list of keys of an unknown project is empty, or names the project as unknown', async () => {
  const { json } = await send('GET', '/serviceSql/admin/keys?project_id=other', { 'x-api-key': adminKey });
  if (stage() === 'sqlite') assert.deepEqual(json, { keys: [] });
  else assert.equal(json['code'], 'project_not_found');
});

const adminOnly: readonly (readonly [method: string, path: string, body?: unknown])[] = [
  ['POST', '/auth/issue', { projectId }],
  ['POST', '/serviceSql/projects/init', { holder_id: 'h', project_name: 'n' }],
  ['GET', '/serviceSql/admin/keys'],
  ['POST', '/serviceSql/admin/keys/abc/revoke'],
  ['POST', '/serviceSql/admin/restore', { file: '/x' }],
  ['POST', '/serviceSql/admin/import', { file: '/x', holder_id: 'h', project_name: 'n' }],
  ['POST', `/serviceSql/admin/projects/${projectId}/vacuum`],
  ['POST', `/serviceSql/admin/projects/${projectId}/delete`],
  ['POST', `/serviceSql/admin/projects/${projectId}/check`],
  ['POST', `/serviceSql/admin/projects/${projectId}/export`, { file: '/x' }],
  ['POST', `/serviceSql/admin/projects/${projectId}/backup`, { file: '/x' }],
];

for (const [method, path, body] of adminOnly) {
  test(`${method} ${path.replace(projectId, 'ID')} needs the admin key`, async () => {
    for (const [headers, status, code] of [
      [{}, 401, 'unauthenticated'],
      [{ 'x-api-key': 'sqlp_wrong' }, 401, 'unauthenticated'],
      [{ 'x-api-key': service.apiKey }, 403, 'forbidden'],
    ] as const) {
      const answer = await send(method, path, headers, body);
      assert.deepEqual([answer.status, answer.json['code']], [status, code]);
    }
  });
}

test("a project's key resolves its own project and hides all others", async () => {
  const { projectId: other } = await admin.initProject({ holderId: 'ann', projectName: 'other' });
  assert.equal((await service.client.resolveProject(sampleName)).projectId, projectId);
  const hidden = await service.client.resolveProject({ holderId: 'ann', projectName: 'other' });
  assert.deepEqual([hidden.exists, hidden.projectId], [false, '']);
  assert.equal((await admin.resolveProject({ holderId: 'ann', projectName: 'other' })).projectId, other);
});

for (const [name, body, status, code] of [
  ['no project', { user: 'u' }, 400, 'bad_request'],
  ['an unknown project', { projectId: 'nowhere' }, 404, 'project_not_found'],
  ['the holder of another project', { projectId, projectHolder: 'ann' }, 403, 'forbidden'],
  ['the name of another project', { projectId, projectName: 'other' }, 403, 'forbidden'],
  ['a user with control characters', { projectId, user: 'a\u001b[2J' }, 400, 'bad_request'],
  ['a user that is an object', { projectId, user: {} }, 400, 'bad_request'],
] as const) {
  test(`a key for ${name} gets ${status} ${code}`, async () => {
    const answer = await send('POST', '/auth/issue', { 'x-api-key': adminKey }, body);
    assert.deepEqual([answer.status, answer.json['code']], [status, code]);
  });
}

for (const name of ['', ' ', ' padded ', 'a\nb', 'a\u0000b', 'x'.repeat(201), '\ud800', 7, null, ['a']]) {
  test(`a project cannot be named ${JSON.stringify(name).slice(0, 30)}`, async () => {
    for (const body of [
      { holder_id: name, project_name: 'n' },
      { holder_id: 'h', project_name: name },
    ]) {
      const answer = await send('POST', '/serviceSql/projects/init', { 'x-api-key': adminKey }, body);
      assert.deepEqual([answer.status, answer.json['code']], [400, 'bad_request']);
    }
  });
}

test('a project that many callers initialise at once is made once', async () => {
  const pair = { holderId: 'ann', projectName: 'at once' };
  const projects = await Promise.all(Array.from({ length: 10 }, () => admin.initProject(pair)));
  assert.equal(new Set(projects.map(project => project.projectId)).size, 1);
});

test('no file of the data folder contains an issued key', async () => {
  const { apiKey } = await newKey();
  for (const entry of readdirSync(service.folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const content = readFileSync(join(entry.parentPath, entry.name), 'latin1');
    assert.ok(!content.includes(apiKey) && !content.includes(apiKey.slice(5)), entry.name);
  }
});

test('open enrolment lets a client without a key resolve, initialise and ask for a key, but nothing else', async () => {
  const open = await startTestService({ openEnrolment: true });
  const without = async (method: string, path: string, body?: unknown): Promise<unknown[]> => {
    const { status, json } = await send(method, path, {}, body, open.baseUrl);
    return [status, json['code']];
  };
  const pair = { holder_id: 'local', project_name: 'Sample Shop' };
  assert.deepEqual(await without('POST', '/serviceSql/projects/resolve', pair), [200, undefined]);
  assert.deepEqual(await without('POST', '/serviceSql/projects/init', pair), [200, undefined]);
  assert.deepEqual(await without('POST', '/auth/issue', { projectId: open.projectId }), [200, undefined]);
  assert.deepEqual(await without('GET', '/serviceSql/projects'), [401, 'unauthenticated']);
  assert.deepEqual(await without('GET', '/serviceSql/admin/keys'), [401, 'unauthenticated']);
  assert.deepEqual(await without('GET', `/serviceSql/projects/${open.projectId}/tables`), [401, 'unauthenticated']);
  await refusesWrongKeys(open);
});

/** Open enrolment is for callers without a key. A wrong key is a mistake. */
async function refusesWrongKeys({ baseUrl: at, apiKey }: TestService): Promise<void> {
  const body = { holder_id: 'h', project_name: 'n' };
  for (const [key, status] of [
    ['sqlp_wrong', 401],
    [apiKey, 403],
  ] as const) {
    const answer = await send('POST', '/serviceSql/projects/init', { 'x-api-key': key }, body, at);
    assert.equal(answer.status, status);
  }
}

// The sample project of the Worker is filled with its key, and its clock is that of workerd.
if (stage() === 'sqlite') {
  test('a key with too many calls learns when to call again, and other keys do not wait', async () => {
    const clock = { time: Date.parse('2026-01-01T00:00:00.400Z'), now: () => clock.time, after: () => () => {} };
    const limited = await startTestService({ rateLimit: { perSecond: 0.5, burst: 2 }, clock });
    const path = `/serviceSql/projects/${limited.projectId}/tables`;
    const call = async (apiKey = limited.apiKey) =>
      send('GET', path, { 'x-api-key': apiKey }, undefined, limited.baseUrl);
    assert.deepEqual([(await call()).status, (await call()).status], [200, 200]);
    const refused = await call();
    assert.deepEqual([refused.status, refused.json['code']], [429, 'rate_limited']);
    assert.equal(refused.headers['retry-after'], 'Thu, 01 Jan 2026 00:00:03 GMT');
    assert.match(String(refused.json['message']), /too many requests/);
    const { apiKey } = await limited.admin.issueKey({ ...sampleIssue, projectId: limited.projectId });
    assert.equal((await call(apiKey)).status, 200);
    clock.time = Date.parse('2026-01-01T00:00:03Z');
    assert.equal((await call()).status, 200);
  });
}

const sampleIssue = { holderId: 'local', projectName: 'Sample Shop', user: 'test' };
