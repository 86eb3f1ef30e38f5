import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { test } from 'node:test';
import { SchemaRefresh } from '../../../src/host/language/schemaRefresh.ts';
import { HandClock } from '../../support/handClock.ts';

/** A refresh whose fetches the test ends. */
function makeRefresh(mayRetry = true) {
  const clock = new HandClock();
  const fetches: (PromiseWithResolvers<void> & { readonly signal: AbortSignal })[] = [];
  const refresh = new SchemaRefresh({
    fetch: signal => {
      const fetch = { ...Promise.withResolvers<void>(), signal };
      fetches.push(fetch);
      return fetch.promise;
    },
    mayRetry: () => mayRetry,
    clock,
  });
  const end = async (fault?: Error): Promise<void> => {
    const fetch = fetches.at(-1)!;
    if (fault) fetch.reject(fault);
    else fetch.resolve();
    await nextTurn();
  };
  return { clock, fetches, refresh, end };
}

const away = new Error('away');
const second = 1000;
const minute = 60 * second;

test('the first request fetches at once, and more within a second lead to one more fetch', async () => {
  const { clock, fetches, refresh, end } = makeRefresh();
  refresh.requestSoon();
  assert.equal(fetches.length, 1);
  await end();
  for (let count = 0; count < 5; count++) refresh.requestSoon();
  assert.equal(fetches.length, 1);
  clock.advance(second);
  assert.equal(fetches.length, 2);
});

test('requests during a fetch lead to one fetch after it: the change may have come too late for the first', async () => {
  const { clock, fetches, refresh, end } = makeRefresh();
  refresh.requestSoon();
  for (let count = 0; count < 5; count++) {
    refresh.requestSoon();
    clock.advance(second);
  }
  assert.equal(fetches.length, 1);
  await end();
  assert.equal(fetches.length, 2);
  await end();
  assert.equal(fetches.length, 2);
});

test('a failed fetch is tried again after longer and longer waits', async () => {
  const { clock, fetches, refresh, end } = makeRefresh();
  refresh.requestSoon();
  for (const waitMs of [10 * second, 20 * second, 40 * second]) {
    await end(away);
    const count = fetches.length;
    clock.advance(waitMs - 1);
    assert.equal(fetches.length, count);
    clock.advance(1);
    assert.equal(fetches.length, count + 1);
  }
});

test('a wait is never longer than ten minutes, and a success makes the next one short again', async () => {
  const { clock, fetches, refresh, end } = makeRefresh();
  refresh.requestSoon();
  for (let count = 1; count <= 10; count++) {
    assert.equal(fetches.length, count);
    await end(away);
    clock.advance(10 * minute);
  }
  await end();
  clock.advance(second);
  refresh.requestSoon();
  await end(away);
  const before = fetches.length;
  clock.advance(10 * second);
  assert.equal(fetches.length, before + 1);
});

test('a plain request does not shorten the wait for a retry, and a change does', async () => {
  const { clock, fetches, refresh, end } = makeRefresh();
  refresh.requestIfIdle();
  await end(away);
  clock.advance(2 * second);
  refresh.requestIfIdle();
  assert.equal(fetches.length, 1);
  refresh.requestSoon();
  assert.equal(fetches.length, 2);
});

test('a fetch with a fault that time does not fix is not retried', async () => {
  const { clock, fetches, refresh, end } = makeRefresh(false);
  refresh.requestSoon();
  await end(away);
  clock.advance(60 * minute);
  assert.equal(fetches.length, 1);
});

test('the user hears what went wrong with his own fetch', async () => {
  const { refresh, end } = makeRefresh();
  const fetched = assert.rejects(refresh.fetchNow(), away);
  await end(away);
  await fetched;
});

test('disposing aborts the fetch and ends the retries', async () => {
  const { clock, fetches, refresh, end } = makeRefresh();
  refresh.requestSoon();
  refresh.dispose();
  assert.ok(fetches[0]?.signal.aborted);
  await end(away);
  refresh.requestSoon();
  clock.advance(60 * minute);
  assert.equal(fetches.length, 1);
});
