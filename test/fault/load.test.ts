import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { reply, startScriptedServer, testClient } from '../support/scriptedServer.ts';

test('Load: two thousand calls at once get their own answers over at most 64 sockets', async () => {
  await using server = await startScriptedServer((response, request) => {
    const { params } = JSON.parse(request.body) as { params: number[] };
    reply({ rows: [{ caller: params[0], turn: params[1] }] })(response, request);
  });
  const client = testClient(server);
  const callers = Array.from({ length: 100 }, async (_, caller) => {
    const turns = Array.from({ length: 20 }, async (_turn, turn) => {
      const { rows } = await client.execSql('p', { sql: 'SELECT ?, ?', params: [caller, turn] });
      assert.deepEqual(rows, [{ caller, turn }]);
    });
    await Promise.all(turns);
  });
  await Promise.all(callers);
  assert.equal(server.requests.length, 2000);
  assert.ok(server.sockets.size <= 64, `${server.sockets.size} sockets`);
  const closed = Promise.all([...server.sockets].map(socket => once(socket, 'close')));
  await client.close();
  await closed;
  assert.equal(server.sockets.size, 0);
});

test('Load: a caller that awaits its calls is served in its own order', async () => {
  await using server = await startScriptedServer((response, request) => reply({ rows: [] })(response, request));
  await using client = testClient(server);
  await Promise.all(
    Array.from({ length: 50 }, async (_, caller) => {
      for (let turn = 0; turn < 10; turn++) await client.execSql('p', { sql: 'SELECT ?, ?', params: [caller, turn] });
    }),
  );
  const turns = new Map<number, number[]>();
  for (const { body } of server.requests) {
    const [caller = 0, turn = 0] = (JSON.parse(body) as { params: number[] }).params;
    turns.set(caller, [...(turns.get(caller) ?? []), turn]);
  }
  for (const order of turns.values()) assert.deepEqual(order, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});
