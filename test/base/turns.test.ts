import assert from 'node:assert/strict';
import { test } from 'node:test';
import { doAtOnce, doInTurns, type Steps, visitInSteps } from '../../src/base/turns.ts';
import { HandClock } from '../support/handClock.ts';

/** Takes ten milliseconds for each step. */
function* slowSteps(clock: HandClock, count: number): Steps<string> {
  for (let step = 0; step < count; step++) {
    clock.advance(10);
    yield;
  }
  return 'done';
}

test('work in turns waits for other work between them, and gives its result', async () => {
  const clock = new HandClock();
  const result = doInTurns(slowSteps(clock, 7), clock);
  const ends: number[] = [];
  for (let turn = 0; turn < 2; turn++) {
    await clock.nextTimer();
    ends.push(clock.now());
    clock.advance(0);
  }
  assert.equal(await result, 'done');
  assert.deepEqual([...ends, clock.now()], [30, 60, 70]);
});

test('items are visited a hundred at a step', () => {
  const items = Array.from({ length: 250 }, (_, index) => index);
  const seen: number[] = [];
  const steps = visitInSteps(items, item => seen.push(item));
  const counts: number[] = [];
  while (!steps.next().done) counts.push(seen.length);
  assert.deepEqual(counts, [100, 200]);
  assert.deepEqual(seen, items);
  doAtOnce(visitInSteps(items, item => seen.push(item)));
  assert.equal(seen.length, 500);
});
