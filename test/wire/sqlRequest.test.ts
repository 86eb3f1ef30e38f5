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

test('a request is decoded as it was encoded', () => {
  const params = [5, new Real(5), new Real(-0), new Real(0.1), new Real(2 ** 60), 2n ** 60n];
  const body = encodeSqlRequest({ sql: 'SELECT 1', params });
  assert.equal(body, '{"sql":"SELECT 1","params":[5,5.0,-0.0,0.1,1.152921504606847e+18,1152921504606846976]}');
  assert.equal(encodeSqlRequest(decodeSqlRequest(body) as { sql: string; params: SqlParameter[] }), body);
});
