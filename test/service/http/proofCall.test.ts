import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { decodeServiceFile } from '../../../src/wire/serviceFile.ts';
import { endsAtClient, proofOf } from '../../../src/wire/serviceProof.ts';
import { RawConnection, requestBytes } from '../../support/rawHttp.ts';
import { openTestService } from '../../support/testService.ts';

const nonce = '0123456789abcdef'.repeat(4);

test('the service proves without a key that it knows the secret of its file, and shows nothing of it', async () => {
  await using service = await openTestService();
  const file = decodeServiceFile(await readFile(join(service.folder, 'service.json'), 'utf8'));
  assert.ok(file);
  await using connection = new RawConnection(service.baseUrl);
  const { body } = await connection.send(requestBytes({ path: `/serviceSql/admin/proof?nonce=${nonce}` })).answer();
  const proof = await proofOf({ secret: file.proofSecret, ends: endsAtClient(connection.socket), nonce });
  assert.deepEqual(JSON.parse(body), { proof });
  assert.ok(!body.includes(file.proofSecret) && !body.includes(file.adminKey));
});

const wrongQueries = {
  'no nonce': '',
  'an empty nonce': '?nonce=',
  'a short nonce': `?nonce=${nonce.slice(1)}`,
  'a long nonce': `?nonce=${nonce}0`,
  'a nonce in capitals': `?nonce=${nonce.toUpperCase()}`,
  'a nonce that is not hexadecimal': `?nonce=${nonce.replaceAll('0', 'g')}`,
  'two nonces': `?nonce=${nonce}&nonce=${nonce}`,
};

test('the service proves nothing for a nonce in another format', async context => {
  await using service = await openTestService();
  for (const [name, query] of Object.entries(wrongQueries)) {
    await context.test(name, async () => {
      const answer = await fetch(`${service.baseUrl}/serviceSql/admin/proof${query}`);
      const { code, proof } = (await answer.json()) as Record<string, unknown>;
      assert.deepEqual([answer.status, code, proof], [400, 'bad_request', undefined]);
    });
  }
});

test('a rate limit that strangers use up does not refuse the proof', async () => {
  const clock = { now: () => 0, after: () => () => {} };
  await using service = await openTestService({ rateLimit: { perSecond: 1, burst: 2 }, clock });
  const statusOf = async (path: string): Promise<number> =>
    (await fetch(`${service.baseUrl}/serviceSql${path}`)).status;
  const statuses = [];
  for (let i = 0; i < 3; i++) statuses.push(await statusOf('/projects'));
  for (let i = 0; i < 3; i++) statuses.push(await statusOf(`/admin/proof?nonce=${nonce}`));
  assert.deepEqual(statuses, [401, 401, 429, 200, 200, 200]);
});
