import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crashLimit } from '../../../src/host/language/crashLimit.ts';
import { HandClock } from '../../support/handClock.ts';

/** The answers to crashes with these pauses between them, in seconds. */
function answersTo(pauses: readonly number[]): boolean[] {
  const clock = new HandClock();
  const isAtLimit = crashLimit(clock);
  return pauses.map(seconds => {
    clock.advance(seconds * 1000);
    return isAtLimit();
  });
}

for (const [claim, pauses, expected] of [
  ['the fifth crash in a row is one too many', [0, 0, 0, 0, 0], [false, false, false, false, true]],
  ['crashes that come once a minute are not too many', [60, 60, 60, 60, 60], [false, false, false, false, false]],
  ['five crashes just within three minutes are too many', [0, 44, 45, 45, 45], [false, false, false, false, true]],
  ['after the limit, counting starts anew', [0, 0, 0, 0, 0, 0, 0], [false, false, false, false, true, false, false]],
] as const) {
  test(claim, () => assert.deepEqual(answersTo(pauses), expected));
}
