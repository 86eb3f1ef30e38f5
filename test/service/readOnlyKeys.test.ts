/** Keys that only read, on the engine under test. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { Client, isReadOnlyKeyFault } from '../../src/client/index.ts';
import { oneOf, seeded } from '../fuzz/random.ts';
import {
  readOnlyProject,
  readsOfReader,
  refusedForAll,
  stateQueries,
  writesOfReader,
} from '../support/readOnlyAttacks.ts';
import { rejection } from '../support/scriptedServer.ts';
import { sqlMutants } from '../support/sqlMutants.ts';
import { startTestService } from '../support/testService.ts';

const { baseUrl, adminKey, admin } = await startTestService();
const pair = { holderId: 'ann', projectName: 'read only' };
const { projectId } = await admin.initProject(pair);
const keyRequest = { projectId, holderId: pair.holderId, projectName: pair.projectName, user: 'test' };
const { apiKey: fullKey } = await admin.issueKey(keyRequest);
const { apiKey: readKey } = await admin.issueKey({ ...keyRequest, scope: 'read' });
const projectPath = `/serviceSql/projects/${projectId}`;

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
  readonly replayed: boolean;
}

interface Call {
  readonly key?: string;
  readonly idempotencyKey?: string;
  readonly params?: readonly unknown[];
}

async function send(method: string, path: string, key: string, body?: unknown, headers = {}): Promise<Answer> {
  const answer = await fetch(baseUrl + path, {
    method,
    headers: { 'content-type': 'application/json', 'x-api-key': key, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const replayed = answer.headers.get('x-idempotency-replayed') === 'true';
  return { status: answer.status, text, json: JSON.parse(text) as Answer['json'], replayed };
}

async function run(sql: string, { key = readKey, idempotencyKey, params = [] }: Call = {}): Promise<Answer> {
  const headers = idempotencyKey === undefined ? {} : { 'x-idempotency-key': idempotencyKey };
  return send('POST', `${projectPath}/sql`, key, { sql, params }, headers);
}

for (const sql of readOnlyProject) assert.equal((await run(sql, { key: fullKey })).status, 200, sql);

/** The hash of all rows, of the schema and of the settings. */
async function state(): Promise<string> {
  const hash = createHash('sha256');
  for (const sql of stateQueries) {
    const { status, text } = await run(sql, { key: fullKey });
    assert.equal(status, 200, text);
    hash.update(`${sql}\n${text}\n`);
  }
  return hash.digest('hex');
}

const untouched = await state();

function requireForbidden({ status, json }: Answer): void {
  assert.deepEqual(
    [status, json['code'], json['details']],
    [403, 'forbidden', { scope: 'read' }],
    JSON.stringify(json),
  );
  assert.equal(json['message'], 'This key may only read. Use a key that may write.');
}

test('the state of the project shows each change', async () => {
  const before = await state();
  for (const sql of [
    `UPDATE t SET b = x'00fe' WHERE id = 1`,
    'CREATE INDEX shown ON t(b)',
    `DELETE FROM sqlite_sequence`,
  ]) {
    const last = await state();
    assert.equal((await run(sql, { key: fullKey })).status, 200);
    assert.notEqual(await state(), last, sql);
  }
  const undo = [
    `UPDATE t SET b = x'00ff' WHERE id = 1`,
    'DROP INDEX shown',
    `INSERT INTO sqlite_sequence VALUES ('t', 4)`,
  ];
  for (const sql of undo) assert.equal((await run(sql, { key: fullKey })).status, 200);
  assert.equal(await state(), before);
});

const shown = (sql: string): string => JSON.stringify(sql).slice(1, -1);
let attackCount = 0;

for (const sql of writesOfReader) {
  test(`${shown(sql)} is refused because the key only reads, and changes nothing`, async () => {
    const idempotencyKey = `attack ${++attackCount}`;
    requireForbidden(await run(sql));
    requireForbidden(await run(sql, { idempotencyKey }));
    assert.equal(await state(), untouched);
    // The key of the refused call belongs to no call.
    const other = await run('SELECT 1 AS free', { key: fullKey, idempotencyKey });
    assert.deepEqual([other.status, other.replayed], [200, false], other.text);
  });
}

