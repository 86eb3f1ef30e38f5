import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPlainRead, parseRetryAfter, retryDelay } from '../../src/client/retryRules.ts';
import { type ErrorKind, ProjectError } from '../../src/base/errors.ts';
import { ServiceError } from '../../src/wire/serviceError.ts';

const clock = { now: () => Date.parse('2026-01-01T00:00:00Z'), after: () => () => {} };

test('Retries: Retry-After is read as seconds or as a date, and ignored if it is neither', () => {
  const cases: readonly (readonly [value: string | undefined, milliseconds: number | undefined])[] = [
    ['0', 0],
    ['7', 7000],
    [' 7 ', 7000],
    ['99999999999999', 99_999_999_999_999_000],
    ['Thu, 01 Jan 2026 00:00:05 GMT', 5000],
    ['Thursday, 01-Jan-26 00:00:05 GMT', 5000],
    ['Thu Jan  1 00:00:05 2026', 5000],
    ['Wed, 21 Oct 2015 07:28:00 GMT', 0],
    ['Fri, 31 Dec 9999 23:59:59 GMT', Date.UTC(9999, 11, 31, 23, 59, 59) - clock.now()],
    ['Thu, 99 Jan 2026 00:00:05 GMT', undefined],
    ['soon', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['1e3', undefined],
    ['2026-01-01T00:00:05Z', undefined],
    ['', undefined],
    [undefined, undefined],
  ];
  for (const [value, milliseconds] of cases) {
    assert.equal(parseRetryAfter(value, clock), milliseconds, value);
  }
});

test('Retries: a date in Retry-After is compared with the Date of its answer, if that is one', () => {
  const cases: readonly (readonly [sentAt: string | undefined, milliseconds: number])[] = [
    ['Thu, 01 Jan 2026 01:00:00 GMT', 5000],
    [' Thu, 01 Jan 2026 01:00:00 GMT ', 5000],
    ['Thu, 01 Jan 2026 01:00:10 GMT', 0],
    ['now', 3_605_000],
    [undefined, 3_605_000],
  ];
  for (const [sentAt, milliseconds] of cases) {
    assert.equal(parseRetryAfter('Thu, 01 Jan 2026 01:00:05 GMT', clock, sentAt), milliseconds, sentAt);
  }
  assert.equal(parseRetryAfter('7', clock, 'Thu, 01 Jan 2026 01:00:00 GMT'), 7000, 'seconds need no clock');
});

const rules = { retries: 3, backoff: { first: 300, max: 3000 }, maxRetryDelay: 30_000, random: () => 1 };
const fault = (kind: ErrorKind, code = 'x'): ProjectError => new ProjectError(kind, code, '');
const answered = (status: number, retryAfter?: number): ServiceError =>
  new ServiceError({ status, code: 'x', message: '', retryAfter });

function waitOf(attempt: number, random: number, retries = 9): number | undefined {
  return retryDelay({ ...rules, retries, random: () => random }, { attempt, fault: answered(503), isRepeatable: true });
}

test('Retries: waits double up to the maximum, with a jitter of 50 to 100 %', () => {
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6].map(attempt => waitOf(attempt, 1)),
    [300, 600, 1200, 2400, 3000, 3000],
  );
  assert.deepEqual(
    [1, 2, 5].map(attempt => waitOf(attempt, 0)),
    [150, 300, 1500],
  );
  assert.equal(waitOf(4, 1, 3), undefined);
  assert.equal(waitOf(1, 1, 0), undefined);
});

test('Retries: a longer Retry-After wins, and one beyond maxRetryDelay ends the call', () => {
  const waits = [0, 100, 5000, 30_000, 30_001].map(retryAfter =>
    retryDelay(rules, { attempt: 1, fault: answered(429, retryAfter), isRepeatable: true }),
  );
  assert.deepEqual(waits, [300, 300, 5000, 30_000, undefined]);
});

test('Retries: faults are retried depending on whether the call may be sent twice', () => {
  const cases: readonly (readonly [fault: unknown, isRepeatable: boolean, once: boolean])[] = [
    [answered(429), true, true],
    [answered(500), true, false],
    [answered(502), true, false],
    [answered(503), true, false],
    [answered(504), true, false],
    [answered(599), true, false],
    [answered(400), false, false],
    [answered(409), false, false],
    [answered(302), false, false],
    [answered(200), false, false],
    [fault('transport', 'connect_failed'), true, true],
    [fault('transport', 'connect_timeout'), true, true],
    [fault('transport', 'connection_lost'), true, false],
    [fault('transport', 'headers_timeout'), true, false],
    [fault('protocol'), false, false],
    [fault('closed'), false, false],
    [fault('misuse'), false, false],
    [new Error('of another family'), false, false],
  ];
  for (const [one, isRepeatable, once] of cases) {
    assert.equal(retryDelay(rules, { attempt: 1, fault: one, isRepeatable: true }) !== undefined, isRepeatable);
    assert.equal(retryDelay(rules, { attempt: 1, fault: one, isRepeatable: false }) !== undefined, once);
  }
});

test('Retries: only a SELECT or VALUES without a semicolon within it counts as reading', () => {
  const reads = [
    'SELECT 1',
    ' \n select 1',
    '\uFEFF\r\n\t\fSELECT 1',
    'SELECT 1;',
    'SELECT 1 ; \n',
    'SELECT/**/1',
    'SELECT -1 - -1 / 2 * 3, a.[b c], :name, @b, $c::d, ?1',
    'SELECT 1 --',
    'VALUES(1)',
  ];
  const writes = [
    'DELETE FROM t',
    'WITH a AS (SELECT 1) DELETE FROM t',
    'PRAGMA x=1',
    '-- SELECT',
    '-- SELECT\nDELETE FROM t',
    '/* SELECT */ DELETE FROM t',
    'selection',
    'SELECT1',
    'SELECT_1',
    'SELECTé',
    '',
    ';',
    '; SELECT 1',
    '(SELECT 1)',
    'SELECT 1; DELETE FROM t',
    'SELECT 1;;\n-- and\n/* now */ DELETE FROM t',
    'VALUES(1);DELETE FROM t',
    'EXPLAIN ANALYZE DELETE FROM t',
    "SELECT '\\'; DELETE FROM t; --'",
    "SELECT ''';'; DELETE FROM t",
    "SELECT $a('); DELETE FROM t; --')",
    'SELECT [a]; DELETE FROM t; --]',
    'SELECT 1 --\n; DELETE FROM t',
    'SELECT 1 /* /* */; DELETE FROM t --*/',
    'SELECT 1; DELETE FROM t /*',
    "SELECT '; DELETE FROM t",
  ];
  for (const sql of reads) assert.ok(isPlainRead(sql), sql);
  for (const sql of writes) assert.ok(!isPlainRead(sql), sql);
});

test('Retries: a long statement is judged in time that grows with its length only', () => {
  const length = 1 << 20;
  const texts = [
    ' '.repeat(length),
    `SELECT${' '.repeat(length)};${' '.repeat(length)}x`,
    `SELECT 1 ${';'.repeat(length)}`,
    `SELECT 1 ${'; '.repeat(length / 2)}`,
    `SELECT ${'a'.repeat(length)}`,
    'SELECT'.repeat(length / 6),
  ];
  // Quadratic work would take hours.
  for (const text of texts) isPlainRead(text);
});
