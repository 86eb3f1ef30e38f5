import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { endlessRows } from '../support/endlessRows.ts';
import { stateLimitMs, testLimitMs } from '../support/hangLimits.ts';
import { rawCall, requestBytes } from '../support/rawHttp.ts';
import { openTestService, startTestService } from '../support/testService.ts';
import { sharedBrowser } from '../support/workbench/sharedBrowser.ts';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Serves an empty web page, from an origin of its own on this machine. */
async function servePage(): Promise<AsyncDisposable & { readonly origin: string }> {
  const server = createServer((_, answer) => {
    answer.setHeader('content-type', 'text/html');
    answer.end('<!doctype html><link rel="icon" href="data:,"><title>page</title>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const allowed = await servePage();
const foreign = await servePage();
after(async () => {
  await allowed[Symbol.asyncDispose]();
  await foreign[Symbol.asyncDispose]();
});
const origins = new Set([allowed.origin, 'https://app.example']);
const { baseUrl, projectId, apiKey, adminKey } = await startTestService({ origins });
const sqlUrl = `${baseUrl}/serviceSql/projects/${projectId}/sql`;

interface PageCall {
  readonly url: string;
  readonly method?: string;
  readonly key?: string;
  readonly sql?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Makes a call as the script of a page does. Gives undefined when the browser keeps the answer from the page. */
async function callFrom(page: Page, { url, method = 'POST', key = apiKey, sql, headers = {} }: PageCall) {
  const init = {
    method,
    headers: { 'content-type': 'application/json', 'x-api-key': key, ...headers },
    ...(sql !== undefined && { body: JSON.stringify({ sql }) }),
  };
  return page.evaluate(
    async call => {
      try {
        const answer = await fetch(call.url, call.init);
        const { status } = answer;
        return { status, headers: Object.fromEntries(answer.headers), body: (await answer.json()) as unknown };
      } catch {
        return undefined;
      }
    },
    { url, init },
  );
}

function answered<T>(answer: T | undefined): T {
  return answer ?? assert.fail('the browser keeps the answer from the page');
}

function pageTest(name: string, origin: string, body: (page: Page) => Promise<void>): void {
  test(name, { timeout: testLimitMs }, async () => {
    const context = await (await sharedBrowser()).newContext();
    try {
      context.setDefaultTimeout(stateLimitMs);
      const page = await context.newPage();
      await page.goto(origin);
      await body(page);
    } finally {
      await context.close();
    }
  });
}

pageTest('a page of an allowed origin runs statements, browses and lists tables', allowed.origin, async page => {
  const selected = answered(
    await callFrom(page, { url: sqlUrl, sql: 'SELECT 1 AS one', headers: { 'x-holder-id': 'local' } }),
  );
  assert.deepEqual([selected.status, (selected.body as { rows: unknown }).rows], [200, [{ one: 1 }]]);
  const tables = `${baseUrl}/serviceSql/projects/${projectId}/tables`;
  const listed = answered(await callFrom(page, { url: tables, method: 'GET' }));
  assert.ok((listed.body as { tables: string[] }).tables.includes('orders'));
  const browsed = answered(await callFrom(page, { url: `${tables}/orders/rows?limit=2`, method: 'GET' }));
  assert.equal((browsed.body as { rows: unknown[] }).rows.length, 2);
});

pageTest('a page of an allowed origin reads the first rows of an endless answer', allowed.origin, async page => {
  const init = { method: 'POST', headers: { 'content-type': 'application/json', 'x-api-key': apiKey } };
  const beginning = await page.evaluate(
    async call => {
      const leaving = new AbortController();
      const answer = await fetch(call.url, { ...call.init, body: call.body, signal: leaving.signal });
      const { value } = await answer.body!.getReader().read();
      leaving.abort();
      return new TextDecoder().decode(value);
    },
    { url: sqlUrl, init, body: JSON.stringify({ sql: endlessRows }) },
  );
  assert.ok(beginning.startsWith('{"rows":['), beginning.slice(0, 40));
});

pageTest('a page of an allowed origin reads errors, and that an answer is repeated', allowed.origin, async page => {
  const faulty = answered(await callFrom(page, { url: sqlUrl, sql: 'SELECT nope' }));
  const { code, details } = faulty.body as { code: string; details: unknown };
  assert.deepEqual([faulty.status, code, details], [400, 'sql_error', { offset: 7 }]);
  const stranger = await callFrom(page, { url: sqlUrl, sql: 'SELECT 1', key: 'sqlp_wrong' });
  assert.equal(stranger?.status, 401);
  const nowhere = await callFrom(page, { url: `${baseUrl}/nothing`, method: 'GET', key: '' });
  assert.equal(nowhere, undefined, 'its preflight is refused');
  const keyed = { url: sqlUrl, sql: 'SELECT 2 AS two', headers: { 'x-idempotency-key': 'twice' } };
  assert.equal((await callFrom(page, keyed))?.headers['x-idempotency-replayed'], undefined);
  assert.equal((await callFrom(page, keyed))?.headers['x-idempotency-replayed'], 'true');
});

pageTest(
  'a page of an allowed origin may neither administer the service nor ask for keys',
  allowed.origin,
  async page => {
    for (const path of ['/auth/issue', '/serviceSql/projects/init', '/serviceSql/admin/restore']) {
      assert.equal(await callFrom(page, { url: baseUrl + path, key: adminKey }), undefined, path);
    }
    for (const path of ['/metrics', '/serviceSql/admin/keys', '/serviceSql/admin/lease', '/healthz']) {
      assert.equal(await callFrom(page, { url: baseUrl + path, method: 'GET', key: adminKey }), undefined, path);
    }
  },
);

pageTest('the browser keeps a page of another origin from every answer', foreign.origin, async page => {
  assert.equal(await callFrom(page, { url: sqlUrl, sql: 'SELECT 1' }), undefined);
  assert.equal(await callFrom(page, { url: `${baseUrl}/healthz`, method: 'GET' }), undefined);
  // Without a header that needs a preflight, the request itself is sent.
  const reached = await page.evaluate(
    url =>
      fetch(url, { method: 'POST', body: '{}' }).then(
        () => true,
        () => false,
      ),
    sqlUrl,
  );
  assert.equal(reached, false);
});

pageTest('a page sees when it may try again after too many calls', allowed.origin, async page => {
  const rateLimit = { perSecond: 0.001, burst: 1 };
  await using limited = await openTestService({ origins: new Set([allowed.origin]), rateLimit });
  const url = `${limited.baseUrl}/serviceSql/projects/${limited.projectId}/status`;
  const call = { url, method: 'GET', key: limited.apiKey };
  assert.equal((await callFrom(page, call))?.status, 200);
  const refused = await callFrom(page, call);
  assert.equal(refused?.status, 429);
  const { 'retry-after': retryAfter = '', date = '' } = refused.headers;
  assert.ok(Date.parse(retryAfter) > Date.parse(date), `${retryAfter} is after the Date ${date}`);
});

const preflight = (origin: string, path: string, headers: Record<string, string> = {}) =>
  rawCall(
    baseUrl,
    requestBytes({
      method: 'OPTIONS',
      path,
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-api-key',
        ...headers,
      },
    }),
  );
const sqlPath = new URL(sqlUrl).pathname;

test('a preflight needs no key, and its answer names one origin and no cookies', async () => {
  const { status, headers } = await preflight('https://app.example', sqlPath);
  assert.equal(status, 204);
  assert.equal(headers['access-control-allow-origin'], 'https://app.example');
  assert.equal(headers['access-control-allow-methods'], 'POST');
  for (const name of ['content-type', 'x-api-key', 'x-holder-id', 'x-project-name', 'x-idempotency-key']) {
    assert.ok(headers['access-control-allow-headers']?.split(', ').includes(name), name);
  }
  assert.equal(headers['vary'], 'Origin');
  assert.equal(headers['access-control-allow-credentials'], undefined);
});

for (const origin of [
  'https://evil.example',
  'https://app.example.evil.example',
  'https://sub.app.example',
  'http://app.example',
  'https://app.example:8443',
  'https://app.example/',
  'HTTPS://APP.EXAMPLE',
  'https://app.example, https://evil.example',
  'null',
  '',
]) {
  test(`the origin "${origin}" is refused, and its answer allows nothing`, async () => {
    for (const answer of [
      await preflight(origin, sqlPath),
      await rawCall(baseUrl, requestBytes({ path: '/healthz', headers: { origin } })),
    ]) {
      assert.equal(answer.status, 403);
      assert.equal((JSON.parse(answer.body) as { code: string }).code, 'forbidden');
      assert.ok(!Object.keys(answer.headers).some(name => name.startsWith('access-control')));
    }
  });
}

test('a foreign host name is refused, also with an allowed origin', async () => {
  const { status, headers } = await preflight('https://app.example', sqlPath, { host: 'app.example' });
  assert.equal(status, 403);
  assert.equal(headers['access-control-allow-origin'], undefined);
});

test('an answer without an origin says to caches that another origin gets another answer', async () => {
  const { status, headers } = await rawCall(baseUrl, requestBytes({ path: '/healthz' }));
  assert.deepEqual([status, headers['vary'], headers['access-control-allow-origin']], [200, 'Origin', undefined]);
});

test('OPTIONS that is not a preflight is refused as every wrong method', async () => {
  const { status } = await rawCall(baseUrl, requestBytes({ method: 'OPTIONS', path: sqlPath }));
  assert.equal(status, 405);
});
