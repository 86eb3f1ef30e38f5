import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { rawCall, RawConnection, requestBytes } from '../support/rawHttp.ts';
import { recordingLogger } from '../support/recordingLogger.ts';
import { startTestService } from '../support/testService.ts';
import { hasOwnListener, stage } from '../support/engineUnderTest.ts';

const { logger, logged } = recordingLogger();
const { baseUrl, projectId, apiKey, client } = await startTestService({ logger });

const project = `/serviceSql/projects/${projectId}`;
const json = { 'content-type': 'application/json', 'x-api-key': apiKey };

const sqlBytes = (body: string | Buffer, headers: Record<string, string> = {}): Buffer =>
  requestBytes({ path: `${project}/sql`, headers: { ...json, ...headers }, body });
const call = (sql: string, params: readonly unknown[] = []): Buffer => sqlBytes(JSON.stringify({ sql, params }));
const select = call('SELECT 1 AS one');
const get = (path: string, headers: Record<string, string> = {}): Buffer =>
  requestBytes({ path, headers: { 'x-api-key': apiKey, ...headers } });

/** Every refusal has a status, a code, and its message in two fields. */
async function refusal(...parts: readonly (string | Buffer)[]): Promise<[status: number, code: unknown]> {
  const { status, headers, body } = await rawCall(baseUrl, ...parts);
  const { ok, code, message, error } = JSON.parse(body) as Record<string, unknown>;
  assert.equal(headers['content-type'], 'application/json');
  assert.ok(ok === false && typeof message === 'string' && message.length > 0 && error === message, body);
  return [status, code];
}

const halfPair = String.fromCharCode(0xd8_00);
const deep = '['.repeat(1_000_000);

/** A statement has at most 100,000 bytes there, with what the engine puts around its parameters. */
const hasShortStatements = stage() === 'worker';

const refusedBodies: (readonly [name: string, body: string | Buffer, status: number, code: string])[] = [
  ['no body at all', '', 400, 'bad_request'],
  ['half a JSON text', '{"sql":"SELECT 1"', 400, 'bad_request'],
  ['text after the JSON', '{"sql":"SELECT 1"} x', 400, 'bad_request'],
  ['a million brackets', deep, 400, 'bad_request'],
  [
    'a million brackets as a parameter',
    `{"sql":"SELECT ?","params":[${deep}${']'.repeat(1_000_000)}]}`,
    400,
    'bad_request',
  ],
  ['invalid UTF-8', Buffer.from('{"sql":"SELECT \'\xff\'"}', 'latin1'), 400, 'bad_request'],
  ['SQL that is a number', '{"sql":1}', 400, 'bad_request'],
  ['SQL that is null', '{"sql":null}', 400, 'bad_request'],
  ['parameters that are a string', '{"sql":"SELECT 1","params":"x"}', 400, 'bad_request'],
  ['a parameter that is a list', '{"sql":"SELECT ?","params":[[]]}', 400, 'bad_request'],
  ['empty SQL', '{"sql":""}', 400, 'bad_request'],
  ['SQL that is a comment', '{"sql":"-- nothing"}', 400, 'bad_request'],
  ['SQL that is a semicolon', '{"sql":";"}', 400, 'bad_request'],
  ['two statements', '{"sql":"SELECT 1; SELECT 2"}', 400, 'multiple_statements'],
  ['a statement behind a NUL', '{"sql":"SELECT 1\\u0000; DROP TABLE orders"}', 400, 'bad_request'],
  ['half a character in SQL', JSON.stringify({ sql: `SELECT '${halfPair}'` }), 400, 'bad_request'],
  ['half a character in a parameter', JSON.stringify({ sql: 'SELECT ?', params: [halfPair] }), 400, 'bad_request'],
  ['5 MB of SQL', JSON.stringify({ sql: `SELECT '${'x'.repeat(5_000_000)}'` }), 413, 'too_large'],
  [
    '40,000 parameters for one ?',
    JSON.stringify({ sql: 'SELECT ?', params: Array(40_000).fill(1) }),
    400,
    'parameter_mismatch',
  ],
  [
    '40,000 ? with their parameters',
    JSON.stringify({ sql: `SELECT ${Array(40_000).fill('?').join()}`, params: Array(40_000).fill(1) }),
    ...(hasShortStatements ? ([413, 'too_large'] as const) : ([400, 'sql_error'] as const)),
  ],
  ['a deeply nested expression', JSON.stringify({ sql: `SELECT ${'('.repeat(10_000)}1` }), 400, 'sql_error'],
];

