import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asProjectError } from '../../../src/base/errors.ts';
import { Client } from '../../../src/client/index.ts';
import { addressesOf, findService, type FoundService } from '../../../src/host/management/findService.ts';
import { reply, startScriptedServer } from '../../support/scriptedServer.ts';
import { startSelfSignedServer } from '../../support/selfSignedServer.ts';

const find = (typed: string, pathPrefix?: string): Promise<FoundService> =>
  findService(typed, async address => new Client({ ...address, allowInsecure: true, retries: 0 }), {
    pathPrefix,
    signal: new AbortController().signal,
  });

const codeOf = (found: FoundService): string | undefined =>
  found.kind === 'fault' ? asProjectError(found.fault)?.code : undefined;

test('the scheme of an address may be left out, and only this machine is reached without encryption', () => {
  assert.deepEqual(addressesOf('sql.example.com/'), ['https://sql.example.com']);
  assert.deepEqual(addressesOf('https://sql.example.com'), ['https://sql.example.com']);
  assert.deepEqual(addressesOf('localhost:8080'), ['http://localhost:8080', 'https://localhost:8080']);
  assert.deepEqual(addressesOf('https://127.0.0.1:1'), ['https://127.0.0.1:1', 'http://127.0.0.1:1']);
});

test('a service that demands a key is found, with the prefix that it answers under', async () => {
  await using server = await startScriptedServer((response, request) =>
    (request.path === '/projects' ? reply({ message: 'A key is needed.' }, 401) : reply({ message: 'No.' }, 404))(
      response,
      request,
    ),
  );
  assert.deepEqual(await find(server.url), { kind: 'service', address: { baseUrl: server.url, pathPrefix: '' } });
});

test('a server of web pages is not an SQL service', async () => {
  await using server = await startScriptedServer(reply('<h1>Welcome</h1>'));
  assert.deepEqual(await find(server.url), { kind: 'noService', pathPrefixes: ['/serviceSql', ''] });
  assert.deepEqual(await find(server.url, '/own'), { kind: 'noService', pathPrefixes: ['/own'] });
});

test('a certificate that is not trusted is named, also when the address was typed without encryption', async () => {
  await using server = await startSelfSignedServer();
  assert.equal(codeOf(await find(server.url)), 'tls_failed');
  assert.equal(codeOf(await find(server.url.replace('https:', 'http:'))), 'tls_failed');
});

test('a service that fails, and an address without a server, are faults', async () => {
  await using server = await startScriptedServer(reply({ message: 'Down.' }, 503));
  assert.equal(codeOf(await find(server.url)), 'http_503');
  assert.equal(codeOf(await find('http://127.0.0.1:9')), 'connect_failed');
});
