import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { ThreadHolder, nobody } from '../../../../src/service/engines/sqlite/threadHolder.ts';

const workerSource = `
  import { parentPort, workerData } from 'node:worker_threads';
  const { ThreadHolder } = await import(workerData.holder);
  const holder = new ThreadHolder(workerData.memory);
  parentPort.postMessage('begins');
  for (let call = 1; ; call = (call % 1000) + 1) holder.pass(call);
`;

test('the time of the running call is never negative while the thread changes calls', async () => {
  const holder = new ThreadHolder();
  const url = new URL('../../../../src/service/engines/sqlite/threadHolder.ts', import.meta.url).href;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(workerSource)}`), {
    workerData: { memory: holder.memory, holder: url },
  });
  await new Promise(resolve => worker.once('message', resolve));
  let shortestMs = Infinity;
  for (let read = 0; read < 1_000_000; read++) shortestMs = Math.min(shortestMs, holder.now().milliseconds);
  await worker.terminate();
  assert.ok(shortestMs >= 0, `${shortestMs} ms`);
});

test('a new reader of the memory finds no running call and a time near zero', () => {
  const { call, milliseconds } = new ThreadHolder(new ThreadHolder().memory).now();
  assert.equal(call, nobody);
  assert.ok(milliseconds >= 0 && milliseconds < 60_000, `${milliseconds} ms`);
});
