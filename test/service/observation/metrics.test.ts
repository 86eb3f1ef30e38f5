import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endlessRows } from '../../support/endlessRows.ts';
import { testLimitMs } from '../../support/hangLimits.ts';
import { PrometheusText } from '../../support/prometheusText.ts';
import { rawCall, RawConnection, requestBytes } from '../../support/rawHttp.ts';
import { startTestService } from '../../support/testService.ts';

const rateLimit = { perSecond: 0.001, burst: 8 };
const { baseUrl, projectId, apiKey, adminKey, client, admin } = await startTestService({ rateLimit });

async function readMetrics(): Promise<PrometheusText> {
  const answer = await rawCall(baseUrl, requestBytes({ path: '/metrics', headers: { 'x-api-key': adminKey } }));
  assert.equal(answer.status, 200);
  assert.equal(answer.headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
  return new PrometheusText(answer.body);
}

const metric = (name: string): string => `sql_service_${name}`;

test(
  'the metrics count calls, errors, refused keys and limited calls as they are made',
  { timeout: testLimitMs },
  async () => {
    const before = await readMetrics();
    await client.execSql(projectId, { sql: 'SELECT 1' });
    await client.execSql(projectId, { sql: 'SELECT 2' });
    await client.listTables(projectId);
    await assert.rejects(client.execSql(projectId, { sql: 'SELECT nope' }), { code: 'sql_error' });
    const wrong = requestBytes({ path: '/serviceSql/projects', headers: { 'x-api-key': 'sqlp_wrong' } });
    assert.equal((await rawCall(baseUrl, wrong)).status, 401);
    assert.equal((await rawCall(baseUrl, requestBytes({ path: '/serviceSql/projects' }))).status, 401);
    let limitedCalls = 0;
    for (let call = 0; call < 10; call++) {
      await client.projectStatus(projectId).catch(({ code }: { code: string }) => {
        assert.equal(code, 'rate_limited');
        limitedCalls++;
      });
    }
    assert.ok(limitedCalls > 0);
    const now = await readMetrics();
    const grown = (name: string, labels: Record<string, string> = {}): number =>
      now.value(metric(name), labels) - before.value(metric(name), labels);
    assert.equal(grown('calls_total', { route: 'executeSql', status: '200' }), 2);
    assert.equal(grown('calls_total', { route: 'executeSql', status: '400' }), 1);
    assert.equal(grown('calls_total', { route: 'listTables', status: '200' }), 1);
    assert.equal(grown('calls_total', { route: 'projectStatus', status: '429' }), limitedCalls);
    assert.equal(grown('calls_total', { route: 'metrics', status: '200' }), 1);
    assert.equal(grown('answer_seconds_count', { route: 'executeSql' }), 3);
    assert.ok(grown('answer_seconds_sum', { route: 'executeSql' }) > 0);
    assert.equal(grown('errors_total', { code: 'sql_error' }), 1);
    assert.equal(grown('errors_total', { code: 'unauthenticated' }), 2);
    assert.equal(grown('refused_keys_total'), 1, 'a call without a key has none that is refused');
    assert.equal(grown('rate_limited_calls_total'), limitedCalls);
    assert.ok(grown('sent_bytes_total') > 100);
  },
);

test('the metrics show processes, open statements, memory and disk space', { timeout: testLimitMs }, async () => {
  const { apiKey: otherKey } = await issueKey();
  const headers = { 'content-type': 'application/json', 'x-api-key': otherKey };
  const path = `/serviceSql/projects/${projectId}/sql`;
  await using reader = new RawConnection(baseUrl);
  // The reader takes nothing, so the statement stays open.
  reader.socket.pause();
  reader.send(requestBytes({ path, headers, body: JSON.stringify({ sql: endlessRows }) }));
  let metrics = await readMetrics();
  while (metrics.value(metric('open_statements')) === 0) metrics = await readMetrics();
  assert.equal(metrics.value(metric('open_statements')), 1);
  assert.equal(metrics.value(metric('open_calls')), 2, 'the statement, and the call for the metrics');
  assert.equal(metrics.value(metric('project_processes')), 1);
  assert.equal(metrics.value(metric('project_processes_max')), 16);
  assert.equal(metrics.value(metric('draining')), 0);
  assert.ok(metrics.value('process_resident_memory_bytes') > 10_000_000);
  if (process.platform === 'linux') assert.ok(metrics.value(metric('project_memory_bytes')) > 10_000_000);
  assert.ok(metrics.value(metric('disk_used_bytes')) > 100_000);
  assert.ok(metrics.value(metric('disk_free_bytes')) > 0);
  reader.socket.destroy();
  while (metrics.value(metric('open_statements')) > 0) metrics = await readMetrics();
  assert.equal(metrics.value(metric('abandoned_calls_total')), 1);
});

test('an error after the first rows is counted by its code', { timeout: testLimitMs }, async () => {
  const { apiKey: otherKey } = await issueKey();
  const sql = `SELECT CASE WHEN value < 900 THEN value ELSE json('broken') END AS v FROM json_each(?) ORDER BY rowid`;
  const params = [JSON.stringify(Array.from({ length: 1000 }, (_, i) => i))];
  const headers = { 'content-type': 'application/json', 'x-api-key': otherKey };
  const path = `/serviceSql/projects/${projectId}/sql`;
  const before = await countSqlErrors();
  const answer = await rawCall(baseUrl, requestBytes({ path, headers, body: JSON.stringify({ sql, params }) }));
  assert.equal(answer.status, 200);
  // The call is over for the service a moment after its caller has the answer.
  while ((await countSqlErrors()) === before) await new Promise(setImmediate);
  assert.equal(await countSqlErrors(), before + 1);
});

test(
  'the metrics need the admin key, and have no project, path, key or SQL in them',
  { timeout: testLimitMs },
  async () => {
    for (const headers of [{}, { 'x-api-key': apiKey }, { 'x-api-key': 'sqlp_wrong' }]) {
      const { status, body } = await rawCall(baseUrl, requestBytes({ path: '/metrics', headers }));
      assert.ok(status === 401 || status === 403 || status === 429, String(status));
      assert.ok(!body.includes('sql_service'));
    }
    for (const path of [
      '/canary4711',
      `/serviceSql/projects/canary4711/sql`,
      '/serviceSql/admin/keys/canary4711/revoke',
    ]) {
      await rawCall(
        baseUrl,
        requestBytes({ method: 'POST', path, headers: { 'x-api-key': adminKey, origin: 'canary4711' } }),
      );
      await rawCall(baseUrl, requestBytes({ method: 'CANARY4711', path, headers: { 'x-api-key': adminKey } }));
    }
    const answer = await rawCall(baseUrl, requestBytes({ path: '/metrics', headers: { 'x-api-key': adminKey } }));
    for (const secret of [/canary4711/i, projectId, 'Sample Shop', apiKey, adminKey, 'SELECT', '/tmp']) {
      assert.doesNotMatch(answer.body, new RegExp(secret));
    }
  },
);

async function countSqlErrors(): Promise<number> {
  return (await readMetrics()).value(metric('errors_total'), { code: 'sql_error' });
}

async function issueKey(): Promise<{ apiKey: string }> {
  return admin.issueKey({ projectId, holderId: 'local', projectName: 'Sample Shop', user: 'test' });
}
