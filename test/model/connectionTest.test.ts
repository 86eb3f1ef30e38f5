import assert from 'node:assert/strict';
import { test } from 'node:test';
import { monotonicClock } from '../../src/base/clock.ts';
import { testConnection } from '../../src/model/connectionTest.ts';
import { reply, startScriptedServer, testClient } from '../support/scriptedServer.ts';
import { stage } from '../support/engineUnderTest.ts';
import { startTestService } from '../support/testService.ts';

test('a connection test reports the number of tables, the SQLite version and the time', async () => {
  const { client, projectId } = await startTestService();
  const times = [100, 112.4];
  const clock = { ...monotonicClock, now: () => times.shift() ?? 0 };
  const report = await testConnection(client, projectId, { clock });
  assert.deepEqual([report.tables, report.milliseconds], [6, 12]);
  // The platform of Durable Objects lets no statement select it.
  if (stage() === 'sqlite') assert.match(report.version ?? '', /^3\.\d+/);
  else assert.equal(report.version, undefined);
});

test('a connection test does not retry, even if the project has retries', async () => {
  await using server = await startScriptedServer(reply({ message: 'Not now.' }, 503));
  await using client = testClient(server, { retries: 3 });
  await assert.rejects(testConnection(client, 'p1', { clock: monotonicClock }), { code: 'http_503' });
  assert.equal(server.requests.length, 1);
});

for (const [answer, code] of [
  [{}, 'not_an_sql_answer'],
  [{ status: 'up' }, 'not_an_sql_answer'],
  [{ ok: true, row_count: 0 }, 'unexpected_answer'],
  [{ ok: true, rows: [] }, 'unexpected_answer'],
  [{ rows: [{ x: 1 }] }, 'unexpected_answer'],
  [{ rows: Array.from({ length: 200_000 }, () => ({ x: 1 })) }, 'answer_too_large'],
] as const) {
  test(`a connection test fails if a statement is answered with ${JSON.stringify(answer).slice(0, 80)}`, async () => {
    await using server = await startScriptedServer(reply(answer));
    await using client = testClient(server);
    await assert.rejects(testConnection(client, 'p1', { clock: monotonicClock }), { code });
  });
}
