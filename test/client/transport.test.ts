import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { Agent } from 'undici';
import { Client, ServiceError, systemClock } from '../../src/client/index.ts';
import { codeOf } from '../support/codeOf.ts';
import { HandClock } from '../support/handClock.ts';
import { stateLimitMs } from '../support/hangLimits.ts';
import { startSelfSignedServer } from '../support/selfSignedServer.ts';
import {
  type Answer,
  openStream,
  rejection,
  reply,
  stall,
  startScriptedServer,
  testClient,
} from '../support/scriptedServer.ts';

/** Refuses with a body that begins like this and then continues for ever, a byte at a time. */
const drip =
  (beginning: string): Answer =>
  response => {
    response.writeHead(403, { 'content-type': 'application/json' });
    response.write(beginning);
    const timer = setInterval(() => response.write('a'), 20);
    response.on('close', () => clearInterval(timer));
  };

test('Redirects: a redirect is a refusal, and the key is not sent to its target', async () => {
  await using other = await startScriptedServer(reply({ tables: [] }));
  for (const status of [301, 302, 303, 307, 308]) {
    await using server = await startScriptedServer(
      reply('', status, { location: `${other.url}/serviceSql/projects/p/tables` }),
    );
    await using client = testClient(server, { apiKey: 'canary' });
    const fault = await rejection(client.listTables('p'));
    assert.ok(fault instanceof ServiceError && fault.status === status);
  }
  assert.equal(other.requests.length, 0);
});

test('Timeouts: an answer that does not begin and a silent body are transport errors', async () => {
  await using silent = await startScriptedServer(stall);
  await using client = testClient(silent, { headersTimeout: 30, retries: 0 });
  assert.equal(codeOf(await rejection(client.listTables('p'))), 'transport/headers_timeout');
  await using half = await startScriptedServer(openStream);
  await using reader = testClient(half, { bodyTimeout: 30, retries: 0 });
  assert.equal(codeOf(await rejection(reader.execSql('p', { sql: 'SELECT 1' }))), 'transport/body_timeout');
  const scanner = await reader.execSqlStream('p', { sql: 'SELECT 1' });
  assert.deepEqual(await Array.fromAsync(scanner), [{ a: 1 }, { a: 2 }]);
  assert.equal(codeOf(scanner.err()), 'transport/body_timeout');
});

const interim: Answer = response => response.writeEarlyHints({ link: '</a>; rel=preload' });

test('Timeouts: headersTimeout is retried like any lost answer, and an interim answer does not end it', async () => {
  await using server = await startScriptedServer(stall, interim, reply({ tables: ['t'] }));
  // On a busy machine, the third answer may come too late as well. The client asks again.
  await using client = testClient(server, { headersTimeout: 30, retries: 100 });
  assert.deepEqual(await client.listTables('p'), ['t']);
  const requestCount = server.requests.length;
  assert.ok(requestCount >= 3);
  assert.equal(client.waits.length, requestCount - 1);
  server.answers = [stall];
  const write = rejection(client.execSql('p', { sql: 'DELETE FROM t' }));
  assert.equal(codeOf(await write), 'transport/headers_timeout');
  assert.equal(server.requests.length, requestCount + 1);
});

test('Timeouts: waiting for a free connection does not count as waiting for headers', async () => {
  const { promise: held, resolve: hold } = Promise.withResolvers<ServerResponse>();
  await using server = await startScriptedServer(response => hold(response), reply({ tables: ['second'] }));
  const dispatcher = new Agent({ connections: 1, pipelining: 1 });
  const clock = new HandClock();
  await using client = testClient(server, { dispatcher, headersTimeout: 500, clock, retries: 0 });
  await using patient = testClient(server, { dispatcher, headersTimeout: 0, clock, retries: 0 });
  const first = patient.listTables('p');
  const response = await held;
  const second = client.listTables('p');
  // The call is queued with this turn of the event loop.
  await new Promise(setImmediate);
  clock.advance(10_000);
  response.end('{"tables":["first"]}');
  assert.deepEqual(await Promise.all([first, second]), [['first'], ['second']]);
  await dispatcher.destroy();
});

test('Timeouts: a refusal whose body never ends has its status and what came within bodyTimeout', async () => {
  await using server = await startScriptedServer(drip('{"code":"no_access",'));
  await using client = testClient(server, { bodyTimeout: 300, retries: 0 });
  const fault = await rejection(client.listTables('p'));
  assert.ok(fault instanceof ServiceError);
  assert.deepEqual([fault.status, fault.code, fault.message], [403, 'forbidden', fault.excerpt]);
  assert.ok(fault.excerpt.startsWith('{"code":"no_access"'));
});

test('Timeouts: the timeout and the signal of a call end it also while the body of a refusal is read', async () => {
  await using server = await startScriptedServer(drip('{'));
  await using client = testClient(server, { bodyTimeout: 0, clock: systemClock });
  assert.equal(codeOf(await rejection(client.listTables('p', { timeout: 50 }))), 'transport/timeout');
  const controller = new AbortController();
  server.answers = [(...call) => (drip('{')(...call), setTimeout(() => controller.abort('stop'), 50))];
  assert.equal(await rejection(client.listTables('p', { signal: controller.signal })), 'stop');
});

const openList: Answer = response => response.writeHead(200).write('{"tables":["a"');
const execute = (client: Client): Promise<unknown> => client.execSql('p', { sql: 'SELECT 1' });
const list = (client: Client): Promise<unknown> => client.listTables('p');

