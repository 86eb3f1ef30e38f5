import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProjectError } from '../../../src/base/errors.ts';
import { statementFault } from '../../../src/host/running/statementFault.ts';
import { ServiceError } from '../../../src/wire/serviceError.ts';

interface ErrorOptions {
  readonly code?: string;
  readonly status?: number;
  readonly offset?: number;
}

/** An error as the client throws it for an answer of the service. */
function serviceError(message: string, { code = 'sql_error', status = 400, offset }: ErrorOptions = {}): Error {
  return new ServiceError({ status, code, message, details: offset === undefined ? undefined : { offset } });
}

function faultyText(sql: string, error: Error): string | undefined {
  const fault = statementFault(sql, error, error.message);
  return fault && sql.slice(fault.start, fault.end);
}

test('a fault is at the exact token whose name comes several times, also after characters of several bytes', () => {
  const sql = `SELECT 'ä😀', nope AS "nope" FROM t WHERE nope`;
  const last = sql.lastIndexOf('nope');
  const fault = statementFault(sql, serviceError('no such column: nope', { offset: last }), '');
  assert.deepEqual([fault?.start, fault?.end], [last, last + 4]);
});

test('a fault behind named parameters is at its place in the text of the user', () => {
  const sql = `SELECT ':a', :a, $long_name, ?12 /* :a */, nope, :table FROM t`;
  const sent = `SELECT ':a', ?, ?, ? /* :a */, nope, ? FROM t`;
  for (const [message, word, marked] of [
    ['no such column: nope', 'nope', 'nope'],
    ['near "?": syntax error', '? FROM', ':table'],
    ['near "FROM": syntax error', 'FROM', 'FROM'],
  ] as const) {
    assert.equal(faultyText(sql, serviceError(message, { offset: sent.indexOf(word) })), marked, message);
  }
  assert.equal(faultyText(sql, serviceError('no such column: nope')), 'nope', 'without an offset');
});

const insert = 'INSERT INTO pets VALUES (1)';
const tooSlow = { code: 'statement_timeout', status: 504 };

for (const [what, sql, error, marked] of [
  ['at the word at its offset', 'SELECT nope FROM t', serviceError('no such column: nope', { offset: 7 }), 'nope'],
  ['at the name in its message', 'SELECT * FROM later', serviceError('no such table: later'), 'later'],
  ['where our own parser finds it', 'SELECT 1 FRM t WHERE', serviceError('near "t": syntax error'), 't'],
  ['the whole statement without a position', insert, serviceError('CHECK constraint failed: id > 1'), insert],
  ['the whole statement if it took too long', insert, serviceError('too slow', tooSlow), insert],
] as const) {
  test(`a fault is ${what}`, () => assert.equal(faultyText(sql, error), marked));
}

test('a fault has the code of the error and the message for the user', () => {
  const fault = statementFault('SELECT nope', serviceError('no such column: nope'), 'Nope.');
  assert.equal(fault?.code, 'sql_error');
  assert.equal(fault.message, 'Nope.');
});

const otherCauses = {
  'a rejected key': serviceError('Bad key.', { code: 'unauthenticated', status: 401 }),
  'a missing project': serviceError('No such project.', { code: 'project_not_found', status: 404 }),
  'a rate limit': serviceError('Too many calls.', { code: 'rate_limited', status: 429 }),
  'a broken service': serviceError('Oops.', { code: 'http_500', status: 500 }),
  'a lost connection': new ProjectError('transport', 'connection_lost', 'Connection lost.'),
  'an error of another kind': new Error('no such column: nope'),
};

for (const [cause, error] of Object.entries(otherCauses)) {
  test(`${cause} is not a fault of the statement`, () =>
    assert.equal(statementFault('SELECT nope', error, ''), undefined));
}
