import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClientOptions, RetryWait } from '../../src/client/index.ts';
import { Client } from '../../src/client/index.ts';
import { rejection, reply, startScriptedServer, testClient } from '../support/scriptedServer.ts';

const limited = reply({ message: 'Slow down.' }, 429, { 'retry-after': '20' });

test('onWait gets each wait with its fault and duration, and learns when it is over', async () => {
  await using server = await startScriptedServer(limited, reply({ tables: ['t'] }));
  const waits: RetryWait[] = [];
  await using client = testClient(server, { onWait: wait => waits.push(wait) });
  assert.deepEqual(await client.listTables('p'), ['t']);
  const [wait] = waits;
  assert.equal(waits.length, 1);
  assert.deepEqual([wait?.milliseconds, wait?.attempt, wait?.fault.code], [20_000, 1, 'rate_limited']);
  assert.ok(wait?.over.aborted);
});

test('stopRetrying rejects the call with the fault at once, and no further request is sent', async () => {
  await using server = await startScriptedServer(limited, reply({ tables: ['t'] }));
  let over: AbortSignal | undefined;
  const onWait: ClientOptions['onWait'] = wait => {
    ({ over } = wait);
    wait.stopRetrying();
  };
  // With the real clock: the wait itself would take 20 seconds.
  await using client = new Client({ baseUrl: server.url, onWait });
  assert.equal(((await rejection(client.listTables('p'))) as { code: string }).code, 'rate_limited');
  assert.ok(over?.aborted);
  assert.equal(server.requests.length, 1);
});

test('an aborted call ends its wait', async () => {
  await using server = await startScriptedServer(limited);
  const controller = new AbortController();
  let over: AbortSignal | undefined;
  const onWait: ClientOptions['onWait'] = wait => {
    ({ over } = wait);
    controller.abort(new Error('enough'));
  };
  await using client = new Client({ baseUrl: server.url, onWait });
  await assert.rejects(client.listTables('p', { signal: controller.signal }), { message: 'enough' });
  assert.ok(over?.aborted);
});

test('onWait of a call gets its waits, and onWait of the client learns that the call has one', async () => {
  await using server = await startScriptedServer(limited, reply({ tables: [] }), limited, reply({ tables: [] }));
  const [client, call]: [RetryWait[], RetryWait[]] = [[], []];
  await using both = testClient(server, { onWait: wait => client.push(wait) });
  await both.listTables('p');
  await both.listTables('p', { onWait: wait => call.push(wait) });
  assert.deepEqual(
    client.map(({ isWatched }) => isWatched),
    [false, true],
  );
  assert.deepEqual([call.length, call[0]?.fault.code], [1, 'rate_limited']);
});

function fail(): never {
  throw new Error('broken');
}

test('an onWait that throws does not fail the call', async () => {
  await using server = await startScriptedServer(limited, reply({ tables: [] }));
  await using client = testClient(server, { onWait: fail });
  assert.deepEqual(await client.listTables('p'), []);
});
