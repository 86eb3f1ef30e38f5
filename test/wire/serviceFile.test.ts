import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeServiceFile, encodeServiceFile } from '../../src/wire/serviceFile.ts';

const file = {
  baseUrl: 'http://127.0.0.1:4000',
  pathPrefix: '/serviceSql',
  adminKey: 'sqlp_x',
  proofSecret: 'a'.repeat(64),
  machine: 'here',
};

test('a service file is read as it was written', () =>
  assert.deepEqual(decodeServiceFile(encodeServiceFile(file)), file));

const refused: readonly (readonly [name: string, text: string])[] = [
  ['nothing', ''],
  ['half a file', encodeServiceFile(file).slice(0, 20)],
  ['no key', JSON.stringify({ ...file, adminKey: '' })],
  ['no secret', JSON.stringify({ ...file, proofSecret: undefined })],
  ['a short secret', JSON.stringify({ ...file, proofSecret: 'ab' })],
  ['another machine', JSON.stringify({ ...file, baseUrl: 'http://192.0.2.1:4000' })],
  ['another scheme', JSON.stringify({ ...file, baseUrl: 'https://127.0.0.1:4000' })],
];

for (const [name, text] of refused) {
  test(`${name} is refused, so that no admin key is sent there`, () =>
    assert.equal(decodeServiceFile(text), undefined));
}