test(
  'Timeouts: the limits on headers, bodies and rows follow the clock of the client',
  { timeout: stateLimitMs },
  async () => {
    const limitMs = 3_600_000;
    for (const [answer, limit, call, code] of [
      [stall, 'headersTimeout', list, 'transport/headers_timeout'],
      [openStream, 'bodyTimeout', execute, 'transport/body_timeout'],
      [drip('{'), 'bodyTimeout', list, 'service/forbidden'],
      [openStream, 'rowTimeout', execute, 'transport/row_timeout'],
      [openList, 'rowTimeout', list, 'transport/row_timeout'],
    ] as const) {
      await using server = await startScriptedServer(answer);
      const clock = new HandClock();
      const none = { headersTimeout: 0, bodyTimeout: 0, rowTimeout: 0, retries: 0 };
      await using client = testClient(server, { ...none, [limit]: limitMs, clock });
      const fault = rejection(call(client));
      await clock.nextTimer();
      assert.equal(clock.nextMs, limitMs);
      clock.advance(limitMs);
      assert.equal(codeOf(await fault), code, limit);
      assert.equal(clock.timerCount, 0);
    }
  },
);

test('Timeouts: silence does not count while no reader waits for the next chunk', async () => {
  const { promise: held, resolve } = Promise.withResolvers<ServerResponse>();
  await using server = await startScriptedServer((response, request) => {
    openStream(response, request);
    resolve(response);
  });
  const clock = new HandClock();
  await using client = testClient(server, { bodyTimeout: 30, clock, retries: 0 });
  const paused = await client.execSqlStream('p', { sql: 'SELECT 1' });
  assert.ok(await paused.next({}));
  clock.advance(10_000);
  (await held).end(',{"a":3}],"ok":true}');
  assert.deepEqual(await Array.fromAsync(paused), [{ a: 2 }, { a: 3 }]);
});

test('Timeouts: the timeout of a call includes retries and waits, and for a stream ends when it begins', async () => {
  await using server = await startScriptedServer(stall);
  await using client = new Client({ baseUrl: server.url });
  assert.equal(codeOf(await rejection(client.listTables('p', { timeout: 20 }))), 'transport/timeout');
  await using open = await startScriptedServer(openStream);
  await using manual = testClient(open, {
    clock: { now: () => 0, after: (_, run) => (timers.push(run), () => timers.splice(0)) },
  });
  const timers: (() => void)[] = [];
  const scanner = await manual.execSqlStream('p', { sql: 'SELECT 1' }, { timeout: 20 });
  assert.equal(timers.length, 0);
  assert.ok(await scanner.next({}));
});

test('Encryption: a server without TLS or with an untrusted certificate fails the call at once', async () => {
  await using plain = await startScriptedServer(reply({ tables: [] }));
  await using client = testClient(plain, { baseUrl: plain.url.replace('http:', 'https:') });
  assert.equal(codeOf(await rejection(client.listTables('p'))), 'transport/tls_failed');
  assert.deepEqual([plain.requests.length, client.waits], [0, []]);
  await using strange = await startSelfSignedServer();
  await using wary = testClient(plain, { baseUrl: strange.url, apiKey: 'canary' });
  assert.equal(codeOf(await rejection(wary.listTables('p'))), 'transport/tls_failed');
  assert.deepEqual([strange.requests(), wary.waits], [0, []]);
});

test('Closing: close() rejects pending calls, ends streams and refuses later calls, and may be repeated', async () => {
  await using server = await startScriptedServer(openStream, stall);
  const client = testClient(server);
  const scanner = await client.execSqlStream('p', { sql: 'SELECT 1' });
  assert.ok(await scanner.next({}));
  const pending = rejection(client.listTables('p'));
  await Promise.all([client.close(), client.close()]);
  assert.equal(codeOf(await pending), 'closed/client_closed');
  await Array.fromAsync(scanner);
  assert.equal(codeOf(scanner.err()), 'closed/client_closed');
  assert.equal(codeOf(await rejection(client.listTables('p'))), 'closed/client_closed');
});

test('Draining: drain() lets open calls end, refuses later calls, and then frees the sockets', async () => {
  const { promise: held, resolve: hold } = Promise.withResolvers<ServerResponse>();
  await using server = await startScriptedServer((response, request) => {
    openStream(response, request);
    hold(response);
  });
  const client = testClient(server);
  const scanner = await client.execSqlStream('p', { sql: 'SELECT 1' });
  const drained = client.drain();
  assert.equal(codeOf(await rejection(client.listTables('p'))), 'closed/client_closed');
  (await held).end(',{"a":3}],"ok":true}');
  assert.deepEqual(await Array.fromAsync(scanner), [{ a: 1 }, { a: 2 }, { a: 3 }]);
  assert.equal(scanner.err(), undefined);
  await drained;
  await client.drain();
});

test('Draining: drain() closes an idle client at once, and close() does not wait for it', async () => {
  await using server = await startScriptedServer(stall);
  const idle = testClient(server);
  await idle.drain();
  const client = testClient(server);
  const pending = rejection(client.listTables('p'));
  const drained = client.drain();
  await client.close();
  assert.equal(codeOf(await pending), 'closed/client_closed');
  await drained;
});

test('Draining: close() ends drain() even if it waits for a stream that is not read', async () => {
  await using server = await startScriptedServer(openStream);
  const client = testClient(server);
  await client.execSqlStream('p', { sql: 'SELECT 1' });
  const drained = client.drain();
  await client.close();
  await drained;
  await client.drain();
});

test('Closing: close() rejects a call that waits for its next attempt', async () => {
  await using server = await startScriptedServer(reply({}, 503));
  const waiting = Promise.withResolvers<void>();
  const client = testClient(server, { clock: new HandClock(), onWait: () => waiting.resolve() });
  const pending = rejection(client.listTables('p'));
  await waiting.promise;
  await client.close();
  assert.equal(codeOf(await pending), 'closed/client_closed');
});
