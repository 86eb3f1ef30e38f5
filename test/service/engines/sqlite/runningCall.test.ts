import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { noCall, RunningCall } from '../../../../src/service/engines/sqlite/runningCall.ts';

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
  assert.deepEqual(watched.read(), { call: noCall, leftMs: Infinity });
  running.replace(7);
  assert.deepEqual(watched.read(), { call: 7, leftMs: Infinity });
});

test('only the call that runs is stopped, and none after it', () => {
  const running = new RunningCall();
  running.replace(7, 0);
  assert.ok(running.read().leftMs <= 1);
  assert.equal(running.stop(6), false);
  assert.equal(running.stop(7), true);
  assert.equal(running.stop(7), false);
});
