import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testConnection } from '../../src/model/connectionTest.ts';
import { reply, startScriptedServer, testClient } from '../support/scriptedServer.ts';
import { startTestService } from '../support/testService.ts';

test('a project that answers tells how many tables it has, and how long it took', async () => {
  const { client, projectId } = await startTestService();
  const times = [100, 112.4];
  const report = await testConnection(client, projectId, { now: () => times.shift() ?? 0 });
  assert.deepEqual([report.tables, report.milliseconds], [6, 12]);
  assert.match(report.version, /^3\.\d+/);
});

test('a fault is told at once, however many retries the project has', async () => {
  await using server = await startScriptedServer(reply({ message: 'Not now.' }, 503));
  await using client = testClient(server, { retries: 3 });
  await assert.rejects(testConnection(client, 'p1', { now: () => 0 }), { code: 'http_503' });
  assert.equal(server.requests.length, 1);
});

for (const answer of [{}, { status: 'up' }, { ok: true, row_count: 0 }, { ok: true, rows: [] }, { rows: [{ x: 1 }] }]) {
  test(`something that answers ${JSON.stringify(answer)} to a statement is no project that answers`, async () => {
    await using server = await startScriptedServer(reply(answer));
    await using client = testClient(server);
    await assert.rejects(testConnection(client, 'p1', { now: () => 0 }), { code: 'unexpected_answer' });
  });
}
