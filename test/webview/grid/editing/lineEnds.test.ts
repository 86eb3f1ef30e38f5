import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withFieldLineEnds, withLineEndsOf } from '../../../../webview/grid/editing/lineEnds.ts';

const edits: readonly (readonly [name: string, original: string, edited: string, expected: string])[] = [
  ['a changed line keeps its end', 'a\r\nb\r\nc', 'a\nX\nc', 'a\r\nX\r\nc'],
  ['an added line has the end of the others', 'a\r\nb', 'a\nnew\nb', 'a\r\nnew\r\nb'],
  ['mixed ends stay at their lines', 'a\r\nb\nc\rd', 'a\nb\nX\nd', 'a\r\nb\nX\rd'],
  ['mixed ends stay when a line is removed', 'a\r\nb\nc\r\nd', 'a\nc\nd', 'a\r\nc\r\nd'],
  ['a text without others has the ends of the field', 'a\nb', 'a\nb\nc', 'a\nb\nc'],
  ['a single line gets the ends of the field', 'a', 'a\nb', 'a\nb'],
  ['a NUL character and empty lines stay', '\0\r\n\r\nb\r\n', '\0\n\nX\n', '\0\r\n\r\nX\r\n'],
];

for (const [name, original, edited, expected] of edits) {
  test(name, () => assert.equal(withLineEndsOf(original, edited), expected));
}

test('a text that was not edited is the same in every line end', () => {
  const text = 'a\r\n\rb\n\r\n\n\rc\r';
  assert.equal(withLineEndsOf(text, withFieldLineEnds(text)), text);
});
