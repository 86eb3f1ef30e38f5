import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FirstPaint } from '../../../src/model/results/firstPaint.ts';
import { HandClock } from '../../support/handClock.ts';

/** What has been settled by now. */
async function settled(promise: Promise<void>): Promise<boolean> {
  const isDone = promise.then(() => true);
  return Promise.race([isDone, new Promise<boolean>(resolve => void setImmediate(() => resolve(false)))]);
}

test('what comes behind the first rows waits until they are painted', async () => {
  const paint = new FirstPaint(new HandClock());
  assert.equal(await settled(paint.done), false);
  paint.come();
  assert.equal(await settled(paint.done), true);
});

test('rows that nobody looks at are not waited for', async () => {
  const clock = new HandClock();
  const paint = new FirstPaint(clock);
  const { done } = paint;
  clock.advance(99);
  assert.equal(await settled(done), false);
  clock.advance(1);
  assert.equal(await settled(done), true);
});

test('rows that were painted before there were many are waited for no more', async () => {
  const paint = new FirstPaint(new HandClock());
  paint.come();
  assert.equal(await settled(paint.done), true);
});
