import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RefreshPace } from '../../../src/host/results/refreshPace.ts';
import { HandClock } from '../../support/handClock.ts';

/** When it refreshes, if changes come every so many milliseconds. */
function refreshesOf(everyMs: number, untilMs: number): number[] {
  const clock = new HandClock(1_000_000);
  const at: number[] = [];
  const pace = new RefreshPace(clock, () => at.push(clock.now() - 1_000_000));
  for (let ms = 0; ms < untilMs; ms += 10) {
    if (ms % everyMs === 0) pace.note();
    clock.advance(10);
  }
  return at;
}

test('the first change is told soon, and what goes on ever less often, down to twice a second', () => {
  const at = refreshesOf(10, 10_000);
  assert.equal(at[0], 50);
  const pauses = at.slice(1).map((ms, i) => ms - at[i]!);
  assert.deepEqual(
    pauses,
    pauses.toSorted((a, b) => a - b),
  );
  assert.ok(pauses[0]! <= 100, String(pauses[0]));
  assert.ok(pauses.at(-1)! >= 500 && pauses.at(-1)! <= 520, String(pauses.at(-1)));
});

test('changes that come now and then are each told soon', () =>
  assert.deepEqual(refreshesOf(300, 1200), [50, 350, 650, 950]));

test('what was told by other means is not told again', () => {
  const clock = new HandClock();
  let count = 0;
  const pace = new RefreshPace(clock, () => count++);
  pace.note();
  pace.settle();
  clock.advance(1000);
  assert.equal(count, 0);
  pace.note();
  clock.advance(50);
  assert.equal(count, 1);
});
