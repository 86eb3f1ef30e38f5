import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ParameterFields } from '../../../src/model/parameters/parameterFields.ts';

const columnsOf = (table: string) =>
  table === 't'
    ? [
        { name: 'id', type: 'INTEGER' },
        { name: 'is_new', type: 'BOOLEAN' },
      ]
    : undefined;

const shown = (fields: ParameterFields): unknown[] =>
  fields.all.map(({ number, hint, type, value }) => [number, hint.name, hint.table, type, value?.text]);

test('the columns of a table improve the hints and leave entered values as they are', () => {
  const fields = new ParameterFields('INSERT INTO t VALUES (?, ?)', []);
  fields.set(2, { type: 'text', text: 'true' });
  let heard = 0;
  fields.onHintsChanged(() => heard++);
  assert.deepEqual(shown(fields), [
    [1, undefined, 't', 'text', undefined],
    [2, undefined, 't', 'text', 'true'],
  ]);
  fields.learnColumns(columnsOf);
  assert.equal(heard, 1);
  assert.deepEqual(shown(fields), [
    [1, 'id', 't', 'integer', undefined],
    [2, 'is_new', 't', 'text', 'true'],
  ]);
});

test('values are complete when none is missing, and surplus remembered values are ignored', () => {
  const one = { type: 'integer', text: '1' } as const;
  const fields = new ParameterFields('SELECT ?, ?', [undefined, one, one]);
  assert.equal(fields.values, undefined);
  fields.set(1, one);
  assert.deepEqual(fields.values, [one, one]);
});

test('a name has one field with the hint of any of its uses, and its value is bound at each of them', () => {
  const fields = new ParameterFields('SELECT :a || @b || :a FROM t WHERE id = :a AND is_new = ?', []);
  fields.learnColumns(columnsOf);
  assert.deepEqual(shown(fields), [
    [1, 'id', 't', 'integer', undefined],
    [2, undefined, undefined, 'text', undefined],
    [3, 'is_new', 't', 'boolean', undefined],
  ]);
  const values = [
    { type: 'integer', text: '9007199254740993' },
    { type: 'text', text: 'x' },
    { type: 'null', text: '' },
  ] as const;
  assert.deepEqual(fields.bind(values), [9007199254740993n, 'x', 9007199254740993n, 9007199254740993n, null]);
});
