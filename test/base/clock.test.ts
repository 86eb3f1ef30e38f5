import assert from 'node:assert/strict';
import { test } from 'node:test';
import { delay, systemClock } from '../../src/base/clock.ts';
import { rejection } from '../support/scriptedServer.ts';

test('Clock: a delay ends when its time has come, or at once with the signal’s reason', async () => {
  const controller = new AbortController();
  await delay(systemClock, 1, controller.signal);
  const long = rejection(delay(systemClock, 1e6, controller.signal));
  controller.abort('enough');
  assert.equal(await long, 'enough');
  assert.equal(await rejection(delay(systemClock, 1, controller.signal)), 'enough');
});
