import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Leases } from '../../../src/service/http/leases.ts';

function countingLeases() {
  const counts = { lastReleased: 0 };
  const leases = new Leases(() => counts.lastReleased++);
  return { leases, counts };
}

test('a lease lasts until its caller leaves, and only the last one is reported', async () => {
  const { leases, counts } = countingLeases();
  const first = new AbortController();
  const second = new AbortController();
  const answer = leases.grant(first.signal);
  leases.grant(second.signal);
  assert.equal(leases.count, 2);
  first.abort();
  assert.deepEqual([leases.count, counts.lastReleased], [1, 0]);
  assert.equal(await answer.text(), '\n');
  second.abort();
  assert.deepEqual([leases.count, counts.lastReleased], [0, 1]);
});

test('closing ends all leases without a report, and refuses new ones', async () => {
  const { leases, counts } = countingLeases();
  const answer = leases.grant(new AbortController().signal);
  leases.close();
  assert.equal(await answer.text(), '\n');
  assert.deepEqual([leases.count, counts.lastReleased], [0, 0]);
  assert.throws(() => leases.grant(new AbortController().signal), { status: 503, code: 'busy' });
});

test('a caller that has already left gets no lease', () => {
  const { leases } = countingLeases();
  assert.throws(() => leases.grant(AbortSignal.abort()), { status: 503 });
  assert.equal(leases.count, 0);
});