for (const sql of refusedForAll) {
  test(`${shown(sql)} is refused, and changes nothing`, async () => {
    const { status, json } = await run(sql);
    assert.ok([400, 403, 422].includes(status), JSON.stringify(json));
    assert.equal(json['ok'], false);
    assert.equal(await state(), untouched);
  });
}

for (const sql of readsOfReader) {
  test(`${shown(sql)} is answered as with a full key, and changes nothing`, async () => {
    const answer = await run(sql);
    assert.deepEqual([answer.status, answer.json['ok']], [200, true], answer.text);
    assert.equal((await run(sql, { key: fullKey })).text, answer.text);
    assert.equal(await state(), untouched);
  });
}

test('a statement that a full key has run before is refused with a key that only reads', async () => {
  const sql = `WITH x (a) AS (VALUES ('planned')) INSERT INTO log SELECT a FROM x RETURNING what`;
  assert.equal((await run(sql, { key: fullKey })).status, 200);
  const before = await state();
  requireForbidden(await run(sql));
  assert.equal(await state(), before);
  assert.equal((await run(sql, { key: fullKey })).status, 200);
});

test('a write in a long body is refused', async () => {
  const before = await state();
  const params = ['x'.repeat(90_000)];
  requireForbidden(await run('INSERT INTO log VALUES (?)', { params, idempotencyKey: 'long' }));
  requireForbidden(await run('WITH x (a) AS (VALUES (?)) INSERT INTO log SELECT a FROM x', { params }));
  assert.equal(await state(), before);
  const read = await run('SELECT length(?) AS n', { params });
  assert.deepEqual(read.json['rows'], [{ n: 90_000 }]);
});

test('a refused write leaves its idempotency key to a full key', async () => {
  const sql = `INSERT INTO log VALUES ('once')`;
  const idempotencyKey = 'refused first';
  requireForbidden(await run(sql, { idempotencyKey }));
  const done = await run(sql, { key: fullKey, idempotencyKey });
  assert.deepEqual([done.json['row_count'], done.replayed], [1, false]);
  // Nor does a key that only reads see the answer of a write.
  const repeated = await run(sql, { idempotencyKey });
  requireForbidden(repeated);
  assert.equal(repeated.replayed, false);
  assert.equal((await run(sql, { key: fullKey, idempotencyKey })).replayed, true);
});

test('a thousand damaged statements change nothing with a key that only reads', async () => {
  // Without its end, a recursive one would never end.
  const sources = [...writesOfReader, ...refusedForAll, ...readsOfReader].filter(sql => !/recursive/i.test(sql));
  const mutants = [...new Set(sources.flatMap(sql => Array.from(sqlMutants(sql))))];
  const random = seeded(13);
  const before = await state();
  let done = 0;
  for (let round = 0; round < 20; round++) {
    const sent = Array.from({ length: 50 }, () => oneOf(random, mutants));
    for (const sql of sent) if ((await run(sql)).status === 200) done++;
    assert.equal(await state(), before, sent.join('\n'));
  }
  assert.ok(done > 20, `${done} of them still are reads`);
});

test('a read with an idempotency key leaves no record', async () => {
  const count = 'SELECT count(*) AS n FROM log';
  const idempotencyKey = 'read twice';
  const [first] = (await run(count, { idempotencyKey })).json['rows'] as { n: number }[];
  await run(`INSERT INTO log VALUES ('between')`, { key: fullKey });
  const secondRead = await run(count, { idempotencyKey });
  assert.deepEqual([secondRead.json['rows'], secondRead.replayed], [[{ n: first!.n + 1 }], false]);
  const full = await run(`INSERT INTO log VALUES ('other')`, { key: fullKey, idempotencyKey });
  assert.deepEqual([full.status, full.replayed], [200, false]);
});

