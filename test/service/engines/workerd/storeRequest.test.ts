import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { StoreConnections } from '../../../../src/service/engines/workerd/storeRequest.ts';
import { HandClock } from '../../../support/handClock.ts';
import { reply, startScriptedServer } from '../../../support/scriptedServer.ts';

test('a connection that the process may have closed takes no other call', async () => {
  await using server = await startScriptedServer(reply({}));
  const clock = new HandClock();
  const connections = new StoreConnections(Number(new URL(server.url).port), clock);
  const opened = new Set<unknown>();
  const call = async (): Promise<number> => {
    await buffer(await connections.send({ path: '/', body: '', headers: {} }));
    for (const socket of server.sockets) opened.add(socket);
    // The answer is read before its connection is free again.
    await new Promise(setImmediate);
    return opened.size;
  };
  assert.equal(await call(), 1);
  clock.advance(2900);
  assert.equal(await call(), 1, 'a call of a moment ago leaves its connection to the next one');
  // The process was busy, so that no timer has closed the connection.
  clock.advance(3000);
  assert.equal(await call(), 2);
  connections.close();
});
