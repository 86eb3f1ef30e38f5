import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Client } from '../../src/client/index.ts';
import { testLimitMs } from '../support/hangLimits.ts';
import { type RawAnswer, rawCall, RawConnection, requestBytes } from '../support/rawHttp.ts';
import { ServiceProcess } from '../support/serviceProcess.ts';

const rowCount = 300_000;
/** More bytes than a connection holds, so that the answer lasts until its reader has read it. */
const manyRows = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rowCount})
  SELECT i, 'the row with the number ' || i AS text FROM n`;

const get = (baseUrl: string, path: string, headers = {}): Promise<RawAnswer> =>
  rawCall(baseUrl, requestBytes({ path, headers }));

/** Resolves when the service has noticed the signal. */
async function draining(baseUrl: string): Promise<RawAnswer> {
  for (;;) {
    const answer = await get(baseUrl, '/readyz');
    if (answer.status !== 200) return answer;
  }
}

test(
  'a stopping service sends an open answer to its last row, and refuses new calls meanwhile',
  { timeout: testLimitMs },
  async () => {
    await using service = await ServiceProcess.start('source', { options: ['--drain-seconds', '600'] });
    const { baseUrl, projectId, apiKey } = await service.project();
    const { adminKey } = await service.file();
    await using client = new Client({ baseUrl, apiKey, retries: 0 });
    const scanner = await client.execSqlStream(projectId, { sql: manyRows });
    assert.ok(await scanner.next({}));
    process.kill(service.pid, 'SIGTERM');

    const unready = await draining(baseUrl);
    assert.deepEqual([unready.status, (JSON.parse(unready.body) as { code: string }).code], [503, 'busy']);
    assert.equal((await get(baseUrl, '/healthz')).status, 200, 'the process lives');
    const refused = await get(baseUrl, `/serviceSql/projects/${projectId}/tables`, { 'x-api-key': apiKey });
    assert.equal(refused.status, 503);
    assert.ok(Date.parse(refused.headers['retry-after'] ?? '') > 0, refused.headers['retry-after']);
    assert.equal(refused.headers['connection'], 'close');
    const metrics = await get(baseUrl, '/metrics', { 'x-api-key': adminKey });
    assert.match(metrics.body, /^sql_service_draining 1$/m);

    let rows = 1;
    for await (const batch of scanner.batches()) rows += batch.length;
    assert.deepEqual([scanner.err(), rows], [undefined, rowCount]);
    assert.deepEqual(await service.exited, [0, null]);
  },
);

async function openReader(service: ServiceProcess): Promise<RawConnection> {
  const { baseUrl, projectId, apiKey } = await service.project();
  const headers = { 'content-type': 'application/json', 'x-api-key': apiKey };
  const path = `/serviceSql/projects/${projectId}/sql`;
  const reader = new RawConnection(baseUrl).send(
    requestBytes({ path, headers, body: JSON.stringify({ sql: manyRows }) }),
  );
  await once(reader.socket, 'data');
  reader.socket.pause();
  return reader;
}

test('a second signal stops a service that still answers at once', { timeout: testLimitMs }, async () => {
  await using service = await ServiceProcess.start('source', { options: ['--drain-seconds', '600'] });
  await using _reader = await openReader(service);
  process.kill(service.pid, 'SIGTERM');
  await draining(service.baseUrl);
  process.kill(service.pid, 'SIGTERM');
  assert.deepEqual(await service.exited, [1, null]);
});

test(
  'a reader that takes too long is cut off, and does not take its rows for all',
  { timeout: testLimitMs },
  async () => {
    await using service = await ServiceProcess.start('source', { options: ['--drain-seconds', '0.5'] });
    await using reader = await openReader(service);
    const cut = once(reader.socket, 'error') as Promise<[NodeJS.ErrnoException]>;
    process.kill(service.pid, 'SIGTERM');
    assert.deepEqual(await service.exited, [0, null]);
    reader.socket.resume();
    assert.equal((await cut)[0].code, 'ECONNRESET');
  },
);