test('a key that only reads browses, lists and describes its project, and finds it by its name', async () => {
  await using reader = new Client({ baseUrl, apiKey: readKey, retries: 0 });
  assert.equal((await reader.browseRows(projectId, 'plain', { limit: 5 })).rows.length, 1);
  assert.ok((await reader.listTables(projectId)).includes('t'));
  assert.deepEqual(
    (await reader.tableSchema(projectId, 'child')).columns.map(({ name }) => name),
    ['t_id', 'note'],
  );
  assert.equal((await reader.resolveProject(pair)).projectId, projectId);
  assert.deepEqual(
    (await reader.listProjects())?.map(project => project.projectId),
    [projectId],
  );
  const rows: unknown[] = [];
  const scanner = await reader.execSqlStream(projectId, { sql: 'SELECT n FROM plain' });
  for await (const batch of scanner.batches()) rows.push(...batch);
  assert.equal(rows.length, 1);
});

test('the status of a project says what the key allows', async () => {
  for (const [key, scope] of [
    [readKey, 'read'],
    [fullKey, 'full'],
  ] as const) {
    await using client = new Client({ baseUrl, apiKey: key, retries: 0 });
    assert.equal((await client.projectStatus(projectId)).keyScope, scope);
  }
});

test('the client distinguishes a write with a key that only reads from other refusals', async () => {
  await using reader = new Client({ baseUrl, apiKey: readKey, retries: 0 });
  const write = await rejection(reader.execSql(projectId, { sql: 'DELETE FROM t' }));
  const stranger = await rejection(reader.listTables('another'));
  assert.deepEqual([isReadOnlyKeyFault(write), isReadOnlyKeyFault(stranger)], [true, false]);
});

test('a key that only reads commits nothing', async () => {
  requireForbidden(await send('POST', `${projectPath}/commit`, readKey, {}));
  assert.equal((await send('POST', `${projectPath}/commit`, fullKey, {})).status, 200);
});

for (const [method, path, body] of [
  ['POST', '/auth/issue', { projectId }],
  ['POST', '/auth/issue', { projectId, scope: 'read' }],
  ['POST', '/serviceSql/projects/init', { holder_id: 'h', project_name: 'n' }],
  ['GET', '/serviceSql/admin/keys', undefined],
  ['POST', '/serviceSql/admin/keys/abc/revoke', undefined],
  ['POST', `/serviceSql/admin/projects/${projectId}/delete`, undefined],
  ['POST', `/serviceSql/admin/projects/${projectId}/vacuum`, undefined],
] as const) {
  test(`${method} ${path.replace(projectId, 'ID')} is refused with a key that only reads`, async () => {
    const { status, json } = await send(method, path, readKey, body);
    assert.deepEqual([status, json['code']], [403, 'forbidden']);
    assert.equal((await run('SELECT 1')).status, 200);
  });
}

async function keysOf(): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { json } = await send('GET', `/serviceSql/admin/keys?project_id=${projectId}`, adminKey);
  return json['keys'] as Readonly<Record<string, unknown>>[];
}

for (const scope of ['write', 'READ', 'read ', '', 'read,write', null, 1, true, ['read'], { read: true }]) {
  test(`a key with the scope ${JSON.stringify(scope)} is not issued`, async () => {
    const before = await keysOf();
    const { status, json } = await send('POST', '/auth/issue', adminKey, { projectId, scope });
    assert.deepEqual([status, json['code']], [400, 'bad_request']);
    assert.equal(json['message'], 'The field "scope" must be "full" or "read".');
    assert.deepEqual(await keysOf(), before);
  });
}

test('the answer for a new key and the list of keys say its scope', async () => {
  for (const [scope, expected] of [
    ['read', 'read'],
    ['full', 'full'],
    [undefined, 'full'],
  ] as const) {
    const issued = (await send('POST', '/auth/issue', adminKey, { projectId, user: 'listed', scope })).json;
    assert.equal(issued['scope'], expected);
    const key = String(issued['apiKey']);
    assert.equal((await keysOf()).find(({ key_id: id }) => id === issued['keyId'])?.['scope'], expected);
    const { status } = await run('DELETE FROM log WHERE 0', { key });
    assert.equal(status, expected === 'full' ? 200 : 403);
  }
});
