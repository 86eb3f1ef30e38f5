import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { decodeServiceFile } from '../../../src/wire/serviceFile.ts';
import { proofOf } from '../../../src/wire/serviceProof.ts';
import { openTestService } from '../../support/testService.ts';

const nonce = '0123456789abcdef'.repeat(4);

test('the service proves without a key that it knows the secret of its file, and shows nothing of it', async () => {
  await using service = await openTestService();
  const file = decodeServiceFile(await readFile(join(service.folder, 'service.json'), 'utf8'));
  assert.ok(file);
  const answer = await fetch(`${service.baseUrl}/serviceSql/admin/proof?nonce=${nonce}`);
  const text = await answer.text();
  assert.deepEqual(JSON.parse(text), { proof: await proofOf(file, nonce) });
  assert.ok(!text.includes(file.proofSecret) && !text.includes(file.adminKey));
});

test('the proof holds for one nonce, one address and one secret', async () => {
  const file = { baseUrl: 'http://127.0.0.1:4000', proofSecret: 'a'.repeat(64) };
  const proofs = await Promise.all([
    proofOf(file, nonce),
    proofOf(file, 'f'.repeat(64)),
    proofOf({ ...file, baseUrl: 'http://127.0.0.1:4001' }, nonce),
    proofOf({ ...file, proofSecret: 'b'.repeat(64) }, nonce),
  ]);
  assert.equal(new Set(proofs).size, proofs.length);
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

test('a rate limit that strangers use up keeps nobody from the proof', async () => {
  const clock = { now: () => 0, after: () => () => {} };
  await using service = await openTestService({ rateLimit: { perSecond: 1, burst: 2 }, clock });
  const statusOf = async (path: string): Promise<number> =>
    (await fetch(`${service.baseUrl}/serviceSql${path}`)).status;
  const statuses = [];
  for (let i = 0; i < 3; i++) statuses.push(await statusOf('/projects'));
  for (let i = 0; i < 3; i++) statuses.push(await statusOf(`/admin/proof?nonce=${nonce}`));
  assert.deepEqual(statuses, [401, 401, 429, 200, 200, 200]);
});
