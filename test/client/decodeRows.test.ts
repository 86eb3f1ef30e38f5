import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasLongDigits } from '../../src/client/decodeRows.ts';
import { stateLimitMs } from '../support/hangLimits.ts';

test('Values: 16 digits in a row are found anywhere; 15 digits, fractions and texts are not', () => {
  for (let before = 0; before < 40; before++) {
    for (const after of ['', ',', '}'.repeat(20)]) {
      const at = (digits: string): boolean => hasLongDigits(Buffer.from(`${' '.repeat(before)}${digits}${after}`));
      assert.ok(at('1234567890123456'), `after ${before}`);
      assert.ok(at('-12345678901234567890'), `after ${before}`);
      assert.ok(!at('123456789012345'), `after ${before}`);
      assert.ok(!at('0.12345678901234567'), `after ${before}`);
      assert.ok(!at('"1234567890123456"'), `after ${before}`);
    }
  }
});

test('Values: a text or a fraction of a million digits is looked at once', () => {
  const digits = '0'.repeat(2_000_000);
  const startedAt = performance.now();
  for (const row of [`{"a":"${digits}"}`, `{"a":0.${digits}}`]) assert.equal(hasLongDigits(Buffer.from(row)), false);
  assert.ok(performance.now() - startedAt < stateLimitMs);
  assert.equal(hasLongDigits(Buffer.from(`{"a":"${digits}","b":9007199254740993}`)), true);
});
