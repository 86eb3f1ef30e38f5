import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FirstPaint } from '../../../src/model/results/statementRun.ts';
import { HandClock } from '../../support/handClock.ts';

/** Whether a promise has settled. */
async function settled(promise: Promise<void>): Promise<boolean> {
  const isDone = promise.then(() => true);
  return Promise.race([isDone, new Promise<boolean>(resolve => void setImmediate(() => resolve(false)))]);
}

test('a run waits until its first rows are painted', async () => {
  const paint = new FirstPaint(new HandClock());
  assert.equal(await settled(paint.done), false);
  paint.report();
  assert.equal(await settled(paint.done), true);
});

test('a run waits a tenth of a second for rows that nobody looks at', async () => {
  const clock = new HandClock();
  const paint = new FirstPaint(clock);
  const { done } = paint;
  clock.advance(99);
  assert.equal(await settled(done), false);
  clock.advance(1);
  assert.equal(await settled(done), true);
});

test('a run does not wait for rows that were painted already', async () => {
  const paint = new FirstPaint(new HandClock());
  paint.report();
  assert.equal(await settled(paint.done), true);
});
