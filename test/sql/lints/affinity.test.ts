import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNumericText } from '../../../src/sql/lints/affinity.ts';

test('texts are numbers as SQLite reads them', () => {
  for (const text of ['1', '-1.', '+.5', '1.5e-3', ' 7\n', '007', '9e999'])
    assert.equal(isNumericText(text), true, text);
  for (const text of ['', '.', 'e5', '1e', '0x10', '1 2', 'Infinity', '\u00a05'])
    assert.equal(isNumericText(text), false, text);
});

test('millions of digits before a letter are read once', () => {
  assert.equal(isNumericText(`${'1'.repeat(4_000_000)}x`), false);
  assert.equal(isNumericText(`${' '.repeat(4_000_000)}x`), false);
});
