import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundValue, type ParameterType, typeForColumn } from '../../../src/model/parameters/parameterValue.ts';
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
