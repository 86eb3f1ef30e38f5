import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { Client, type ClientOptions, ServiceError } from '../../src/client/index.ts';
import { codeOf } from '../support/codeOf.ts';
import { HandClock } from '../support/handClock.ts';
import {
  type Answer,
  rejection,
  reply,
  reset,
  type ScriptedServer,
  stall,
  startScriptedServer,
  testClient,
} from '../support/scriptedServer.ts';

const tables = reply({ tables: ['t'] });
const listTables = (server: ScriptedServer, options: Partial<ClientOptions> = {}) =>
  testClient(server, options).listTables('p');

const breakOff: Answer = response => response.write('{"tables":[', () => response.socket?.resetAndDestroy());

const hang = async (): Promise<void> => new Promise(() => {});

function failOnBad({ url }: { readonly url: string }): void {
  if (url.includes('bad')) throw new Error('no');
}

test('Retries: a transient fault is retried until an answer arrives, three times by default', async () => {
  for (const fault of [reply({}, 429), reply({}, 500), reply({}, 503), reset]) {
    await using server = await startScriptedServer(fault, fault, fault, tables);
    assert.deepEqual(await listTables(server), ['t']);
    await using never = await startScriptedServer(fault);
    await rejection(listTables(never));
    assert.equal(never.requests.length, 4);
    await using off = await startScriptedServer(fault);
    await rejection(listTables(off, { retries: 0 }));
    assert.equal(off.requests.length, 1);
  }
});

test('Retries: the number of retries of a call replaces that of the client', async () => {
  await using server = await startScriptedServer(reply({}, 503));
  await using client = testClient(server, { retries: 0 });
  await rejection(client.listTables('p', { retries: 1 }));
  assert.equal(server.requests.length, 2);
});

test('Retries: a statement that may write is sent again only with an idempotency key, or after 429', async () => {
  const cases: readonly (readonly [fault: Answer, sql: string, key: string | undefined, requests: number])[] = [
    [reply({}, 500), 'DELETE FROM t', undefined, 1],
    [reset, 'DELETE FROM t', undefined, 1],
    [reply({}, 429), 'DELETE FROM t', undefined, 2],
    [reply({}, 500), 'DELETE FROM t', 'k', 2],
    [reset, 'DELETE FROM t', 'k', 2],
    [reset, 'SELECT 1', undefined, 2],
    [reset, 'SELECT 1; DELETE FROM t', undefined, 1],
    [reply({}, 500), 'SELECT 1; DELETE FROM t', 'k', 2],
    [reply('{"rows":[', 200), 'SELECT 1', undefined, 1],
  ];
  for (const [fault, sql, idempotencyKey, requests] of cases) {
    await using server = await startScriptedServer(fault, reply({ ok: true, row_count: 1 }));
    await using client = testClient(server);
    await client.execSql('p', { sql }, { idempotencyKey }).catch(() => {});
    assert.equal(server.requests.length, requests, `${sql} with ${idempotencyKey ?? 'no key'}`);
  }
});

test('Retries: a statement that the caller declares as reading is sent again without a key', async () => {
  for (const [isReadOnly, requests] of [[true, 2] as const, [false, 1] as const]) {
    await using server = await startScriptedServer(reset, reply({ rows: [], ok: true }));
    await using client = testClient(server);
    await client.execSql('p', { sql: 'WITH a AS (SELECT 1) SELECT * FROM a' }, { isReadOnly }).catch(() => {});
    assert.equal(server.requests.length, requests);
  }
});

test('Retries: a fault before the request is sent is retried even for a write without a key', async () => {
  const server = await startScriptedServer(stall);
  await using client = testClient(server, { baseUrl: server.url });
  await server[Symbol.asyncDispose]();
  assert.equal(codeOf(await rejection(client.execSql('p', { sql: 'DELETE FROM t' }))), 'transport/connect_failed');
  assert.deepEqual(client.waits, [300, 600, 1200]);
});

test('Retries: a body that breaks off is fetched again unless the call is a stream', async () => {
  await using server = await startScriptedServer(breakOff, tables);
  assert.deepEqual(await listTables(server), ['t']);
});

for (const [name, hour] of [
  ['ahead', '01'],
  ['behind', '23'],
] as const) {
  test(`Retries: a service whose clock is one hour ${name} is waited for as long as it asks`, async () => {
    const day = hour === '01' ? 'Thu, 01 Jan 2026' : 'Wed, 31 Dec 2025';
    const headers = { date: `${day} ${hour}:00:00 GMT`, 'retry-after': `${day} ${hour}:00:20 GMT` };
    for (const status of [429, 503]) {
      await using server = await startScriptedServer(reply({ message: 'slow down' }, status, headers), tables);
      await using client = testClient(server);
      assert.deepEqual(await client.listTables('p'), ['t']);
      assert.deepEqual(client.waits, [20_000]);
    }
  });
}

test('Retries: a Retry-After that is too long ends the call', async () => {
  for (const value of ['31', 'Fri, 31 Dec 9999 23:59:59 GMT', '99999999999']) {
    await using server = await startScriptedServer(reply({ message: 'slow down' }, 429, { 'retry-after': value }));
    await using client = testClient(server);
    const fault = await rejection(client.listTables('p'));
    assert.ok(fault instanceof ServiceError && fault.code === 'rate_limited' && (fault.retryAfter ?? 0) > 30_000);
    assert.deepEqual([client.waits, server.requests.length], [[], 1]);
  }
});