// The platform may end a connection whose body the Worker has not read, before the answer is read.
if (hasOwnListener()) {
  const sql = `SELECT '${'x'.repeat(10_000_000)}'`;
  refusedBodies.push(['10 MB of SQL', JSON.stringify({ sql }), 413, 'too_large']);
}

for (const [name, body, status, code] of refusedBodies) {
  test(`${name} gets ${status} ${code}`, async () => {
    assert.deepEqual(await refusal(sqlBytes(body)), [status, code]);
  });
}

type RefusedRequest = readonly [name: string, parts: readonly (string | Buffer)[], status: number, code: string];

const listenerRefusals: readonly RefusedRequest[] = [
  ['text that is not HTTP', ['hello\r\n\r\n'], 400, 'bad_request'],
  ['TLS', [Buffer.from([22, 3, 1, 0, 200, 1, 0, 0, 196, 3, 3])], 400, 'bad_request'],
  ['a NUL in a header', ['GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nx: \0\r\n\r\n'], 400, 'bad_request'],
  ['a header without a colon', ['GET / HTTP/1.1\r\nhost 127.0.0.1\r\n\r\n'], 400, 'bad_request'],
  ['17 KB of headers', [requestBytes({ path: '/', headers: { x: 'x'.repeat(17_000) } })], 431, 'headers_too_large'],
  ['17 KB of path', [requestBytes({ path: `/${'x'.repeat(17_000)}` })], 431, 'headers_too_large'],
  ['two lengths', [sqlBytes('{}', { 'content-length': '2\r\ncontent-length: 3' })], 400, 'bad_request'],
  ['a chunk of no size', [sqlHead({ 'transfer-encoding': 'chunked' }), 'zz\r\n'], 400, 'bad_request'],
  ['no host', ['GET / HTTP/1.1\r\n\r\n'], 400, 'bad_request'],
  ['two hosts', ['GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nhost: evil.example\r\n\r\n'], 400, 'bad_request'],
  ['a host with a path', [`GET / HTTP/1.1\r\nhost: 127.0.0.1/serviceSql/projects?\r\n\r\n`], 400, 'bad_request'],
  ['a host that cuts the path off', [`GET / HTTP/1.1\r\nhost: 127.0.0.1#\r\n\r\n`], 400, 'bad_request'],
  ['a path that is an address', [requestBytes({ path: 'http://evil.example/' })], 400, 'bad_request'],
  ['a path that is a star', [requestBytes({ method: 'OPTIONS', path: '*' })], 400, 'bad_request'],
  [
    'chunks that come to too much',
    [sqlHead({ 'transfer-encoding': 'chunked' }), ...endlessChunks(9)],
    413,
    'too_large',
  ],
];

