import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { statementFault } from '../../src/host/running/statementFault.ts';
import { rawCall, requestBytes } from '../support/rawHttp.ts';
import { startTestService } from '../support/testService.ts';
import { repositoryRoot } from '../support/workbench/workbenchPaths.ts';
import { serviceCodes } from '../../src/wire/serviceError.ts';

const { baseUrl, projectId, apiKey, admin, client } = await startTestService();
const { projectId: otherId } = await admin.initProject({ holderId: 'ann', projectName: 'other' });

test("the table of errors in the service's documentation has the codes of the interface, by status", () => {
  const page = readFileSync(join(repositoryRoot, 'media/docs/http.md'), 'utf8');
  const rows = [...page.matchAll(/^\| (\d{3}) +\| `(\w+)` +\|(.+)\|(.+)\|$/gm)];
  const codes = rows.map(([, , code = '']) => code);
  assert.deepEqual(codes.toSorted(), Object.values(serviceCodes).toSorted());
  const statuses = rows.map(([, status]) => Number(status));
  assert.deepEqual(
    statuses,
    statuses.toSorted((one, other) => one - other),
  );
  for (const [row, , , meaning = '', remedy = ''] of rows) assert.ok(meaning.trim() && remedy.trim(), row);
});

const routes: readonly (readonly [method: string, path: (id: string) => string, body?: string])[] = [
  ['POST', id => `${id}/sql`, '{"sql":"SELECT 1"}'],
  ['POST', id => `${id}/sql`, 'no JSON'],
  ['POST', id => `${id}/commit`, '{}'],
  ['GET', id => `${id}/status`],
  ['GET', id => `${id}/tables`],
  ['GET', id => `${id}/tables/count`],
  ['GET', id => `${id}/tables/orders/schema`],
  ['GET', id => `${id}/tables/orders/rows`],
];

for (const [method, path, body] of routes) {
  test(`${method} ${path('ID')} with ${body ?? 'no body'} answers a stranger the same for each project`, async () => {
    const answers = await Promise.all(
      [otherId, 'nowhere', projectId.slice(1), `${projectId}x`, '0', 'x'.repeat(500)].map(async id => {
        const request = { method, path: `/serviceSql/projects/${path(id)}` };
        const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
        const bytes = requestBytes({ ...request, headers, ...(body === undefined ? {} : { body }) });
        const answer = await rawCall(baseUrl, bytes);
        const { date: _, ...otherHeaders } = answer.headers;
        return { status: answer.status, body: answer.body, headers: otherHeaders };
      }),
    );
    assert.equal(answers[0]?.status, 403);
    assert.equal((JSON.parse(answers[0].body) as { code: string }).code, 'forbidden');
    for (const answer of answers) assert.deepEqual(answer, answers[0]);
  });
}

test('a refusal that is repeated has the header of a replayed answer, and the place of its error', async () => {
  const sql = `SELECT 'ä😀', nope FROM orders`;
  const bytes = requestBytes({
    path: `/serviceSql/projects/${projectId}/sql`,
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey, 'x-idempotency-key': 'refused' },
    body: JSON.stringify({ sql }),
  });
  const first = await rawCall(baseUrl, bytes);
  const replay = await rawCall(baseUrl, bytes);
  assert.deepEqual([first.status, first.headers['x-idempotency-replayed']], [400, undefined]);
  assert.deepEqual([replay.status, replay.headers['x-idempotency-replayed']], [400, 'true']);
  assert.equal(replay.body, first.body);
  assert.deepEqual((JSON.parse(first.body) as { details: unknown }).details, { offset: sql.indexOf('nope') });
});

test('the editor marks the token that the service names, and no other one with the same text', async () => {
  for (const marked of [
    `SELECT 'ä nope 😀', id AS nope FROM orders AS o WHERE «o.nope» > 1`,
    `SELECT 'é' AS orders FROM orders AS o ORDER BY id «orders», orders`,
    `SELECT 'é', «[no such]» FROM orders`,
    `SELECT 'é', («)»`,
  ]) {
    const sql = marked.replaceAll(/[«»]/g, '');
    const thrown: unknown = await client.execSql(projectId, { sql }).catch((error: unknown) => error);
    const { start, end } = statementFault(sql, thrown, '') ?? assert.fail(sql);
    assert.equal(`${sql.slice(0, start)}«${sql.slice(start, end)}»${sql.slice(end)}`, marked);
  }
});
