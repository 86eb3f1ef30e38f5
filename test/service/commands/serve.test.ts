import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closeInTime, serveCommand } from '../../../src/service/commands/serve.ts';
import { HandClock } from '../../support/handClock.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

test('a shared service that no window takes a lease on ends by itself after ten seconds', async () => {
  const folder = temporaryFolder();
  const clock = new HandClock();
  const listening = Promise.withResolvers<string>();
  const output = { print: listening.resolve, note: assert.fail };
  let hasEnded = false;
  const ended = serveCommand.run(['--data', folder, '--while-leased'], output, clock).then(() => (hasEnded = true));
  const baseUrl = (await listening.promise).replace('listening ', '');
  clock.advance(9999);
  assert.ok(await fetch(baseUrl));
  assert.equal(hasEnded, false);
  clock.advance(1);
  await ended;
  await assert.rejects(fetch(baseUrl));
});

test('a service that hangs while it closes ends its process', async () => {
  const clock = new HandClock();
  const closing = Promise.withResolvers<void>();
  let ends = 0;
  const limit = { limitMs: 10_000, endProcess: () => ends++, clock };
  const closed = closeInTime({ close: () => closing.promise }, limit);
  clock.advance(9999);
  assert.equal(ends, 0);
  clock.advance(1);
  assert.equal(ends, 1);
  closing.resolve();
  await closed;
  await closeInTime({ close: async () => {} }, limit);
  clock.advance(60_000);
  assert.equal(ends, 1);
});