const refusedRequests: readonly RefusedRequest[] = [
  ...(hasOwnListener() ? listenerRefusals : []),
  ['a length and chunks', [sqlBytes('0\r\n\r\n', { 'transfer-encoding': 'chunked' })], 400, 'bad_request'],
  ['a length that is too large', [sqlHead({ 'content-length': '9000000000' })], 413, 'too_large'],
  [
    'a content type that only begins well',
    [sqlBytes('{}', { 'content-type': 'application/jsonx' })],
    415,
    'unsupported_media_type',
  ],
  [
    'a compressed body',
    [sqlBytes(gzipSync('{"sql":"SELECT 1"}'), { 'content-encoding': 'gzip' })],
    415,
    'unsupported_media_type',
  ],
  ['an empty idempotency key', [sqlBytes('{"sql":"SELECT 1"}', { 'x-idempotency-key': '' })], 400, 'bad_request'],
  [
    'a long idempotency key',
    [sqlBytes('{"sql":"SELECT 1"}', { 'x-idempotency-key': 'k'.repeat(256) })],
    400,
    'bad_request',
  ],
  ['two limits', [get(`${project}/tables/orders/rows?limit=1&limit=2`)], 400, 'bad_request'],
  ['an empty limit', [get(`${project}/tables/orders/rows?limit=`)], 400, 'bad_request'],
  [
    'a limit beyond exact integers',
    [get(`${project}/tables/orders/rows?limit=99999999999999999999`)],
    400,
    'bad_request',
  ],
  ['a table name in invalid UTF-8', [get(`${project}/tables/%ed%a0%80/rows`)], 404, 'not_found'],
  ['a table name with a NUL', [get(`${project}/tables/orders%00/rows`)], 404, 'not_found'],
  ['a table name of dots', [get(`${project}/tables/%2e%2e/rows`)], 404, 'not_found'],
  ['an empty table name', [get(`${project}/tables//rows`)], 404, 'not_found'],
  ['a table name that is SQL', [get(`${project}/tables/orders%22%20WHERE%20%220/rows`)], 404, 'table_not_found'],
  ['the schema of no table', [get(`${project}/tables/nowhere/schema`)], 404, 'table_not_found'],
  ['a project id that leads elsewhere', [get('/serviceSql/projects/..%2f..%2fregistry/tables')], 403, 'forbidden'],
];

for (const [name, parts, status, code] of refusedRequests) {
  test(`${name} gets ${status} ${code}`, async () => {
    assert.deepEqual(await refusal(...parts), [status, code]);
  });
}

function sqlHead(headers: Record<string, string>): Buffer {
  return requestBytes({ method: 'POST', path: `${project}/sql`, headers: { ...json, ...headers } });
}

/** Chunks of a megabyte, without the last one. */
function endlessChunks(count: number): string[] {
  return Array<string>(count).fill(`100000\r\n${' '.repeat(0x10_00_00)}\r\n`);
}

const foreignHosts = [
  'evil.example',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  '127.0.0.1@evil.example',
  'localhost.',
  '192.168.0.1',
  'evil.example:80',
];

for (const host of hasOwnListener() ? foreignHosts : []) {
  test(`the foreign host ${host} is refused`, async () => {
    assert.deepEqual(await refusal(get(`${project}/tables`, { host })), [403, 'forbidden']);
  });
}

for (const host of ['127.0.0.1', 'localhost', 'LOCALHOST:80', '[::1]:1', '127.1.2.3']) {
  test(`the host ${host} stands for this machine`, async () => {
    assert.equal((await rawCall(baseUrl, get(`${project}/tables`, { host }))).status, 200);
  });
}

for (const origin of ['https://evil.example', 'null', baseUrl]) {
  test(`a web page of ${origin} is refused and gets no CORS headers`, async () => {
    const preflight = { origin, 'access-control-request-method': 'POST' };
    const request = requestBytes({ method: 'OPTIONS', path: `${project}/sql`, headers: preflight });
    const { status, headers } = await rawCall(baseUrl, request);
    assert.equal(status, 403);
    assert.deepEqual(
      Object.keys(headers).filter(name => name.startsWith('access-control')),
      [],
    );
    assert.deepEqual(await refusal(sqlBytes('{"sql":"SELECT 1"}', { origin })), [403, 'forbidden']);
  });
}

test('the answer to a wrong method names the right one', async () => {
  const { status, headers } = await rawCall(baseUrl, get(`${project}/sql`));
  assert.deepEqual([status, headers['allow']], [405, 'POST']);
});

