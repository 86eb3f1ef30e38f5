import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeKeeperAnswer, decodeKeeperFile, decodeKeeperStart, encodeKeeperFile } from '../../src/wire/keeper.ts';

const file = { port: 4000, token: 'token' };

test('what is written is read back', () => assert.deepEqual(decodeKeeperFile(encodeKeeperFile(file)), file));

for (const text of ['', '{', '{"port":0,"token":"t"}', '{"port":65536,"token":"t"}', '{"port":1,"token":""}']) {
  test(`no keeper is found by ${text || 'an empty file'}`, () => assert.equal(decodeKeeperFile(text), undefined));
}

test('an answer is an address, or a fault with its code', () => {
  assert.deepEqual(decodeKeeperAnswer('{"baseUrl":"http://127.0.0.1:1"}'), { baseUrl: 'http://127.0.0.1:1' });
  assert.deepEqual(decodeKeeperAnswer('{"code":"c","message":"m"}'), { code: 'c', message: 'm' });
  for (const line of ['', 'HTTP/1.1 400 Bad Request', '{}', '[]']) assert.equal(decodeKeeperAnswer(line), undefined);
});

test('a start is told as one of three outcomes', () => {
  assert.deepEqual(decodeKeeperStart('{"outcome":"ready"}'), { outcome: 'ready' });
  assert.deepEqual(decodeKeeperStart('{"outcome":"taken"}'), { outcome: 'taken' });
  const failed = { outcome: 'failed', code: 'c', message: 'm' };
  assert.deepEqual(decodeKeeperStart(JSON.stringify(failed)), failed);
  for (const line of ['', '{"outcome":"failed"}', 'warning']) assert.equal(decodeKeeperStart(line), undefined);
});
