import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RawAnswer, rawCall, requestBytes } from '../support/rawHttp.ts';
import { startTestService } from '../support/testService.ts';

/**
 * The calls of the hosted service's reference client in Go, with the bytes that it sends: no key until it has one, its own
 * path prefix, holder and name in headers from the beginning.
 */
const prefix = '/gateway/v1/sqlService';
const { baseUrl } = await startTestService({ pathPrefix: prefix, openEnrolment: true });

const holder = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
const name = 'reference';
let apiKey = '';
let projectId = '';

async function send(
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
  moreHeaders: Record<string, string> = {},
): Promise<RawAnswer> {
  const headers = {
    host: new URL(baseUrl).host,
    'User-Agent': 'reference-client/1.4.2',
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(apiKey === '' ? {} : { 'X-Api-Key': apiKey }),
    'X-Holder-Id': holder,
    'X-Project-Name': name,
    ...moreHeaders,
    'Accept-Encoding': 'gzip',
  };
  return rawCall(
    baseUrl,
    requestBytes({ method, path, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }),
  );
}

/** The status and the whole body, so that missing and wrong fields are found. */
async function call(...request: Parameters<typeof send>): Promise<[status: number, body: unknown]> {
  const { status, headers, body } = await send(...request);
  assert.equal(headers['content-type'], 'application/json');
  return [status, JSON.parse(body)];
}

const sql = async (statement: string, params: readonly unknown[] | null = null, moreHeaders?: Record<string, string>) =>
  call('POST', `${prefix}/projects/${projectId}/sql`, { sql: statement, params }, moreHeaders);

test('an unknown pair resolves to no project, without a key', async () => {
  assert.deepEqual(await call('POST', `${prefix}/projects/resolve`, { holder_id: holder, project_name: name }), [
    200,
    { exists_meta: false, exists_chain: false, project_id: '', db_id: '', action: 'init' },
  ]);
});

test('a project is initialised, and unknown fields are ignored', async () => {
  const [status, body] = await call('POST', `${prefix}/projects/init`, {
    holder_id: holder,
    project_name: name,
    owner_address: holder,
    epoch_set: 1,
    cycle_end: 0,
    writers_len: 3,
    track_back_len: 10,
    draft_epoch_dur: 60,
    include_pass: true,
    deletable: false,
  });
  projectId = (body as { ProjectID: string }).ProjectID;
  assert.match(projectId, /^[\da-f-]{36}$/);
  const empty = { WriterPassID: '', BlobID: '', TxDigest: '', CSVHashHex: '', DigestHex: '', SignatureHex: '' };
  assert.deepEqual([status, body], [200, { ProjectID: projectId, DBID: projectId, ...empty }]);
});

test('a key is issued', async () => {
  const request = { projectId, projectHolder: holder, projectName: name, user: holder };
  const [status, body] = (await call('POST', '/auth/issue', request)) as [number, { apiKey: string; url: string }];
  assert.deepEqual([status, body.url], [200, baseUrl]);
  ({ apiKey } = body);
  assert.ok(apiKey.length > 20);
});

test('the pair resolves to its project', async () => {
  assert.deepEqual(await call('POST', `${prefix}/projects/resolve`, { holder_id: holder, project_name: name }), [
    200,
    { exists_meta: true, exists_chain: false, project_id: projectId, db_id: projectId, action: 'use' },
  ]);
});

test('DDL returns 0 rows, with parameters null or left out', async () => {
  const ddl = 'CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL, score REAL DEFAULT 1.5, note)';
  assert.deepEqual(await sql(ddl), [200, { ok: true, row_count: 0 }]);
  assert.deepEqual(await sql('CREATE INDEX by_name ON users (name)', []), [200, { ok: true, row_count: 0 }]);
});

const insert = async (value: string) =>
  send(
    'POST',
    `${prefix}/projects/${projectId}/sql`,
    { sql: 'INSERT INTO users (name, note) VALUES (?, ?), (?, NULL), (?, NULL)', params: [value, 7, 'bob', 'eve'] },
    { 'X-Idempotency-Key': 'insert-1' },
  );

test('an insert with an idempotency key is done once and replayed', async () => {
  const answers = [await insert('ann'), await insert('ann')];
  assert.deepEqual(
    answers.map(({ status, body, headers }) => [status, body, headers['x-idempotency-replayed']]),
    [
      [200, '{"ok":true,"row_count":3}', undefined],
      [200, '{"ok":true,"row_count":3}', 'true'],
    ],
  );
  const other = await insert('someone else');
  assert.deepEqual([other.status, (JSON.parse(other.body) as { code: string }).code], [409, 'idempotency_conflict']);
});

test('the answer has its rows first', async () => {
  const { body } = await send('POST', `${prefix}/projects/${projectId}/sql`, {
    sql: 'SELECT id, name, score, note FROM users WHERE id < ? ORDER BY id',
    params: [3],
  });
  assert.equal(
    body,
    '{"rows":[{"id":1,"name":"ann","score":1.5,"note":7},{"id":2,"name":"bob","score":1.5,"note":null}],' +
      '"columns":[{"name":"id","type":"INTEGER"},{"name":"name","type":"TEXT"},{"name":"score","type":"REAL"},' +
      '{"name":"note","type":"INTEGER"}],"ok":true}',
  );
});

test('an empty page ends the paging', async () => {
  for (const [offset, ids] of [
    [0, [1, 2]],
    [2, [3]],
    [3, []],
  ] as const) {
    const [status, body] = await call(
      'GET',
      `${prefix}/projects/${projectId}/tables/users/rows?limit=2&offset=${offset}`,
    );
    const page = body as { limit: number; offset: number; table: string; rows: { id: number }[] };
    assert.deepEqual([status, page.limit, page.offset, page.table], [200, 2, offset, 'users']);
    assert.deepEqual(
      page.rows.map(({ id }) => id),
      ids,
    );
  }
});

test('tables, their columns and their number are answered', async () => {
  const project = `${prefix}/projects/${projectId}`;
  assert.deepEqual(await call('GET', `${project}/tables`), [200, { tables: ['users'] }]);
  assert.deepEqual(await call('GET', `${project}/tables/count`), [200, { project_id: projectId, table_count: 1 }]);
  assert.deepEqual(await call('GET', `${project}/tables/users/schema`), [
    200,
    {
      table: 'users',
      columns: [
        { cid: 0, name: 'id', type: 'INTEGER', not_null: false, default: null, primary_key: 1 },
        { cid: 1, name: 'name', type: 'TEXT', not_null: true, default: null, primary_key: 0 },
        { cid: 2, name: 'score', type: 'REAL', not_null: false, default: '1.5', primary_key: 0 },
        { cid: 3, name: 'note', type: '', not_null: false, default: null, primary_key: 0 },
      ],
    },
  ]);
});

test('status and commit are answered', async () => {
  const project = `${prefix}/projects/${projectId}`;
  const [code, { engine, ...status }] = (await call('GET', `${project}/status`)) as [number, { engine: unknown }];
  const expected = { project_id: projectId, is_active: true, status: 'active', key_scope: 'full' };
  assert.deepEqual([code, status], [200, expected]);
  assert.ok(engine);
  assert.deepEqual(await call('POST', `${project}/commit`, {}), [
    200,
    { ok: true, project_id: projectId, committed_ops: 0 },
  ]);
});

test('an error has its message under both names, and a code', async () => {
  const [status, body] = await sql('SELECT * FROM nowhere');
  const { ok, message, error, code } = body as Record<string, unknown>;
  assert.deepEqual([status, ok, message, error, code], [400, false, error, message, 'sql_error']);
});
