import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { silentLogger } from '../../src/base/logger.ts';
import { connectProven } from '../../src/wire/provenConnection.ts';
import { decodeServiceFile } from '../../src/wire/serviceFile.ts';
import { testLimitMs } from '../support/hangLimits.ts';
import { PrometheusText } from '../support/prometheusText.ts';
import { type RawAnswer, rawCall, RawConnection, requestBytes } from '../support/rawHttp.ts';
import { ServiceProcess } from '../support/serviceProcess.ts';
import { openTestService } from '../support/testService.ts';

const json = { 'content-type': 'application/json' };
const codeIn = (body: string): string => (JSON.parse(body) as { code: string }).code;

/** A client that sends its calls on one connection as long as the service lets it. */
class KeepAliveClient implements AsyncDisposable {
  readonly #baseUrl: string;
  #connection: RawConnection | undefined;

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  /** Sends the call until it is answered. Only a refusal with a time to wait is followed by another attempt. */
  async call(bytes: Buffer): Promise<RawAnswer> {
    for (;;) {
      this.#connection ??= new RawConnection(this.#baseUrl);
      const answer = await this.#connection.send(bytes).answer();
      if (answer.headers['connection'] === 'close') await this[Symbol.asyncDispose]();
      if (answer.status !== 503) return answer;
      assert.equal(codeIn(answer.body), 'busy');
      assert.ok(Date.parse(answer.headers['retry-after'] ?? '') > 0, answer.headers['retry-after']);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection?.[Symbol.asyncDispose]();
    this.#connection = undefined;
  }
}

test('1,200 clients that keep their connections lose no call', { timeout: testLimitMs }, async () => {
  await using service = await ServiceProcess.start('source', { keepsErrors: true });
  const { baseUrl, projectId, apiKey } = await service.project();
  const path = `/serviceSql/projects/${projectId}/sql`;
  const headers = { ...json, 'x-api-key': apiKey };
  await using stack = new AsyncDisposableStack();
  const clients = Array.from({ length: 1200 }, () => stack.use(new KeepAliveClient(baseUrl)));
  for (let round = 0; round < 4; round++) {
    const bodies = await Promise.all(
      clients.map(async (client, i) => {
        const body = JSON.stringify({ sql: 'SELECT ? AS n', params: [i] });
        return (await client.call(requestBytes({ path, headers, body }))).body;
      }),
    );
    for (const [i, body] of bodies.entries()) assert.ok(body.startsWith(`{"rows":[{"n":${i}}]`), body);
  }
});

test('a full service answers calls as busy, and says so to its operator', { timeout: testLimitMs }, async () => {
  const warnings: string[] = [];
  const logger = { ...silentLogger, warn: (message: string) => void warnings.push(message) };
  await using service = await openTestService({ maxConnections: 10, logger });
  const { baseUrl, folder, projectId, apiKey, adminKey } = service;
  const admin = { 'x-api-key': adminKey };
  const lease = requestBytes({ path: '/serviceSql/admin/lease', headers: admin });
  const status = requestBytes({ path: `/serviceSql/projects/${projectId}/status`, headers: { 'x-api-key': apiKey } });
  const metric = async (name: string): Promise<number> =>
    new PrometheusText((await rawCall(baseUrl, requestBytes({ path: '/metrics', headers: admin }))).body).value(name);
  await service.client.close();
  await service.admin.close();
  // The call for the metrics has a connection itself.
  while ((await metric('sql_service_connections')) > 1);
  await using stack = new AsyncDisposableStack();
  const takeLease = async (): Promise<RawConnection> => {
    const connection = stack.use(new RawConnection(baseUrl).send(lease));
    await once(connection.socket, 'data');
    return connection;
  };
  const first = await takeLease();
  for (let leases = 1; leases < 10; leases++) await takeLease();

  for (let calls = 0; calls < 3; calls++) {
    const { status: code, headers, body } = await rawCall(baseUrl, status);
    assert.deepEqual([code, codeIn(body), headers['connection']], [503, 'busy', 'close']);
    assert.ok(Date.parse(headers['retry-after'] ?? '') > Date.parse(headers['date'] ?? ''), headers['retry-after']);
  }
  assert.equal(warnings.length, 1, 'the log says it once a minute');
  assert.match(warnings[0]!, /^All 10 connections are in use, .* raise --max-connections\.$/);
  assert.equal(await metric('sql_service_connections'), 10);
  assert.equal(await metric('sql_service_connections_max'), 10);
  for (const path of ['/healthz', '/readyz']) {
    assert.equal((await rawCall(baseUrl, requestBytes({ path }))).status, 200, path);
  }
  await takeLease();

  // A caller that wants a proof first learns that the service is busy, and does not take it for another program.
  const file = decodeServiceFile(await readFile(join(folder, 'service.json'), 'utf8'));
  assert.ok(file);
  await using proven = new RawConnection(baseUrl, await connectProven(file, connect));
  assert.equal((await proven.send(status).answer()).status, 503);

  await first[Symbol.asyncDispose]();
  while ((await rawCall(baseUrl, status)).status === 503);
  assert.equal((await rawCall(baseUrl, status)).status, 200);
});
