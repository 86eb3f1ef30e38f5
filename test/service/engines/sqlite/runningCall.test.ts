import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { committing, noCall, RunningCall } from '../../../../src/service/engines/sqlite/runningCall.ts';

const workerSource = `
  import { parentPort, workerData } from 'node:worker_threads';
  const { RunningCall } = await import(workerData.source);
  const running = new RunningCall(workerData.memory);
  running.replace(1, 60_000);
  parentPort.postMessage('begins');
  for (let call = 1; ; call = (call % 1000) + 1) running.replace(call, 60_000);
`;

test('no call looks as if its time were over while the thread changes calls', async () => {
  const running = new RunningCall();
  const source = new URL('../../../../src/service/engines/sqlite/runningCall.ts', import.meta.url).href;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(workerSource)}`), {
    workerData: { memory: running.memory, source },
  });
  await new Promise(resolve => worker.once('message', resolve));
  let shortestMs = Infinity;
  for (let read = 0; read < 1_000_000; read++) shortestMs = Math.min(shortestMs, running.read().leftMs);
  await worker.terminate();
  assert.ok(shortestMs > 0, `${shortestMs} ms`);
});

test('a thread without a call, and a call without a limit, have time for ever', () => {
  const running = new RunningCall();
  const watched = new RunningCall(running.memory);
  assert.deepEqual([watched.read().call, watched.read().leftMs], [noCall, Infinity]);
  running.replace(7);
  assert.deepEqual([watched.read().call, watched.read().leftMs], [7, Infinity]);
});

test('only the call that runs is stopped, and none after it', () => {
  const running = new RunningCall();
  running.replace(7, 0);
  assert.ok(running.read().leftMs <= 1);
  assert.equal(running.stop(6), false);
  assert.equal(running.stop(7), true);
  assert.equal(running.stop(7), false);
});

test('a claimed call keeps other projects from the thread until the claim is answered', () => {
  const running = new RunningCall();
  const watched = new RunningCall(running.memory);
  assert.ok(running.enter(1, 10));
  running.replace(7);
  assert.equal(watched.claim(6), undefined);
  assert.deepEqual(watched.claim(7), { place: 1, reportCount: 10 });
  assert.equal(watched.read().call, 7);
  running.replace(noCall);
  assert.equal(running.enter(2, 11), false);
  assert.ok(running.enter(1, 12));
  running.share();
  assert.ok(running.enter(2, 13));
});

test('a project that blocks the thread again while its claim is answered keeps it', () => {
  const running = new RunningCall();
  const watched = new RunningCall(running.memory);
  assert.ok(running.enter(1, 0));
  for (const call of [7, 8]) {
    running.replace(call);
    assert.ok(watched.claim(call));
  }
  running.replace(noCall);
  running.share();
  assert.equal(running.enter(2, 0), false);
  running.share();
  assert.ok(running.enter(2, 0));
});

test('a claimed call can be stopped, and a call that has ended cannot be claimed', () => {
  const running = new RunningCall();
  const watched = new RunningCall(running.memory);
  assert.ok(running.enter(1, 0));
  running.replace(7);
  assert.ok(watched.claim(7));
  assert.ok(watched.stop(7));
  const other = new RunningCall();
  other.replace(7);
  other.replace(committing);
  assert.equal(other.claim(7), undefined);
  assert.equal(other.claim(noCall), undefined);
});
