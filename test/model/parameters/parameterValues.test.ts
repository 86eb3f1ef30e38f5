import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  boundValue,
  type ParameterType,
  type ParamsLineValues,
  readParamsLine,
  typeForColumn,
} from '../../../src/model/parameters/parameterValues.ts';
import { exactNumbers, jsonParameters, Real, type SqlParameter } from '../../../src/wire/values.ts';

const values: readonly (readonly [type: ParameterType, text: string, value: SqlParameter | undefined])[] = [
  ['text', " it's ", " it's "],
  ['text', '', ''],
  ['text', '12', '12'],
  ['text', '\ud800', undefined],
  ['integer', ' 12 ', 12],
  ['integer', '-9223372036854775808', -(2n ** 63n)],
  ['integer', '9007199254740993', 9007199254740993n],
  ['integer', '+7', 7],
  ['integer', '9223372036854775808', undefined],
  ['integer', '1.5', undefined],
  ['integer', '', undefined],
  ['real', '1.5e3', new Real(1500)],
  ['real', '.5', new Real(0.5)],
  ['real', '-2', new Real(-2)],
  ['real', '1e999', undefined],
  ['real', '1,5', undefined],
  ['real', '', undefined],
  ['boolean', 'TRUE', true],
  ['boolean', 'false', false],
  ['boolean', '1', undefined],
  ['null', 'whatever', null],
];
for (const [type, text, value] of values) {
  test(`"${text}" as ${type} is ${value === undefined ? 'refused' : JSON.stringify(jsonParameters([value]), exactNumbers)}`, () =>
    assert.deepEqual(boundValue({ type, text }), value));
}

const columns: readonly (readonly [declared: string | undefined, type: ParameterType])[] = [
  ['INTEGER', 'integer'],
  ['bigint', 'integer'],
  ['VARCHAR(20)', 'text'],
  ['DOUBLE PRECISION', 'real'],
  ['DECIMAL(10,2)', 'real'],
  ['BOOLEAN', 'boolean'],
  ['', 'text'],
  [undefined, 'text'],
];
for (const [declared, type] of columns) {
  test(`a column of the type ${declared} suggests ${type}`, () => assert.equal(typeForColumn(declared), type));
}

const lines: readonly (readonly [json: string, outcome: ParamsLineValues])[] = [
  ['[1, "x"]', { kind: 'values', values: [1, 'x'] }],
  ['[9007199254740993, null]', { kind: 'values', values: [9007199254740993n, null] }],
  ['[5.0, 1e3]', { kind: 'values', values: [new Real(5), new Real(1000)] }],
  ['[-0.0, -0]', { kind: 'values', values: [new Real(-0), 0] }],
  ['[{"real": 5.0}, 1]', { kind: 'wrongValue', numberOrName: 1 }],
  ['[true, -1.5]', { kind: 'values', values: [true, -1.5] }],
  ['[1, "x"', { kind: 'notJson' }],
  ['', { kind: 'notJson' }],
  ['{"a": 1}', { kind: 'notList' }],
  ['[1]', { kind: 'wrongCount', expectedCount: 2, actualCount: 1 }],
  ['[1, 2, 3]', { kind: 'wrongCount', expectedCount: 2, actualCount: 3 }],
  ['[1, [2]]', { kind: 'wrongValue', numberOrName: 2 }],
  ['[92233720368547758080, 1]', { kind: 'wrongValue', numberOrName: 1 }],
  ['["\\ud800", 1]', { kind: 'wrongValue', numberOrName: 1 }],
];
for (const [json, outcome] of lines) {
  test(`a params line of ${json === '' ? 'no text' : json} for two parameters is read as ${outcome.kind}`, () =>
    assert.deepEqual(readParamsLine(json, 'SELECT ?, ?'), outcome));
}

const namedLines: readonly (readonly [json: string, sql: string, outcome: ParamsLineValues])[] = [
  ['{"b": 2.0, ":a": 1, "c": 0}', 'SELECT :a, @b, :a', { kind: 'values', values: [1, new Real(2), 1] }],
  ['{"1": 1, "2": "x"}', 'SELECT ?2, ?1, ?2', { kind: 'values', values: ['x', 1, 'x'] }],
  ['[1, "x"]', 'SELECT ?2, ?1, ?2', { kind: 'values', values: ['x', 1, 'x'] }],
  ['[1]', 'SELECT :a, :a', { kind: 'values', values: [1, 1] }],
  ['[]', 'SELECT ?0', { kind: 'wrongCount', expectedCount: 1, actualCount: 0 }],
  ['{"A": 1}', 'SELECT :a', { kind: 'missingName', name: ':a' }],
  ['{}', 'SELECT :constructor', { kind: 'missingName', name: ':constructor' }],
  ['{"a": [1]}', 'SELECT :a', { kind: 'wrongValue', numberOrName: ':a' }],
  ['5.0', 'SELECT :value', { kind: 'notList' }],
];
for (const [json, sql, outcome] of namedLines) {
  test(`a params line of ${json} for ${sql} is read as ${outcome.kind}`, () =>
    assert.deepEqual(readParamsLine(json, sql), outcome));
}
