import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeSqlRequest, encodeSqlRequest } from '../../src/wire/sqlRequest.ts';
import { Real, type SqlParameter } from '../../src/wire/values.ts';

const cases: readonly (readonly [json: string, value: SqlParameter])[] = [
  ['5', 5],
  ['5.0', new Real(5)],
  ['5e0', new Real(5)],
  ['5.5', 5.5],
  ['0', 0],
  ['-0', 0],
  ['-0.0', new Real(-0)],
  ['9007199254740993', 9_007_199_254_740_993n],
  ['9007199254740993.0', 9_007_199_254_740_992],
  ['1e+21', 1e21],
  ['9e999', Infinity],
  ['"5.0"', '5.0'],
];
for (const [json, value] of cases) {
  test(`the parameter ${json} is ${typeof value === 'bigint' ? 'a bigint' : JSON.stringify(value)}`, () =>
    assert.deepEqual(decodeSqlRequest(`{"sql":"SELECT ?","params":[${json}]}`), { sql: 'SELECT ?', params: [value] }));
}

test('an object is not a valid parameter', () =>
  assert.equal(
    decodeSqlRequest('{"sql":"SELECT ?","params":[{"real":5.0}]}'),
    'Parameter 1 must be null, a boolean, a number or a string.',
  ));

test('a REAL is recognised beside a key with an escape', () =>
  assert.deepEqual(decodeSqlRequest('{"sq\\u006c":"SELECT ?","params":[5.0]}'), {
    sql: 'SELECT ?',
    params: [new Real(5)],
  }));

test('texts are read exactly without numbers and without escapes in keys, and with them', () => {
  const params = ['a "quoted" text', '\\', '[1,"x"]', '5.0', null, true];
  const values = JSON.stringify(params);
  for (const body of [
    `{"sql":"SELECT 1","params":${values}}`,
    String.raw`{"\\":"","sql":"SELECT 1","params":${values}}`,
    String.raw`{"\"":"","sql":"SELECT 1","params":${values}}`,
    `{"sql":"SELECT 1","params":${values},"other":[[[1.0]]]}`,
  ]) {
    assert.deepEqual(decodeSqlRequest(body), { sql: 'SELECT 1', params });
  }
});

test('a request is decoded as it was encoded', () => {
  const params = [5, new Real(5), new Real(-0), new Real(0.1), new Real(2 ** 60), 2n ** 60n];
  const body = encodeSqlRequest({ sql: 'SELECT 1', params });
  assert.equal(body, '{"sql":"SELECT 1","params":[5,5.0,-0.0,0.1,1.152921504606847e+18,1152921504606846976]}');
  assert.equal(encodeSqlRequest(decodeSqlRequest(body) as { sql: string; params: SqlParameter[] }), body);
});

const unbindable: readonly (readonly [name: string, value: unknown, message: RegExp])[] = [
  ['NaN', Number.NaN, /^Parameter 2 is NaN, .* Pass null/],
  ['a REAL that is NaN', new Real(Number.NaN), /^Parameter 2 is NaN, .* Pass null/],
  ['undefined', undefined, /^Parameter 2 is undefined\. Pass null/],
  ['a Date', new Date(0), /^Parameter 2 is a Date\. Pass date\.toISOString\(\) or date\.getTime\(\)\.$/],
  ['an array', [1], /^Parameter 2 is an array\. /],
  ['an object', { a: 1 }, /^Parameter 2 is an object\. Pass JSON\.stringify/],
  ['a boxed number', Object(5), /^Parameter 2 is an object\. /],
  ['bytes', new Uint8Array(1), /^Parameter 2 holds bytes\. Write unhex\(\?\)/],
  ['a function', () => 1, /^Parameter 2 is a function/],
  ['a symbol', Symbol('s'), /^Parameter 2 is a symbol/],
  ['half a surrogate pair', 'a\ud83c', /^Parameter 2 holds half of a surrogate pair/],
];
for (const [name, value, message] of unbindable) {
  test(`${name} as a parameter is a misuse, and the message has its number`, () => {
    const params = [1, value] as SqlParameter[];
    assert.throws(() => encodeSqlRequest({ sql: 'SELECT ?, ?', params }), {
      name: 'ProjectError',
      kind: 'misuse',
      code: 'invalid_parameter',
      message,
    });
  });
}

test('a hole in the parameters is a misuse', () => {
  const params: SqlParameter[] = [1];
  params[2] = 3;
  assert.throws(() => encodeSqlRequest({ sql: 'SELECT ?, ?, ?', params }), { message: /^Parameter 2 is undefined/ });
});

test('parameters that are no array are a misuse', () => {
  for (const params of ['abc', { 0: 1, length: 1 }, 5, new Set([1])]) {
    const request = { sql: 'SELECT ?', params: params as unknown as SqlParameter[] };
    assert.throws(() => encodeSqlRequest(request), { code: 'invalid_parameter', message: /must be an array, or null/ });
  }
});

test('a statement that is not a text, or that SQLite would cut off, is a misuse', () => {
  for (const sql of [undefined, null, 5, ['SELECT 1'], Object('SELECT 1'), 'SELECT 1\0', 'SELECT \ud83c']) {
    assert.throws(() => encodeSqlRequest({ sql: sql as string }), { kind: 'misuse', code: 'invalid_statement' });
  }
});

test('every character of a text is sent as it is', () => {
  const characters = Array.from({ length: 0x300 }, (_, code) => String.fromCharCode(code));
  for (const text of [...characters, '"\\"', '\u2028\u2029', '😀', '"😀"', 'a "b" c']) {
    assert.equal(
      encodeSqlRequest({ sql: 'SELECT ?', params: [text] }),
      JSON.stringify({ sql: 'SELECT ?', params: [text] }),
    );
  }
});

test('every value that SQL has is sent', () => {
  const params = [null, true, false, 0, -0, 1.5, Infinity, -Infinity, 2n ** 63n, '', 'é\0😀', new Real(-Infinity)];
  assert.equal(
    encodeSqlRequest({ sql: 'SELECT 1', params }),
    '{"sql":"SELECT 1","params":[null,true,false,0,-0.0,1.5,9e999,-9e999,9223372036854775808,"","é\\u0000😀",-9e999]}',
  );
  assert.equal(encodeSqlRequest({ sql: 'SELECT 1', params: null }), '{"sql":"SELECT 1","params":[]}');
});
