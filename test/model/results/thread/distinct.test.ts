import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Distinct, hashOfBytes, hashOfNumber, maxDistinct } from '../../../../src/model/results/thread/distinct.ts';

test('values that differ little are counted as different', () => {
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

test('a full set keeps no more values, and says so', () => {
  const distinct = new Distinct();
  for (let n = 0; n < maxDistinct - 1; n++) distinct.add(hashOfNumber(n, 0));
  assert.equal(distinct.isFull, false);
  for (let n = 0; n < 10; n++) assert.ok(distinct.add(hashOfNumber(-1 - n, 0)), 'any may be new');
  assert.deepEqual([distinct.count, distinct.isFull], [maxDistinct, true]);
  assert.equal(distinct.add(hashOfNumber(5, 0)), false, 'kept values are known');
});
