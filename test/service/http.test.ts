import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { hasOwnListener, stage } from '../support/engineUnderTest.ts';
import { type RawAnswer, rawCall, type RawRequest, requestBytes } from '../support/rawHttp.ts';
import { startTestService } from '../support/testService.ts';

const { baseUrl, folder, projectId, apiKey, adminKey } = await startTestService();
const project = `/serviceSql/projects/${projectId}`;
const json = { 'content-type': 'application/json' };

const call = (request: RawRequest): Promise<RawAnswer> => rawCall(baseUrl, requestBytes(request));

const sql = (body: string, headers: Record<string, string> = {}): RawRequest => ({
  path: `${project}/sql`,
  headers: { ...json, 'x-api-key': apiKey, ...headers },
  body,
});
const select = JSON.stringify({ sql: 'SELECT 1 AS one' });

test('an answer begins with its rows', async () => {
  const { status, body } = await call(sql(select));
  assert.equal(status, 200);
  assert.equal(body, '{"rows":[{"one":1}],"columns":[{"name":"one","type":"INTEGER"}],"ok":true}');
});

type RefusedCall = readonly [name: string, call: RawRequest, status: number, code: string];

const refusedMethod: RefusedCall = ['a method that no path allows', { method: 'TRACE', path: '/' }, 400, 'bad_request'];

const cases: readonly RefusedCall[] = [
  ...(hasOwnListener() ? [refusedMethod] : []),
  ['no key', sql(select, { 'x-api-key': '' }), 401, 'unauthenticated'],
  ['an unknown key', sql(select, { 'x-api-key': 'sqlp_x' }), 401, 'unauthenticated'],
  ['the admin key on a project', sql(select, { 'x-api-key': adminKey }), 403, 'forbidden'],
  ['a key for another project', { ...sql(select), path: '/serviceSql/projects/other/sql' }, 403, 'forbidden'],
  ['another holder', sql(select, { 'x-holder-id': 'other' }), 403, 'forbidden'],
  ['another name', sql(select, { 'x-project-name': 'other' }), 403, 'forbidden'],
  ['a body that is not an object', sql('[]'), 400, 'bad_request'],
  ['no SQL', sql('{}'), 400, 'bad_request'],
  ['a parameter that is an object', sql('{"sql":"SELECT ?","params":[{}]}'), 400, 'bad_request'],
  ['an integer beyond 64 bits', sql('{"sql":"SELECT ?","params":[99999999999999999999]}'), 400, 'bad_request'],
  ['another content type', sql(select, { 'content-type': 'text/plain' }), 415, 'unsupported_media_type'],
  ['the wrong method', { path: `${project}/sql`, headers: { 'x-api-key': apiKey } }, 405, 'method_not_allowed'],
  ['a path of slashes', { path: '//' }, 404, 'not_found'],
  ['an unknown path', { path: '/nothing' }, 404, 'not_found'],
  ['a path that cannot be decoded', { path: `${project}/tables/%ff/rows` }, 404, 'not_found'],
  [
    'a negative limit',
    { path: `${project}/tables/orders/rows?limit=-1`, headers: { 'x-api-key': apiKey } },
    400,
    'bad_request',
  ],
  [
    'a broken offset',
    { path: `${project}/tables/orders/rows?offset=x`, headers: { 'x-api-key': apiKey } },
    400,
    'bad_request',
  ],
  [
    'the internal table',
    { path: `${project}/tables/sqlite_schema/rows`, headers: { 'x-api-key': apiKey } },
    404,
    'table_not_found',
  ],
];

for (const [name, refused, status, code] of cases) {
  test(`${name} gets ${status} ${code}, and a message`, async () => {
    const answer = await call(refused);
    const body = JSON.parse(answer.body) as Record<string, unknown>;
    assert.deepEqual([answer.status, body['code'], body['ok']], [status, code, false]);
    assert.ok(typeof body['message'] === 'string' && body['message'].length > 0);
  });
}

test('a limit beyond the maximum is reduced, and the answer says so', async () => {
  const { body } = await call({
    path: `${project}/tables/categories/rows?limit=99999`,
    headers: { 'x-api-key': apiKey },
  });
  assert.equal((JSON.parse(body) as { limit: number }).limit, 10_000);
});

test('an error after the first rows ends the object', async () => {
  const statement = `SELECT CASE WHEN value < 900 THEN value ELSE json('broken') END AS v FROM json_each(?) ORDER BY rowid`;
  const values = JSON.stringify(Array.from({ length: 1000 }, (_, i) => i));
  const { status, body } = await call(sql(JSON.stringify({ sql: statement, params: [values] })));
  const answer = JSON.parse(body) as { rows: unknown[]; ok: boolean; code: string };
  assert.equal(status, 200);
  assert.deepEqual([answer.ok, answer.code], [false, 'sql_error']);
  assert.ok(answer.rows.length > 0 && answer.rows.length < 1000);
});

if (stage() === 'sqlite') {
  test('the admin key is in one file, which only the owner may read', () => {
    for (const entry of readdirSync(folder, { withFileTypes: true }).filter(item => item.isFile())) {
      const file = join(folder, entry.name);
      const content = readFileSync(file, 'latin1');
      assert.equal(content.includes(adminKey), entry.name === 'service.json', entry.name);
    }
    assert.equal(statSync(join(folder, 'service.json')).mode & 0o777, 0o600);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
  });
}
