import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberedColumns } from '../../../src/host/results/numberedColumns.ts';

const shown = (...names: readonly string[]): string[] =>
  numberedColumns(names.map(name => ({ name, type: '' }))).map(({ name }) => name);

test('columns of the same name are numbered from 2 on', () => {
  assert.deepEqual(shown('a', 'b', 'a:1', 'a:2', 'b:1'), ['a', 'b', 'a (2)', 'a (3)', 'b (2)']);
});

test('a column that has such a name of its own keeps it', () => {
  assert.deepEqual(shown('time 10:30', '10:1', 'a:1', 'a'), ['time 10:30', '10:1', 'a:1', 'a']);
});
