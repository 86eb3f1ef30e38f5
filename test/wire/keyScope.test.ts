import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProjectError } from '../../src/base/errors.ts';
import { readOnlyKey } from '../../src/service/faults.ts';
import { hasScope, isReadOnlyKeyFault, keyScopeOf, wrongScope } from '../../src/wire/keyScope.ts';
import { decodeServiceError, encodeServiceError } from '../../src/wire/refusals.ts';
import { ServiceError } from '../../src/wire/serviceError.ts';

test('a record without a scope is that of a full key, and an unknown scope has no meaning', () => {
  assert.equal(keyScopeOf(undefined), 'full');
  assert.equal(keyScopeOf('read'), 'read');
  for (const unknown of [null, '', 'write', 'READ', 0, ['read']]) assert.equal(keyScopeOf(unknown), undefined);
});

test('the refusal of a write is known from its body, and no other refusal is taken for it', () => {
  const refusal = readOnlyKey();
  const decoded = decodeServiceError(refusal.status, encodeServiceError(refusal));
  assert.deepEqual([decoded.status, decoded.code, decoded.details], [403, 'forbidden', { scope: 'read' }]);
  assert.ok(isReadOnlyKeyFault(decoded));
  const message = 'No.';
  for (const other of [
    new ServiceError({ status: 403, code: 'forbidden', message }),
    new ServiceError({ status: 403, code: 'forbidden', message, details: { scope: 'other' } }),
    new ServiceError({ status: 400, code: 'sql_error', message, details: { scope: 'read' } }),
    new ProjectError('misuse', 'forbidden', message),
    { code: 'forbidden', details: { scope: 'read' } },
    undefined,
  ]) {
    assert.ok(!isReadOnlyKeyFault(other));
  }
});

test('a new key must only read if that was requested', () => {
  for (const [issued, requested] of [
    [{ scope: 'read' }, 'read'],
    [{}, 'full'],
    [{ scope: 'full' }, 'full'],
    [{}, undefined],
  ] as const) {
    assert.ok(hasScope(issued, requested));
  }
  for (const issued of [{}, { scope: 'full' }, { keyId: 'abc' }] as const) assert.ok(!hasScope(issued, 'read'));
  const { code, message } = wrongScope({ keyId: 'abc' });
  assert.equal(code, 'scope_not_offered');
  assert.match(message, /issued the key abc, which may write\. Revoke it/);
});
