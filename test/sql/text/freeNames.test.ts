import assert from 'node:assert/strict';
import { test } from 'node:test';
import { distinctNames, freeName } from '../../../src/sql/text/freeNames.ts';

test('a free name is not taken in any case of its letters', () => {
  assert.equal(freeName('copy', []), 'copy');
  assert.equal(freeName('copy', ['COPY', 'copy_3']), 'copy_2');
  assert.equal(freeName('copy', ['copy', 'Copy_2']), 'copy_3');
  // SQLite ignores the case of ASCII letters only.
  assert.equal(freeName('ä', ['Ä']), 'ä');
});

test('columns of the same name get numbers as in SQLite', () => {
  assert.deepEqual(distinctNames(['a', 'A', 'a:1', 'b', 'a']), ['a', 'A:1', 'a:1:1', 'b', 'a:2']);
});
