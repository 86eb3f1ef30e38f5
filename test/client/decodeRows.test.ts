import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasLongDigits } from '../../src/client/decodeRows.ts';

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
