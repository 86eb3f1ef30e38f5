import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { type ClientOptions, ProjectError, ServiceError } from '../../src/client/index.ts';
import { codeOf } from '../support/codeOf.ts';
import {
  type Answer,
  rejection,
  reply,
  reset,
  type ScriptedServer,
  startScriptedServer,
  testClient,
} from '../support/scriptedServer.ts';

const listTables = (server: ScriptedServer, options: Partial<ClientOptions> = {}) =>
  testClient(server, options).listTables('p');

/** Everything that an error shows, in every way to show it. */
function shown(value: unknown): string {
  const error = value as Error;
  return [
    inspect(value, { depth: 9, showHidden: true }),
    JSON.stringify(value),
    String(error?.stack),
    String(value),
  ].join();
}

test('Redaction: a key is in no event, error, message, cause or stack, however the service echoes it', async () => {
  const key = 'canary "ключ"/é\\%'.replace(/[^\u0020-\u00ff]/g, '');
  const spellings = [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key), key.trim()];
  const echo = JSON.stringify({
    message: key,
    error: key,
    code: key,
    details: { [key]: [key] },
    rows: [{ a: key }],
    ok: false,
  });
  const answers: readonly Answer[] = [
    reply(echo, 400),
    reply(echo, 200),
    reply(echo.replace('canary', '\\u0063anary'), 500),
    reply(`<html>${key}</html>`, 502),
    reply(`${'x'.repeat(4090)}${key}`, 400),
    reply(`{"rows":[{"a":1}],"ok":false,"message":${JSON.stringify(key)}}`),
    reply(Buffer.concat([Buffer.from(`{"tables":"${encodeURIComponent(key)}`), Buffer.from([0xff])])),
    reply(`{"tables": ${key}`),
    reply({}, 302, { location: `https://elsewhere/${encodeURIComponent(key)}`, 'x-echo': encodeURIComponent(key) }),
    response => response.socket?.end(`HTTP/1.1 200 OK\r\n${encodeURIComponent(key)}\r\n\r\n`),
    response => response.socket?.end(`not HTTP at all ${encodeURIComponent(key)}`),
    reset,
  ];
  for (const answer of answers) {
    await using server = await startScriptedServer(answer);
    const logged: unknown[] = [];
    await using client = testClient(server, { apiKey: key, logger: (...event) => logged.push(event) });
    const faults = [await rejection(client.listTables('p')), await rejection(client.execSql('p', { sql: 'SELECT 1' }))];
    const stream = await client.execSqlStream('p', { sql: 'SELECT 1' }).catch((thrown: unknown) => thrown);
    const everything = shown([faults, logged, stream, client]) + faults.map(shown).join();
    for (const fault of faults) assert.ok(fault instanceof ProjectError, inspect(fault));
    for (const spelling of spellings) assert.ok(!everything.includes(spelling), everything);
    assert.ok(server.requests.every(({ headers }) => headers['x-api-key'] !== undefined));
    assert.ok(everything.includes('[redacted]'));
  }
  assert.throws(
    () => testClient({ url: 'https://h' } as ScriptedServer, { apiKey: 'canary\nkey' }),
    (thrown: unknown) => !shown(thrown).includes('canary'),
  );
});

test('Redaction: a key shows in no other spelling either, wherever the service puts it', async () => {
  const key = 'k/1+2xyz-canary';
  const base64 = Buffer.from(`user:${key}`).toString('base64');
  const inJson = JSON.stringify({ message: 'm', error: 'e', code: 'c', details: { d: 'd' }, ok: false });
  for (const spelling of ['k%2f1%2b2xyz-canary', 'K&#x2f;1&plus;2xyz-Canary', 'k\\u002f1\\u002B2xyz-canary', base64]) {
    const body = inJson.replaceAll(/"([mecd])"/g, (_all, name: string) => `"${name} ${spelling}"`);
    const headers = { 'x-echo': spelling, location: `https://elsewhere/?key=${spelling}` };
    for (const answer of [reply(body, 400, headers), reply(body, 200, headers), reply(spelling, 502, headers)]) {
      await using server = await startScriptedServer(answer);
      const logged: unknown[] = [];
      await using client = testClient(server, { apiKey: key, retries: 0, logger: (...event) => logged.push(event) });
      const faults = [
        await rejection(client.listTables(`p-${key}`)),
        await rejection(client.execSql('p', { sql: 'SELECT 1' })),
      ];
      const everything = shown([faults, logged]) + faults.map(shown).join();
      assert.ok(!everything.toLowerCase().includes('xyz-canary') && !everything.includes(base64.slice(8)), everything);
      assert.ok(everything.includes('[redacted]'));
    }
  }
});

function setSecrets({ headers }: { readonly headers: Headers }): void {
  headers.set('x-api-key', 'hook-canary');
  headers.set('authorization', 'Bearer token-4711-a');
}

test('Redaction: what a hook sets as key or authorization is removed too, also if the hook fails', async () => {
  await using server = await startScriptedServer(reply({ message: 'no: token%2D4711-a and hook%2Dcanary' }, 403));
  await using client = testClient(server, { beforeHooks: [setSecrets] });
  const fault = await rejection(client.listTables('p'));
  assert.equal((fault as Error).message, '[redacted]');
  client.beforeHooks.push(() => {
    throw new Error('bad token-4711-a, hook-canary');
  });
  const failed = await rejection(client.listTables('p'));
  assert.equal(((failed as Error).cause as Error).message, 'bad [redacted], [redacted]');
});

