import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDuration } from '../../src/base/formats.ts';
import { beginningOf, cutText, oneLine, shortList } from '../../src/base/oneLine.ts';

test('a label is one line, and ends in an ellipsis where it is cut', () => {
  assert.equal(oneLine('  a\n\tb '), 'a b');
  assert.equal(oneLine('abcdef', 4), 'abc…');
  assert.equal(oneLine('abcd', 4), 'abcd');
});

test('a cut never leaves half a character', () => {
  assert.equal(cutText('ab😀cd', 4), 'ab…');
  assert.equal(cutText('ab😀cd', 5), 'ab😀…');
  assert.equal(beginningOf('ab👍', 3), 'ab');
  assert.equal(beginningOf('ab👍', 4), 'ab👍');
});

test('a short list ends in an ellipsis where texts are missing', () => {
  assert.equal(shortList(['a', 'b'], 2), 'a, b');
  assert.equal(shortList(['a', 'b', 'c'], 2, '; '), 'a; b; …');
});

test('durations show whole milliseconds, then seconds with a fraction, then minutes', () => {
  assert.equal(formatDuration(12.4, 'en'), '12 ms');
  assert.equal(formatDuration(999.4, 'en'), '999 ms');
  assert.equal(formatDuration(999.6, 'en'), '1.0 s');
  assert.equal(formatDuration(3700, 'de'), '3,7 s');
  assert.equal(formatDuration(59_940, 'en'), '59.9 s');
  assert.equal(formatDuration(59_960, 'en'), '1 min');
  assert.equal(formatDuration(25_000, 'en', 0), '25 s');
  assert.equal(formatDuration(125_400, 'en'), '2 min 5 s');
  assert.equal(formatDuration(61_000, 'en', 0), '1 min 1 s');
});
