import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importRate } from '../../../src/model/importing/importRate.ts';
import type { ImportState } from '../../../src/model/importing/importEnd.ts';
import { firstProgress } from '../../../src/model/importing/journal.ts';
import { HandClock } from '../../support/handClock.ts';

test('the rate and the time left leave out what an earlier run has sent, and the time of a pause', () => {
  const clock = new HandClock();
  const run = { share: 0.5 as number | undefined, state: 'running' as ImportState, progress: firstProgress };
  const sent = (rows: number): void => {
    run.progress = { ...run.progress, counts: { ...run.progress.counts, sentRows: rows } };
  };
  sent(1000);
  const readRate = importRate(run, clock);
  assert.deepEqual(readRate(), { rate: undefined, remainingMs: undefined });
  clock.advance(2000);
  sent(1400);
  run.share = 0.75;
  assert.deepEqual(readRate(), { rate: 200, remainingMs: 2000 });
  run.state = 'paused';
  clock.advance(60_000);
  assert.deepEqual(readRate(), { rate: 200, remainingMs: 2000 });
  run.share = undefined;
  assert.equal(readRate().remainingMs, undefined);
});