function setCookies({ headers }: { readonly headers: Headers }): void {
  headers.set('cookie', 'lang=en; sid=s-4711/canary;theme="quoted canary"; mode=dark');
}

test('Redaction: each long value of a cookie that a hook sets is removed, and short ones are not', async () => {
  const message = 'en: no session s-4711/canary, no theme "quoted canary"; dark';
  await using server = await startScriptedServer(reply({ message }, 403));
  await using client = testClient(server, { beforeHooks: [setCookies] });
  const fault = await rejection(client.listTables('p'));
  assert.equal((fault as Error).message, 'en: no session [redacted], no theme "[redacted]"; dark');
});

test('Errors: a refusal keeps status, code, message, details and at most 4 KB of the body', async () => {
  const body = JSON.stringify({
    ok: false,
    message: 'near x',
    code: 'sql_error',
    details: { offset: 3 },
    filler: 'é'.repeat(5000),
  });
  await using server = await startScriptedServer(reply(body, 400));
  const fault = await rejection(listTables(server));
  assert.ok(fault instanceof ServiceError);
  assert.deepEqual([fault.kind, fault.status, fault.code, fault.message], ['service', 400, 'sql_error', 'near x']);
  assert.deepEqual(fault.details, { offset: 3 });
  assert.ok(body.startsWith(fault.excerpt));
  assert.ok(Buffer.byteLength(fault.excerpt) <= 4096 && Buffer.byteLength(fault.excerpt) > 4000);
});

test('Errors: an answer that is cut off reports its own error', async () => {
  const cases: readonly (readonly [rows: string, details: string, expected: object])[] = [
    [
      '[{"id":9007199254740993}]',
      '{"id":9007199254740993,"at":[1.5,null]}',
      { id: 9007199254740993n, at: [1.5, null] },
    ],
    ['[{"id":1}]', '{"4711":[4711,"4711"]}', { '[redacted]': ['[redacted]', '[redacted]'] }],
  ];
  for (const [rows, details, expected] of cases) {
    await using server = await startScriptedServer(
      reply(`{"rows":${rows},"ok":false,"code":"statement_timeout","message":"4711 s","details":${details}}`),
    );
    await using client = testClient(server, { apiKey: '4711' });
    const fault = await rejection(client.browseRows('p', 't'));
    assert.ok(fault instanceof ServiceError, inspect(fault));
    assert.deepEqual([fault.code, fault.message, server.requests.length], ['statement_timeout', '[redacted] s', 1]);
    assert.deepEqual(fault.details, expected);
  }
});

test('Errors: a message beyond the excerpt is used, and at most 64 KiB of a refusal are read', async () => {
  const [short, long] = [60_000, 70_000].map(
    length => `{"x":"${'x'.repeat(length)}","code":"c","message":"m canary-key"}`,
  );
  await using server = await startScriptedServer(reply(short!, 400), reply(long!, 400));
  await using client = testClient(server, { apiKey: 'canary-key', retries: 0 });
  const fault = await rejection(client.listTables('p'));
  assert.ok(fault instanceof ServiceError);
  assert.deepEqual([fault.code, fault.message], ['c', 'm [redacted]']);
  assert.equal(fault.excerpt, short!.slice(0, 4096));
  const cut = await rejection(client.listTables('p'));
  assert.ok(cut instanceof ServiceError);
  assert.deepEqual([cut.code, cut.message], ['bad_request', cut.excerpt]);
});

test('Errors: an excerpt that ends within a key or a character is cut before it', async () => {
  await using server = await startScriptedServer(
    reply(`${'x'.repeat(4090)}canary-key`, 400),
    reply('é'.repeat(3000), 400),
  );
  await using client = testClient(server, { apiKey: 'canary-key', retries: 0 });
  const cutKey = await rejection(client.listTables('p'));
  assert.ok(cutKey instanceof ServiceError);
  assert.equal(cutKey.excerpt, `${'x'.repeat(4090)}[redacted]`.slice(0, 4096));
  const characters = await rejection(client.listTables('p'));
  assert.ok(characters instanceof ServiceError);
  assert.equal(characters.excerpt, 'é'.repeat(2048));
});

test('Errors: a refusal in any shape has a code and a message', async () => {
  const cases: readonly (readonly [body: string, status: number, code: string, message: RegExp])[] = [
    ['{"message":"m"}', 429, 'rate_limited', /^m$/],
    ['{"error":"e"}', 401, 'unauthenticated', /^e$/],
    ['not json', 503, 'http_503', /^not json$/],
    ['', 500, 'http_500', /500/],
    ['[]', 418, 'http_418', /./],
    ['', 307, 'http_307', /307/],
  ];
  for (const [body, status, code, message] of cases) {
    await using server = await startScriptedServer(reply(body, status));
    const fault = await rejection(listTables(server, { retries: 0 }));
    assert.ok(fault instanceof ServiceError);
    assert.deepEqual([fault.status, fault.code], [status, code]);
    assert.match(fault.message, message);
  }
});

test('Errors: a refusal whose body breaks off is still that refusal', async () => {
  await using server = await startScriptedServer(response => {
    response.writeHead(403, { 'content-length': '100' });
    response.write('{"message":', () => response.socket?.resetAndDestroy());
  });
  assert.equal(codeOf(await rejection(listTables(server))), 'service/forbidden');
});

test('Errors: an answer that is not HTTP is a protocol error', async () => {
  await using server = await startScriptedServer(response => response.socket?.end('220 mail.example.com\r\n\r\n'));
  assert.equal(codeOf(await rejection(listTables(server))), 'protocol/invalid_http');
});
