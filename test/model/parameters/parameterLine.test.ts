import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type LineValues, valuesOfLine } from '../../../src/model/parameters/parameterLine.ts';
import { Real } from '../../../src/wire/values.ts';

const cases: readonly (readonly [json: string, outcome: LineValues])[] = [
  ['[1, "x"]', { kind: 'values', values: [1, 'x'] }],
  ['[9007199254740993, null]', { kind: 'values', values: [9007199254740993n, null] }],
  ['[5.0, 1e3]', { kind: 'values', values: [new Real(5), new Real(1000)] }],
  ['[-0.0, -0]', { kind: 'values', values: [new Real(-0), 0] }],
  ['[{"real": 5.0}, 1]', { kind: 'wrongValue', place: 1 }],
  ['[true, -1.5]', { kind: 'values', values: [true, -1.5] }],
  ['[1, "x"', { kind: 'notJson' }],
  ['', { kind: 'notJson' }],
  ['{"a": 1}', { kind: 'notList' }],
  ['[1]', { kind: 'wrongCount', given: 1 }],
  ['[1, 2, 3]', { kind: 'wrongCount', given: 3 }],
  ['[1, [2]]', { kind: 'wrongValue', place: 2 }],
  ['[92233720368547758080, 1]', { kind: 'wrongValue', place: 1 }],
  ['["\\ud800", 1]', { kind: 'wrongValue', place: 1 }],
];
for (const [json, outcome] of cases) {
  test(`${json === '' ? 'nothing' : json} for two parameters: ${outcome.kind}`, () =>
    assert.deepEqual(valuesOfLine(json, 2), outcome));
}