test('Retries: an abort during a wait ends it at once, with the signal’s reason', async () => {
  await using server = await startScriptedServer(reply({}, 503));
  const controller = new AbortController();
  const reason = new Error('enough');
  const clock = new HandClock();
  const onWait = (): void => queueMicrotask(() => controller.abort(reason));
  await using client = testClient(server, { clock, onWait });
  assert.equal(await rejection(client.listTables('p', { signal: controller.signal })), reason);
  assert.deepEqual([server.requests.length, clock.timerCount], [1, 0]);
});

test('Retries: an abort before the call or during it rejects with the reason and sends nothing further', async () => {
  await using server = await startScriptedServer(stall);
  await using client = testClient(server);
  assert.equal(await rejection(client.listTables('p', { signal: AbortSignal.abort('early') })), 'early');
  assert.equal(server.requests.length, 0);
  const controller = new AbortController();
  server.answers = [() => controller.abort('late')];
  assert.equal(await rejection(client.listTables('p', { signal: controller.signal })), 'late');
  assert.equal(server.requests.length, 1);
});

test('Events: each attempt logs a request and a response, also for 429, or a failure', async () => {
  await using server = await startScriptedServer(reply({}, 429, { 'retry-after': '1' }), reset, tables);
  const events: unknown[] = [];
  const logger: ClientOptions['logger'] = (event, { attempt, status }) => events.push([event, attempt, status]);
  await listTables(server, { logger });
  assert.deepEqual(events, [
    ['request', 1, undefined],
    ['response', 1, 429],
    ['request', 2, undefined],
    ['failure', 2, undefined],
    ['request', 3, undefined],
    ['response', 3, 200],
  ]);
});

test('Events: the response event shows Retry-After, and a logger that throws does not fail the call', async () => {
  await using server = await startScriptedServer(reply({}, 429, { 'retry-after': '1' }), tables);
  const seen: unknown[] = [];
  const logger: ClientOptions['logger'] = (_event, { headers }) => {
    seen.push((headers as Record<string, string>)['retry-after']);
    throw new Error('full disk');
  };
  assert.deepEqual(await listTables(server, { logger }), ['t']);
  assert.ok(seen.includes('1'));
});

test('Hooks: hooks run in order before each request, may be added later, and may set headers', async () => {
  await using server = await startScriptedServer(reply({}, 503), tables);
  await using client = testClient(server, { beforeHooks: [({ headers }) => headers.set('X-Correlation-ID', 'a')] });
  client.beforeHooks.push(async ({ headers, method, url }) => {
    await Promise.resolve();
    headers.append('x-correlation-id', `${method} ${new URL(url).pathname}`);
  });
  await client.listTables('p');
  assert.deepEqual(
    server.requests.map(({ headers }) => headers['x-correlation-id']),
    Array(2).fill('a, GET /serviceSql/projects/p/tables'),
  );
});

test('Hooks: a hook that throws fails only its call, before anything is sent', async () => {
  await using server = await startScriptedServer(tables);
  await using client = testClient(server, { beforeHooks: [failOnBad] });
  const [bad, good] = await Promise.all([rejection(client.listTables('bad')), client.listTables('good')]);
  assert.equal(codeOf(bad), 'misuse/hook_failed');
  assert.deepEqual([(bad as Error).cause instanceof Error, good, server.requests.length], [true, ['t'], 1]);
});

test('Hooks: a hook that never ends does not stop an abort, a timeout or closing the client', async () => {
  await using server = await startScriptedServer(tables);
  const controller = new AbortController();
  await using limited = new Client({ baseUrl: server.url, beforeHooks: [hang] });
  assert.equal(codeOf(await rejection(limited.listTables('p', { timeout: 5 }))), 'transport/timeout');
  const client = new Client({ baseUrl: server.url, beforeHooks: [hang] });
  const aborted = rejection(client.listTables('p', { signal: controller.signal }));
  const closed = rejection(client.listTables('p'));
  controller.abort('enough');
  assert.equal(await aborted, 'enough');
  await client.close();
  assert.equal(codeOf(await closed), 'closed/client_closed');
  assert.equal(server.requests.length, 0);
});

test('Hooks: a hook that aborts its own call ends it', async () => {
  await using server = await startScriptedServer(tables);
  for (const then of [async () => {}, async () => Promise.reject(new Error('no')), failOnBad]) {
    const controller = new AbortController();
    const abort = (request: { readonly url: string }) => (controller.abort('enough'), then(request));
    await using client = testClient(server, { beforeHooks: [abort] });
    assert.equal(await rejection(client.listTables('bad', { signal: controller.signal })), 'enough');
  }
  assert.equal(server.requests.length, 0);
});

test('Hooks: a hook does not see the key; a key that it sets is sent and redacted too', async () => {
  await using server = await startScriptedServer(reply({ message: 'no: other-canary' }, 403));
  const seen: string[] = [];
  const logged: unknown[] = [];
  await using client = testClient(server, {
    apiKey: 'canary-key',
    logger: (event, metadata) => logged.push(event, metadata),
    beforeHooks: [
      ({ headers }) => {
        seen.push(...headers.values());
        headers.set('X-API-Key', 'other-canary');
      },
    ],
  });
  const fault = await rejection(client.listTables('p'));
  assert.equal(server.requests[0]?.headers['x-api-key'], 'other-canary');
  assert.ok(!seen.join().includes('canary'));
  assert.ok(!inspect([fault, logged], { depth: 9, showHidden: true }).includes('canary'));
});
