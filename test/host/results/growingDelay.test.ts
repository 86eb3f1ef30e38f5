import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Debouncer } from '../../../src/base/debouncer.ts';
import { growingDelay } from '../../../src/host/results/growingDelay.ts';
import { HandClock } from '../../support/handClock.ts';

/** The times of updates if there is a change every `everyMs`. */
function updateTimes(everyMs: number, untilMs: number): number[] {
  const clock = new HandClock();
  const times: number[] = [];
  const updates = new Debouncer({
    run: () => times.push(clock.now()),
    delayMs: growingDelay(),
    clock,
  });
  for (let ms = 0; ms < untilMs; ms += 10) {
    if (ms % everyMs === 0) updates.schedule();
    clock.advance(10);
  }
  return times;
}

test('the first change is shown soon, and later ones less and less often, down to twice a second', () => {
  const times = updateTimes(10, 10_000);
  assert.equal(times[0], 50);
  const pauses = times.slice(1).map((ms, i) => ms - times[i]!);
  assert.deepEqual(
    pauses,
    pauses.toSorted((a, b) => a - b),
  );
  assert.ok(pauses[0]! <= 100, String(pauses[0]));
  assert.ok(pauses.at(-1)! >= 500 && pauses.at(-1)! <= 520, String(pauses.at(-1)));
});

test('rare changes are each shown soon', () => assert.deepEqual(updateTimes(300, 1200), [50, 350, 650, 950]));
