import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../../../src/base/emitter.ts';
import { firstNews } from '../../../src/host/results/firstNews.ts';
import type { Run } from '../../../src/model/results/run.ts';
import { HandClock } from '../../support/handClock.ts';

type Seen = Pick<Run, 'state' | 'rowCount'>;

/** A run that has just begun, and whether there is news of it. */
function begun(state: Seen = { state: 'running', rowCount: 0 }) {
  const [changes, clock] = [new Emitter<void>(), new HandClock()];
  let isThere = false;
  const run = { ...state, onChange: changes.on } as unknown as Run;
  const settled = firstNews(run, 100, clock).then(() => (isThere = true));
  const isSettled = async (): Promise<boolean> => {
    await Promise.resolve().then(() => undefined);
    return isThere;
  };
  return { changes, clock, settled, isSettled };
}

test('the first rows of a run are news', async () => {
  const { changes, clock, settled, isSettled } = begun();
  clock.advance(99);
  assert.equal(await isSettled(), false);
  changes.fire();
  await settled;
});

test('a run that has nothing to show is not waited for any longer', async () => {
  const { clock, settled } = begun();
  clock.advance(100);
  await settled;
});

test('a run that has rows, or is over, is not waited for', async () => {
  await begun({ state: 'running', rowCount: 1 }).settled;
  await begun({ state: 'failed', rowCount: 0 }).settled;
});
