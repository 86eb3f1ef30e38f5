import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { codeOf } from '../support/codeOf.ts';
import { type Answer, openStream, reply, reset, startScriptedServer, testClient } from '../support/scriptedServer.ts';

test('Streaming 1: rows arrive while the body is still being written', async () => {
  await using server = await startScriptedServer(openStream);
  await using client = testClient(server);
  const scanner = await client.execSqlStream('p', { sql: 'SELECT 1' });
  const row = {};
  assert.ok((await scanner.next(row)) && (await scanner.next(row)));
  assert.deepEqual(row, { a: 2 });
  await scanner.close();
});

test('Streaming 5: close() in mid-stream frees the socket at once, even while next() waits', async () => {
  await using server = await startScriptedServer(openStream);
  await using client = testClient(server);
  const scanner = await client.execSqlStream('p', { sql: 'SELECT 1' });
  for await (const batch of scanner.batches()) {
    assert.equal(batch.length, 2);
    const [socket] = server.sockets;
    const waiting = scanner.next({});
    await Promise.all([once(socket!, 'close'), scanner.close(), scanner.close()]);
    assert.equal(await waiting, false);
  }
  assert.equal(scanner.err(), undefined);
  assert.equal(server.sockets.size, 0);
});

test('Streaming 5: leaving a for-await loop and an await using block close the stream', async () => {
  await using server = await startScriptedServer(openStream);
  await using client = testClient(server);
  const loop = await client.execSqlStream('p', { sql: 'SELECT 1' });
  const [first] = server.sockets;
  for await (const row of loop) if (row['a']) break;
  await once(first!, 'close');
  const [second] = await (async () => {
    await using _ = await client.execSqlStream('p', { sql: 'SELECT 1' });
    return server.sockets;
  })();
  await once(second!, 'close');
});

test('Streaming 7: a connection that is lost in mid-stream delivers the rows before the loss', async () => {
  const cuts: readonly Answer[] = [
    response => response.write('{"rows":[{"a":1},{"a":2},{"a"', () => response.socket?.resetAndDestroy()),
    response => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"rows":[{"a":1},{"a":2}', () => response.socket?.end());
    },
  ];
  for (const cut of cuts) {
    await using server = await startScriptedServer(cut);
    await using client = testClient(server);
    const scanner = await client.execSqlStream('p', { sql: 'SELECT 1' });
    assert.deepEqual(await Array.fromAsync(scanner), [{ a: 1 }, { a: 2 }]);
    assert.equal(codeOf(scanner.err()), 'transport/connection_lost');
    assert.equal(server.requests.length, 1);
  }
});

test('Streaming 7: a connection lost before reading is reported by err(), not as an unhandled error', async () => {
  await using server = await startScriptedServer(openStream);
  await using client = testClient(server);
  const scanner = await client.execSqlStream('p', { sql: 'SELECT 1' });
  const [socket] = server.sockets;
  socket!.resetAndDestroy();
  await once(socket!, 'close');
  await new Promise(setImmediate);
  await Array.fromAsync(scanner);
  assert.equal(codeOf(scanner.err()), 'transport/connection_lost');
});

test('Streaming 9: faults before the answer begins are retried, later ones are not', async () => {
  await using server = await startScriptedServer(reply({}, 503), reset, reply({}, 429), openStream);
  await using client = testClient(server);
  const scanner = await client.execSqlStream('p', { sql: 'SELECT 1' });
  assert.deepEqual(client.waits, [300, 600, 1200]);
  assert.ok(await scanner.next({}));
  for (const socket of server.sockets) socket.resetAndDestroy();
  while (await scanner.next({}));
  assert.equal(codeOf(scanner.err()), 'transport/connection_lost');
  assert.equal(server.requests.length, 4);
});

test('Streaming: an aborted scanner ends, and err() is the signal’s reason', async () => {
  await using server = await startScriptedServer(openStream);
  await using client = testClient(server);
  const controller = new AbortController();
  const scanner = await client.execSqlStream('p', { sql: 'SELECT 1' }, { signal: controller.signal });
  assert.ok(await scanner.next({}));
  const reason = new Error('enough');
  const frames = Array.fromAsync(scanner.batches());
  controller.abort(reason);
  await frames;
  assert.equal(scanner.err(), reason);
});

test('Streaming: a replayed answer is marked', async () => {
  await using server = await startScriptedServer(
    reply({ ok: true, row_count: 1 }, 200, { 'x-idempotency-replayed': 'true' }),
  );
  await using client = testClient(server);
  const scanner = await client.execSqlStream('p', { sql: 'DELETE FROM t' }, { idempotencyKey: 'k' });
  assert.deepEqual([scanner.replayed, scanner.status], [true, 200]);
  await scanner.close();
  assert.equal((await client.execSql('p', { sql: 'DELETE FROM t' }, { idempotencyKey: 'k' })).replayed, true);
});
