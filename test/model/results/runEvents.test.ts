import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstRowsOrEnd } from '../../../src/model/results/run.ts';
import { HandClock } from '../../support/handClock.ts';
import { TestRun } from '../../support/testRun.ts';

/** Waits for the first rows for 100 ms. The function returns whether that wait is over. */
function waitForRows(run: TestRun) {
  const clock = new HandClock();
  let isOver = false;
  const wait = firstRowsOrEnd(run, 100, clock).then(() => (isOver = true));
  const isWaiting = async (): Promise<boolean> => {
    await new Promise(setImmediate);
    return !isOver;
  };
  return { clock, wait, isWaiting };
}

test('the wait for the first rows ends when they arrive', async () => {
  const run = new TestRun();
  const { clock, wait, isWaiting } = waitForRows(run);
  clock.advance(99);
  assert.ok(await isWaiting());
  run.change({ rowCount: 1 });
  await wait;
});

test('the wait for the first rows ends after its time', async () => {
  const { clock, wait } = waitForRows(new TestRun());
  clock.advance(100);
  await wait;
});

test('a run with rows, and one that has ended, is not waited for', async () => {
  await waitForRows(new TestRun({ rowCount: 1 })).wait;
  await waitForRows(new TestRun({ state: 'failed' })).wait;
});
