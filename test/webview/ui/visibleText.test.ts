import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beginningWithin, visiblePieces, visibleText } from '../../../webview/ui/visibleText.ts';

/** The text with its marks in brackets. */
const bracketed = (text: string, keepLines = false): string =>
  visiblePieces(text, { keepLines })
    .map(piece => (piece.isMark ? `[${piece.text}]` : piece.text))
    .join('');

for (const [text, expected] of [
  ['', ''],
  ['plain ü 漢 👩‍👩‍👧', 'plain ü 漢 👩‍👩‍👧'],
  ['one\ntwo\r\nthree\rfour', 'one[↵]two[↵]three[↵]four'],
  ['a\tb\0c\u001bd', 'a[→]b[␀]c[␛]d'],
  ['\u202egnp.exe', '[⟨U+202E⟩]gnp.exe'],
  ['zero\u200bwidth\ufeff', 'zero[⟨U+200B⟩]width[⟨U+FEFF⟩]'],
  ['\u2028', '[↵]'],
] as const) {
  test(`${JSON.stringify(text)} is shown as ${expected}`, () => assert.equal(bracketed(text), expected));
}

test('with kept lines, only line breaks and tabs stay', () => {
  assert.equal(bracketed('a\nb\tc\r\nd\u0007', true), 'a\nb\tc\r\nd[␇]');
});

test('a label shows marks as text', () => assert.equal(visibleText('a\u202eb'), 'a⟨U+202E⟩b'));

test('the beginning of a text ends before it has too many marks', () => {
  assert.equal(beginningWithin('a\u202eb\nc\u202ed\u202e', 100, 2), 'a\u202eb\nc\u202ed');
  assert.equal(beginningWithin('a\u202eb', 100, 1), 'a\u202eb');
  assert.equal(beginningWithin('abc', 2, 1), 'ab');
});
