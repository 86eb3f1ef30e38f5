import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endsAtClient, endsAtService, isProof, type ProofParts, proofOf } from '../../src/wire/serviceProof.ts';

const parts: ProofParts = {
  secret: 'a'.repeat(64),
  ends: { client: '127.0.0.1 50000', service: '127.0.0.1 4000' },
  nonce: '0123456789abcdef'.repeat(4),
};

const others: Readonly<Record<string, ProofParts>> = {
  secret: { ...parts, secret: 'b'.repeat(64) },
  nonce: { ...parts, nonce: 'f'.repeat(64) },
  client: { ...parts, ends: { ...parts.ends, client: '127.0.0.1 50001' } },
  service: { ...parts, ends: { ...parts.ends, service: '192.168.0.2 4000' } },
};

for (const [name, other] of Object.entries(others)) {
  test(`a proof does not hold for another ${name}`, async () => {
    const proof = await proofOf(parts);
    assert.equal(await isProof(proof, parts), true);
    assert.equal(await isProof(proof, other), false);
  });
}

for (const [name, atClient, atService] of [
  ['IPv4', ['127.0.0.1', '127.0.0.1'], ['127.0.0.1', '127.0.0.1']],
  ['IPv6', ['::1', '::1'], ['::1', '::1']],
  [
    'IPv4, of a service that listens on all addresses of IPv6,',
    ['127.0.0.1', '127.0.0.1'],
    ['::ffff:127.0.0.1', '::ffff:127.0.0.1'],
  ],
] as const) {
  test(`both sides of a connection over ${name} see the same ends`, () => {
    const client = { localAddress: atClient[0], localPort: 50_000, remoteAddress: atClient[1], remotePort: 4000 };
    const service = { localAddress: atService[1], localPort: 4000, remoteAddress: atService[0], remotePort: 50_000 };
    assert.deepEqual(endsAtClient(client), endsAtService(service));
    assert.notEqual(endsAtClient(client).client, endsAtClient(client).service);
  });
}