test('unknown fields are ignored', async () => {
  const { status, body } = await rawCall(
    baseUrl,
    sqlBytes('{"sql":"SELECT 1 AS one","params":null,"trace":{"a":[1]}}'),
  );
  assert.equal(status, 200);
  assert.match(body, /^\{"rows":\[\{"one":1\}\]/);
});

test('NULs and characters of every plane come back unchanged', async () => {
  const text = 'a\0b\u{1f600}\u{10ffff}\ufeff';
  const { body } = await rawCall(baseUrl, call('SELECT ? AS value, length(CAST(? AS BLOB)) AS bytes', [text, text]));
  const { rows } = JSON.parse(body) as { rows: unknown[] };
  assert.deepEqual(rows, [{ value: text, bytes: Buffer.byteLength(text) }]);
});

const mostParameters = hasShortStatements ? 4000 : 32_000;

test(`${mostParameters} parameters are bound`, async () => {
  const params = Array.from({ length: mostParameters }, (_, i) => i);
  const { body } = await rawCall(baseUrl, call(`SELECT max(${params.map(() => '?').join()}) AS most`, params));
  assert.match(body, /too many arguments on function max/);
  const values = params.map(() => '(?)').join();
  const summed = await rawCall(baseUrl, call(`SELECT sum(column1) AS sum FROM (VALUES ${values})`, params));
  assert.ok(summed.body.startsWith(`{"rows":[{"sum":${(mostParameters * (mostParameters - 1)) / 2}}]`), summed.body);
});

for (const table of [
  `it's "quoted"`,
  'main.orders',
  'größe 名前 😀',
  '%2f and %',
  'a/b\\c',
  'count',
  '[brackets] `ticks`',
  '?limit=1#x',
  '; DROP TABLE orders',
  'new\nline',
]) {
  test(`a table named ${JSON.stringify(table)} can be made, browsed and described`, async () => {
    const name = `"${table.replaceAll('"', '""')}"`;
    await rawCall(baseUrl, call(`CREATE TABLE ${name} (a INTEGER PRIMARY KEY)`));
    await rawCall(baseUrl, call(`INSERT INTO ${name} VALUES (7)`));
    const path = `${project}/tables/${encodeURIComponent(table)}`;
    const page = JSON.parse((await rawCall(baseUrl, get(`${path}/rows`))).body) as Record<string, unknown>;
    assert.deepEqual([page['table'], page['rows']], [table, [{ a: 7 }]]);
    const schema = JSON.parse((await rawCall(baseUrl, get(`${path}/schema`))).body) as { columns: unknown[] };
    const column = { cid: 0, name: 'a', type: 'INTEGER', not_null: false, default: null, primary_key: 1 };
    assert.deepEqual(schema, { table, columns: [column] });
    await rawCall(baseUrl, call(`DROP TABLE ${name}`));
  });
}

test('pipelined requests are answered in their order', async () => {
  await using connection = new RawConnection(baseUrl);
  connection.send(Buffer.concat([call('SELECT 1 AS n'), call('SELEC'), call('SELECT 2 AS n')]));
  const answers = [await connection.answer(), await connection.answer(), await connection.answer()];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 400, 200],
  );
  assert.match(answers[2]?.body ?? '', /"n":2/);
});

const longBodies: readonly (readonly [name: string, parts: readonly (string | Buffer)[]])[] = [
  ['of a known length', [sqlBytes(' '.repeat(9_000_000))]],
  ['in chunks', [sqlHead({ 'transfer-encoding': 'chunked' }), ...endlessChunks(9), '0\r\n\r\n']],
];

for (const [name, parts] of hasOwnListener() ? longBodies : []) {
  test(`a connection can be used after a body ${name} that was too large`, async () => {
    await using connection = new RawConnection(baseUrl);
    connection.send(...parts, select);
    assert.equal((await connection.answer()).status, 413);
    assert.equal((await connection.answer()).status, 200);
  });
}

test('a client that leaves during its request does not disturb others', async () => {
  for (const part of [select.subarray(0, 10), select.subarray(0, -3), sqlHead({ 'transfer-encoding': 'chunked' })]) {
    const connection = new RawConnection(baseUrl).send(part);
    await new Promise<void>(resolve => connection.socket.once('connect', resolve));
    await connection[Symbol.asyncDispose]();
  }
  assert.equal((await rawCall(baseUrl, select)).status, 200);
});

test('after all these requests the service still answers, and has logged nothing', async () => {
  assert.deepEqual((await client.execSql(projectId, { sql: 'SELECT 1 AS one' })).rows, [{ one: 1 }]);
  assert.deepEqual(logged, []);
});
