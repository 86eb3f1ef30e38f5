import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RateLimiter } from '../../../src/service/http/rateLimiter.ts';

function limiterAt(time: number, limit = { perSecond: 2, burst: 3 }) {
  const clock = { time, now: () => clock.time, after: () => () => {} };
  const limiter = new RateLimiter(limit, clock);
  return { clock, limiter };
}

test('a burst passes, and then the rate holds', () => {
  const { clock, limiter } = limiterAt(1000);
  assert.deepEqual(
    [1, 2, 3, 4].map(() => limiter.take('a')),
    [0, 0, 0, 500],
  );
  clock.time += 499;
  assert.equal(limiter.take('a'), 1);
  clock.time += 1;
  assert.deepEqual([limiter.take('a'), limiter.take('a')], [0, 500]);
});

test('the announced wait is long enough at any rate', () => {
  for (const perSecond of [0.1, 0.3, 3, 7, 999]) {
    const { clock, limiter } = limiterAt(1_700_000_000_001, { perSecond, burst: 7 });
    assert.deepEqual(
      Array.from({ length: 7 }, () => limiter.take('a')),
      Array(7).fill(0),
      String(perSecond),
    );
    for (let i = 0; i < 100; i++) {
      clock.time += limiter.take('a');
      limiter.take('a');
    }
    clock.time += limiter.take('a');
    assert.equal(limiter.take('a'), 0, String(perSecond));
  }
});

test('each caller has its own bucket', () => {
  const { limiter } = limiterAt(0, { perSecond: 1, burst: 1 });
  assert.deepEqual([limiter.take('a'), limiter.take('b'), limiter.take('a')], [0, 0, 1000]);
});

test('a long pause allows one burst at most', () => {
  const { clock, limiter } = limiterAt(0);
  clock.time = 1e9;
  assert.deepEqual(
    [1, 2, 3, 4].map(() => limiter.take('a')),
    [0, 0, 0, 500],
  );
});

test('a clock that is set back neither adds nor removes tokens', () => {
  const { clock, limiter } = limiterAt(1e9, { perSecond: 1, burst: 1 });
  assert.equal(limiter.take('a'), 0);
  clock.time = 0;
  assert.equal(limiter.take('a'), 1000);
});

test('a waiting caller is not forgotten because of ten thousand others', () => {
  const { clock, limiter } = limiterAt(0, { perSecond: 1, burst: 2 });
  limiter.take('a');
  limiter.take('a');
  for (let i = 0; i < 10_000; i++) limiter.take(`other ${i}`);
  assert.equal(limiter.take('a'), 1000);
  clock.time += 1000;
  assert.deepEqual([limiter.take('a'), limiter.take('a')], [0, 1000]);
});
