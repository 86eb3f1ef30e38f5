import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { childrenOf } from '../support/childProcesses.ts';
import { rawCall, RawConnection, requestBytes } from '../support/rawHttp.ts';
import { recordingLogger } from '../support/recordingLogger.ts';
import { createProject } from '../support/projectKeys.ts';
import { openTestService, startTestService } from '../support/testService.ts';
import { hasOwnListener } from '../support/engineUnderTest.ts';

const { logger, logged } = recordingLogger();
const { baseUrl, projectId, apiKey, adminKey, admin } = await startTestService({ logger });

const path = `/serviceSql/projects/${projectId}/sql`;
const megabyte = 1024 * 1024;

interface Head {
  readonly path?: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const head = ({ path: to = path, key = apiKey, headers = {} }: Head = {}): Buffer =>
  requestBytes({
    method: 'POST',
    path: to,
    headers: { 'content-type': 'application/json', 'x-api-key': key, ...headers },
  });
const sql = (body: string | Buffer, headers: Record<string, string> = {}): Buffer =>
  requestBytes({ path, headers: { 'content-type': 'application/json', 'x-api-key': apiKey, ...headers }, body });
const select = sql('{"sql":"SELECT 1 AS one"}');
const codeOf = (body: string): unknown => (JSON.parse(body) as { code?: unknown }).code;

const length = (bytes: number): Record<string, string> => ({ 'content-length': String(bytes) });
const chunked = { 'transfer-encoding': 'chunked' };

const refusedHeads: readonly (readonly [name: string, refused: Head, status: number])[] = [
  ['without a key', { key: '' }, 401],
  ['with an unknown key', { key: 'sqlp_x' }, 401],
  ['with the key of nobody for the admin', { key: 'sqlp_x', path: '/serviceSql/admin/restore' }, 401],
  ["with a project's key for the admin", { path: '/serviceSql/admin/restore' }, 403],
  ['without a key for a new project', { key: '', path: '/serviceSql/projects/init' }, 401],
  ['for another project', { path: '/serviceSql/projects/other/sql' }, 403],
  ['at an unknown path', { path: '/serviceSql/nothing' }, 404],
  ['at a path without a body', { path: `/serviceSql/projects/${projectId}/tables` }, 405],
];

// The platform reads the body of each request.
for (const [name, refused, status] of hasOwnListener() ? refusedHeads : []) {
  test(`a request ${name} is refused before its body arrives, and its connection can be used again`, async () => {
    await using connection = new RawConnection(baseUrl).send(head({ ...refused, headers: length(7 * megabyte) }));
    assert.equal((await connection.answer()).status, status);
    connection.send(Buffer.alloc(7 * megabyte, 32), select);
    assert.equal((await connection.answer()).status, 200);
  });
}

test('a refused body that is too long to be dropped costs the connection', async () => {
  await using announced = new RawConnection(baseUrl).send(head({ key: '', headers: length(17 * megabyte) }));
  const { status, headers } = await announced.answer();
  assert.deepEqual([status, headers['connection']], [401, 'close']);
  announced.send(Buffer.alloc(17 * megabyte, 32));
  await announced.ended();
  await using endless = new RawConnection(baseUrl).send(head({ key: '', headers: chunked }));
  assert.equal((await endless.answer()).status, 401);
  for (let chunks = 0; chunks < 17; chunks++) endless.send(`100000\r\n${' '.repeat(megabyte)}\r\n`);
  await endless.ended();
});

test('a client that waits for 100-continue gets it with a key, and otherwise only the refusal', async () => {
  const body = '{"sql":"SELECT 1 AS one"}';
  const headers = { expect: '100-continue', ...length(body.length) };
  await using welcome = new RawConnection(baseUrl).send(head({ headers }));
  const [bytes] = (await once(welcome.socket, 'data')) as [Buffer];
  assert.match(bytes.toString(), /^HTTP\/1\.1 100 /);
  welcome.send(body, select);
  assert.equal((await welcome.answer()).status, 200);
  assert.equal((await welcome.answer()).status, 200);
  await using refused = new RawConnection(baseUrl).send(head({ key: '', headers }));
  const [refusal] = (await once(refused.socket, 'data')) as [Buffer];
  assert.match(refusal.toString(), /^HTTP\/1\.1 401 /);
  assert.equal((await refused.answer()).headers['connection'], 'close');
  await refused.ended();
});

/** The path and the key for statements to a new project. */
async function newProject(projectName: string): Promise<{ path: string; key: string }> {
  const { projectId: id } = await admin.initProject({ holderId: 'ann', projectName });
  const { apiKey: key } = await admin.issueKey({ projectId: id, holderId: 'ann', projectName, user: 'test' });
  return { path: `/serviceSql/projects/${id}/sql`, key };
}

/** Announces as many bodies of 8 MiB. Gives the first answer; `close` ends the requests. */
async function announceBodies(count: number, projects: readonly Head[]) {
  const connections = projects.flatMap(project => {
    const long = head({ ...project, headers: length(8 * megabyte) });
    return Array.from({ length: count / projects.length }, () => new RawConnection(baseUrl).send(long));
  });
  const answer = await Promise.race(connections.map(connection => connection.answer()));
  const close = async (): Promise<void> => {
    for (const connection of connections) await connection[Symbol.asyncDispose]();
  };
  return { answer, close };
}

const wholeLong = `{"sql":"SELECT 1 AS one"${' '.repeat(7 * megabyte)}}`;

if (hasOwnListener()) {
  test('long bodies share a limited memory, which leaves room for short ones and is free again afterwards', async () => {
    const projects = await Promise.all(['first', 'second', 'third', 'fourth'].map(newProject));
    const { answer, close } = await announceBodies(32, projects);
    assert.deepEqual([answer.status, codeOf(answer.body)], [503, 'busy']);
    assert.match(answer.body, /The service has too many long requests at once/);
    assert.ok(Date.parse(answer.headers['retry-after'] ?? '') > 0);
    assert.equal((await rawCall(baseUrl, select)).status, 200);
    await close();
    while ((await rawCall(baseUrl, sql(wholeLong))).status === 503);
    for (let calls = 0; calls < 30; calls++) assert.equal((await rawCall(baseUrl, sql(wholeLong))).status, 200);
  });

  test('the long bodies of one project leave room for its short ones and for the long ones of another project', async () => {
    const other = await newProject('another');
    const { answer, close } = await announceBodies(32, [{}]);
    assert.deepEqual([answer.status, codeOf(answer.body)], [503, 'busy']);
    assert.match(answer.body, /The project has too many long requests at once/);
    assert.ok(Date.parse(answer.headers['retry-after'] ?? '') > 0);
    assert.equal((await rawCall(baseUrl, select)).status, 200);
    const toOther = head({ ...other, headers: length(wholeLong.length) });
    assert.equal((await rawCall(baseUrl, toOther, wholeLong)).status, 200);
    await close();
    while ((await rawCall(baseUrl, sql(wholeLong))).status === 503);
  });
}

test('a body that nests too deep is refused while it arrives', async () => {
  for (const [to, key] of [
    [path, apiKey],
    ['/serviceSql/admin/restore', adminKey],
    ['/serviceSql/projects/resolve', adminKey],
  ] as const) {
    const begin = `{"sql":"SELECT ']]]]'","params":${'['.repeat(16)}`;
    await using connection = new RawConnection(baseUrl).send(head({ path: to, key, headers: chunked }));
    connection.send(`${begin.length.toString(16)}\r\n${begin}\r\n`);
    const { status, body } = await connection.answer();
    assert.deepEqual([status, codeOf(body)], [400, 'bad_request']);
    assert.match(body, /nests objects or lists more than 16 levels deep/);
  }
});

test('a body of too many values is refused while it arrives', async () => {
  const begin = `{"sql":"SELECT ?","params":[${'1,'.repeat(100_001)}`;
  await using connection = new RawConnection(baseUrl).send(head({ headers: chunked }));
  connection.send(`${begin.length.toString(16)}\r\n${begin}\r\n`);
  const { status, body } = await connection.answer();
  assert.deepEqual([status, codeOf(body)], [413, 'too_large']);
  assert.match(body, /more than 100000 values/);
});

test('brackets in strings do not count, and fields for other services may nest a little', async () => {
  const params = ['['.repeat(100), '"[\\'.repeat(100)];
  const body = JSON.stringify({ sql: 'SELECT ? AS a, ? AS b', params, trace: [[[[[[{}]]]]]] });
  const answer = await rawCall(baseUrl, sql(body));
  assert.deepEqual((JSON.parse(answer.body) as { rows: unknown[] }).rows, [{ a: params[0], b: params[1] }]);
});

test('bodies that hold only names may have 64 KiB', async () => {
  for (const to of ['/serviceSql/projects/resolve', '/serviceSql/admin/restore', '/auth/issue']) {
    const body = JSON.stringify({ file: 'x'.repeat(65_536) });
    const headers = { 'content-type': 'application/json', 'x-api-key': adminKey };
    const answer = await rawCall(baseUrl, requestBytes({ path: to, headers, body }));
    assert.deepEqual([answer.status, codeOf(answer.body)], [413, 'too_large']);
  }
});

if (hasOwnListener()) {
  test("a long body is parsed in the project's process, and other projects do not wait for it", async () => {
    // The first projects of a service have a process each.
    await using service = await openTestService();
    await service.query('SELECT 1');
    const before = new Set(childrenOf(process.pid));
    const other = await createProject(service.admin, { holderId: 'holder', projectName: 'other' });
    const toOther = `/serviceSql/projects/${other.projectId}/sql`;
    const headers = { 'content-type': 'application/json', 'x-api-key': other.apiKey };
    const pid = childrenOf(process.pid).find(child => !before.has(child));
    assert.ok(pid);
    process.kill(pid, 'SIGSTOP');
    let isAnswered = false;
    const unfinished = requestBytes({ path: toOther, headers, body: `{"sql":${' '.repeat(100_000)}` });
    const long = rawCall(service.baseUrl, unfinished).finally(() => (isAnswered = true));
    for (let calls = 0; calls < 50; calls++) await service.query('SELECT 1');
    assert.equal(isAnswered, false);
    process.kill(pid, 'SIGCONT');
    const { status, body } = await long;
    assert.deepEqual([status, codeOf(body)], [400, 'bad_request']);
  });
}

test('a long body gets the answers of a short one', async () => {
  const blanks = ' '.repeat(100_000);
  for (const [body, status, code] of [
    [Buffer.from(`{"sql":"SELECT '\xff'"${blanks}}`, 'latin1'), 400, 'bad_request'],
    [`[${blanks}]`, 400, 'bad_request'],
    [`{"sql":"SELECT ?","params":[[]]${blanks}}`, 400, 'bad_request'],
    [`{"sql":"SELEC"${blanks}}`, 400, 'sql_error'],
    [`{"sql":"SELECT 1 AS one"${blanks}}`, 200, undefined],
  ] as const) {
    const answer = await rawCall(baseUrl, sql(body));
    assert.deepEqual([answer.status, codeOf(answer.body)], [status, code]);
  }
});

test('a keyed write is done once, whether its JSON is long or short', async () => {
  const write = `"sql":"INSERT INTO reviews (product_id, customer_id, stars) SELECT product_id, customer_id, ? FROM reviews LIMIT 1"`;
  const key = { 'x-idempotency-key': 'long or short' };
  const bodies = [
    `{${write},"params":[5]}`,
    `{"params":[${' '.repeat(100_000)}5],${write.replace('sql', String.raw`sq\u006c`)}}`,
  ];
  const answers = [];
  for (const body of bodies) answers.push(await rawCall(baseUrl, sql(body, key)));
  assert.deepEqual(
    answers.map(({ status, body, headers }) => [status, body, headers['x-idempotency-replayed']]),
    [
      [200, '{"ok":true,"row_count":1}', undefined],
      [200, '{"ok":true,"row_count":1}', 'true'],
    ],
  );
  const changed = `{${write},"params":[${' '.repeat(100_000)}4]}`;
  assert.equal(codeOf((await rawCall(baseUrl, sql(changed, key))).body), 'idempotency_conflict');
});

test('after all these requests nothing was logged', () => assert.deepEqual(logged, []));
