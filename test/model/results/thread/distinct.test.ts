import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Distinct, hashOfBytes, hashOfNumber, mostDistinct } from '../../../../src/model/results/thread/distinct.ts';

test('numbers and texts that differ little are told apart', () => {
  const distinct = new Distinct();
  let values = 0;
  for (let n = 0; n < 100_000; n++) {
    const text = Buffer.from(String(n));
    for (const hash of [hashOfNumber(n, 0), hashOfNumber(n + 0.5, 0), hashOfBytes(text, 0, text.length, 1)]) {
      values++;
      assert.ok(distinct.add(hash), `${n} is new`);
      assert.ok(!distinct.add(hash), `${n} is known`);
    }
  }
  assert.equal(distinct.count, values);
  assert.equal(hashOfNumber(0, 0), hashOfNumber(-0, 0));
});

test('beyond a bound nothing more is kept, and that can be seen', () => {
  const distinct = new Distinct();
  for (let n = 0; n < mostDistinct - 1; n++) distinct.add(hashOfNumber(n, 0));
  assert.equal(distinct.isFull, false);
  for (let n = 0; n < 10; n++) assert.ok(distinct.add(hashOfNumber(-1 - n, 0)), 'every one may be new');
  assert.deepEqual([distinct.count, distinct.isFull], [mostDistinct, true]);
  assert.equal(distinct.add(hashOfNumber(5, 0)), false, 'what is kept is known');
});
