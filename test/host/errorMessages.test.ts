import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../src/wire/serviceError.ts';
import { stubVscode } from '../support/vscodeStub.ts';

stubVscode();
const { errorMessage } = await import('../../src/host/errorMessages.ts');

const messageAfter = (retryAfter: number): string =>
  errorMessage(new ServiceError({ status: 429, code: 'rate_limited', message: 'Too many requests.', retryAfter }));

test('the wait that a busy service asks for reads as in the grid', () => {
  assert.equal(messageAfter(25_000), 'The service is busy. Try again in 25 s.');
  assert.equal(messageAfter(125_000), 'The service is busy. Try again in 2 min 5 s.');
  assert.equal(messageAfter(0), 'The service is busy. Try again in 1 s.');
});
