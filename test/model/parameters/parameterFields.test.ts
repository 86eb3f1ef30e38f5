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

test('what columns tell is taken in when it comes, and changes no value that was given before', () => {
  const fields = new ParameterFields('INSERT INTO t VALUES (?, ?)', []);
  fields.set(2, { type: 'text', text: 'true' });
  let heard = 0;
  fields.onLearned(() => heard++);
  assert.deepEqual(shown(fields), [
    [1, undefined, 't', 'text', undefined],
    [2, undefined, 't', 'text', 'true'],
  ]);
  fields.learn(columnsOf);
  assert.equal(heard, 1);
  assert.deepEqual(shown(fields), [
    [1, 'id', 't', 'integer', undefined],
    [2, 'is_new', 't', 'text', 'true'],
  ]);
});

test('all values are there when none is missing, and those for parameters that are gone do not count', () => {
  const one = { type: 'integer', text: '1' } as const;
  const fields = new ParameterFields('SELECT ?, ?', [undefined, one, one]);
  assert.equal(fields.values, undefined);
  fields.set(1, one);
  assert.deepEqual(fields.values, [one, one]);
});
