import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Redactor } from '../../src/client/redactor.ts';
import { transportFault, wasNeverSent } from '../../src/client/transportFault.ts';

const of = (code: string, syscall?: string): Error => Object.assign(new Error(code), { code, syscall });

/** The error of Node.js for a name with several addresses. */
const each = (...errors: readonly Error[]): Error =>
  Object.assign(new AggregateError(errors), { code: 'EHOSTUNREACH' });

test('Retries: a statement was never sent only if connecting failed', () => {
  const redactor = new Redactor([]);
  const meaning = (thrown: Error): readonly [code: string, neverSent: boolean] => {
    const fault = transportFault(thrown, redactor, 'http://sql.test');
    return [fault.code, wasNeverSent(fault)];
  };
  assert.deepEqual(meaning(of('ECONNREFUSED')), ['connect_failed', true]);
  assert.deepEqual(meaning(of('ENOTFOUND', 'getaddrinfo')), ['connect_failed', true]);
  for (const code of ['EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'ECONNRESET']) {
    const refused = of(code, 'connect');
    for (const thrown of [refused, each(refused, of('ECONNREFUSED', 'connect'))]) {
      assert.deepEqual(meaning(thrown), ['connect_failed', true], code);
    }
    for (const thrown of [of(code, 'read'), of(code, 'write'), of(code), each(refused, of(code, 'read'))]) {
      assert.deepEqual(meaning(thrown), ['connection_lost', false], code);
    }
  }
});

const messageOf = (thrown: Error): string => transportFault(thrown, new Redactor([]), 'http://sql.test:9').message;

test('the error of a failed connection names the address, and the reason if it is known', () => {
  assert.equal(
    messageOf(of('ECONNREFUSED', 'connect')),
    'The service at http://sql.test:9 cannot be reached: nothing accepts connections there.',
  );
  assert.equal(messageOf(of('EACCES', 'connect')), 'The service at http://sql.test:9 cannot be reached.');
});
