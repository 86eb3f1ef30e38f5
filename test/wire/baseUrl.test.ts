import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { Client } from '../../src/client/index.ts';
import { codeOf } from '../support/codeOf.ts';
import { reply, startScriptedServer } from '../support/scriptedServer.ts';

const make =
  (baseUrl: string, allowInsecure = false) =>
  (): Client =>
    new Client({ baseUrl, allowInsecure });

test('Base URL: valid ones are accepted, and others refused without repeating them', async () => {
  for (const url of [
    'https://sql.example.com',
    'https://sql.example.com:8443/api/',
    'http://localhost:1',
    'http://127.1.2.3',
    'http://[::1]:5',
  ]) {
    assert.doesNotThrow(make(url), url);
  }
  for (const url of [
    '',
    'nowhere',
    'ftp://h',
    'https://canary:pw@h',
    'https://canary@h',
    'https://h?',
    'https://h/?q=canary',
    'https://h/#',
    'https://h#canary',
  ]) {
    assert.throws(
      make(url, true),
      (thrown: unknown) => codeOf(thrown) === 'misuse/invalid_base_url' && !inspect(thrown).includes('canary'),
      url,
    );
  }
  for (const url of [
    'http://sql.example.com',
    'http://10.0.0.1',
    'http://localhost.example.com',
    'http://128.0.0.1',
    'http://127.0.0.1.example.com',
  ]) {
    assert.throws(make(url), (thrown: unknown) => codeOf(thrown) === 'misuse/insecure_base_url', url);
    assert.doesNotThrow(make(url, true), url);
  }
});

test('Base URL: its path is the prefix of every path', async () => {
  await using server = await startScriptedServer(reply({ tables: [] }));
  await using client = new Client({ baseUrl: `${server.url}/deep/er/`, pathPrefix: '' });
  await client.listTables('p');
  assert.equal(server.requests[0]?.path, '/deep/er/projects/p/tables');
});
