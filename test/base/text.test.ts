import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDuration } from '../../src/base/duration.ts';
import { cutText, oneLine } from '../../src/base/oneLine.ts';

test('a label stands on one line and ends in an ellipsis where it is cut', () => {
  assert.equal(oneLine('  a\n\tb '), 'a b');
  assert.equal(oneLine('abcdef', 4), 'abc…');
  assert.equal(oneLine('abcd', 4), 'abcd');
});

test('a cut never leaves half a character', () => {
  assert.equal(cutText('ab😀cd', 4), 'ab…');
  assert.equal(cutText('ab😀cd', 5), 'ab😀…');
});

test('durations show whole milliseconds, and seconds with a fraction', () => {
  assert.equal(formatDuration(12.4, 'en'), '12 ms');
  assert.equal(formatDuration(999.4, 'en'), '999 ms');
  assert.equal(formatDuration(999.6, 'en'), '1.0 sec');
  assert.equal(formatDuration(61_000, 'en', 0), '61 sec');
});
