import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textDifference } from '../../../src/sql/text/statementIndex.ts';

test('the difference of two texts is the shortest edit from one to the other', () => {
  const cases: readonly (readonly [before: string, after: string, replaced: string, text: string])[] = [
    ['', 'a', '', 'a'],
    ['abc', 'abxc', '', 'x'],
    ['abc', 'ac', 'b', ''],
    ['abc', 'xyz', 'abc', 'xyz'],
    ['aa', 'aaa', '', 'a'],
    ['aba', 'abba', '', 'b'],
  ];
  for (const [before, after, replaced, text] of cases) {
    const edit = textDifference(before, after);
    assert.ok(edit);
    assert.equal(before.slice(edit.start, edit.end), replaced);
    assert.equal(edit.text, text);
    assert.equal(before.slice(0, edit.start) + edit.text + before.slice(edit.end), after);
  }
  assert.equal(textDifference('abc', 'abc'), undefined);
});
