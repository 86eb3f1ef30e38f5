import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readableError, unknownName } from '../../../src/sql/errors/readableError.ts';

const cases: readonly (readonly [message: string, readable: string])[] = [
  ['no such column: nme', "no such column 'nme'"],
  ['no such column: c.nme', "no such column 'c.nme'"],
  ['no such table: nowhere', "no such table 'nowhere'"],
  ['no such collation sequence: nocse', "no such collation sequence 'nocse'"],
  [
    'no such column: "Ann" - should this be a string literal in single-quotes?',
    "no such column 'Ann'. Write a text in single quotes: 'Ann'",
  ],
  ['table pets has no column named nme', "table 'pets' has no column 'nme'"],
  ['ambiguous column name: id', "ambiguous column 'id'"],
  ['near "FORM": syntax error', "syntax error near 'FORM'"],
  ['unrecognized token: "#"', "unrecognized token '#'"],
  ['incomplete input', 'the statement is incomplete'],
  ['CHECK constraint failed: id > 1', 'CHECK constraint failed: id > 1'],
];

for (const [message, readable] of cases) {
  test(`the error "${message}" is shown with its names in quotes`, () => {
    assert.equal(readableError(message), readable);
    assert.equal(readableError(readable), readable, 'a readable error stays as it is');
  });
}

test('an error names the column, table or function that nothing has', () => {
  assert.deepEqual(unknownName('no such column: c.nme'), { kind: 'column', name: 'c.nme' });
  assert.deepEqual(unknownName('table pets has no column named nme'), { kind: 'column', name: 'nme' });
  assert.deepEqual(unknownName('no such table: nowhere'), { kind: 'table', name: 'nowhere' });
  assert.deepEqual(unknownName('no such function: cout'), { kind: 'function', name: 'cout' });
  assert.equal(unknownName('no such index: i'), undefined);
  assert.equal(unknownName('near "FORM": syntax error'), undefined);
});
