import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { Holder, nobody } from '../../../../src/service/engines/sqlite/holder.ts';

const passesOn = `
  import { parentPort, workerData } from 'node:worker_threads';
  const { Holder } = await import(workerData.holder);
  const holder = new Holder(workerData.memory);
  parentPort.postMessage('begins');
  for (let call = 1; ; call = (call % 1000) + 1) holder.pass(call);
`;

test('no call has held the thread for a negative time, however often it is passed on', async () => {
  const holder = new Holder();
  const url = new URL('../../../../src/service/engines/sqlite/holder.ts', import.meta.url).href;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(passesOn)}`), {
    workerData: { memory: holder.memory, holder: url },
  });
  await new Promise(resolve => worker.once('message', resolve));
  let shortestMs = Infinity;
  for (let read = 0; read < 1_000_000; read++) shortestMs = Math.min(shortestMs, holder.now().milliseconds);
  await worker.terminate();
  assert.ok(shortestMs >= 0, `${shortestMs} ms`);
});

test('a new holder is held by no call, and its time has just begun', () => {
  const { call, milliseconds } = new Holder(new Holder().memory).now();
  assert.equal(call, nobody);
  assert.ok(milliseconds >= 0 && milliseconds < 60_000, `${milliseconds} ms`);
});
