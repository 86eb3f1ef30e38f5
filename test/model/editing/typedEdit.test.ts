import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EditableColumn } from '../../../src/model/catalog/editableTable.ts';
import { typedEdit } from '../../../src/model/editing/typedEdit.ts';
import { affinityOf } from '../../../src/sql/lints/affinity.ts';

/** Each row: the declared type, what is typed, and the storage class and value, or why it is refused. */
for (const [type, typed, expected] of [
  ['TEXT', '007', { kind: 'text', text: '007' }],
  ['TEXT', '', { kind: 'text', text: '' }],
  ['TEXT', 'a\0b', { kind: 'text', text: 'a\0b' }],
  ['TEXT', '\ud800', 'notText'],
  ['INTEGER', '9223372036854775807', { kind: 'integer', text: '9223372036854775807' }],
  ['INTEGER', '-9223372036854775808', { kind: 'integer', text: '-9223372036854775808' }],
  ['INTEGER', '007', { kind: 'integer', text: '7' }],
  ['INTEGER', 'x', 'notInteger'],
  ['INTEGER', '', 'notInteger'],
  ['REAL', '1e400', { kind: 'real', text: 'Infinity' }],
  ['REAL', '-0.0', { kind: 'real', text: '-0' }],
  ['REAL', '0.1', { kind: 'real', text: '0.1' }],
  ['REAL', '1,5', 'notReal'],
  ['NUMERIC', '12', { kind: 'integer', text: '12' }],
  ['DATE', '2024-01-02', { kind: 'text', text: '2024-01-02' }],
  ['DATE', '007', { kind: 'text', text: '007' }],
  ['BLOB', "x'00FF'", { kind: 'blob', hex: '00ff' }],
  ['BLOB', 'abcd', { kind: 'text', text: 'abcd' }],
  ['', '12', { kind: 'text', text: '12' }],
] as const) {
  const result = typeof expected === 'string' ? expected : `${expected.kind} ${JSON.stringify(expected)}`;
  test(`${JSON.stringify(typed)} in a column declared ${type || 'without a type'} is ${result}`, () => {
    const column = { name: 'c', type, affinity: affinityOf(type) } as EditableColumn;
    const edit = typedEdit(typed, column, undefined, false);
    assert.deepEqual('fault' in edit ? edit.fault : edit.value, expected);
  });
}
