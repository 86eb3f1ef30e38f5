import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visiblePieces } from '../../../../webview/grid/values/visibleText.ts';

/** Marks in brackets. */
const shown = (text: string, keepLines = false): string =>
  visiblePieces(text, { keepLines })
    .map(piece => (piece.mark ? `[${piece.text}]` : piece.text))
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
  test(`${JSON.stringify(text)} is shown as ${expected}`, () => assert.equal(shown(text), expected));
}

test('where lines are kept, what else cannot be seen is marked', () => {
  assert.equal(shown('a\nb\tc\r\nd\u0007', true), 'a\nb\tc\r\nd[␇]');
});
