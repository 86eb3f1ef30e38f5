import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { Holder, nobody } from '../../../../src/service/engines/sqlite/holder.ts';

const handsOn = `
  import { parentPort, workerData } from 'node:worker_threads';
  const { Holder } = await import(workerData.holder);
  const holder = new Holder(workerData.memory);
  parentPort.postMessage('begins');
  for (let call = 1; ; call = (call % 1000) + 1) holder.pass(call);
`;

test('a thread that is handed on all the time has had no call for less than no time', async () => {
  const holder = new Holder();
  const url = new URL('../../../../src/service/engines/sqlite/holder.ts', import.meta.url).href;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(handsOn)}`), {
    workerData: { memory: holder.memory, holder: url },
  });
  await new Promise(resolve => worker.once('message', resolve));
  let least = Infinity;
  for (let asked = 0; asked < 1_000_000; asked++) least = Math.min(least, holder.now().milliseconds);
  await worker.terminate();
  assert.equal(least < 0, false, `${least} ms`);
});

test('before the thread has had any call, nobody has it, and not for years', () => {
  const { call, milliseconds } = new Holder(new Holder().memory).now();
  assert.equal(call, nobody);
  assert.ok(milliseconds >= 0 && milliseconds < 60_000, `${milliseconds} ms`);
});
