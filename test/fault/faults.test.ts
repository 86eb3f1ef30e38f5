import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { type Client, ProjectError } from '../../src/client/index.ts';
import { seeded } from '../fuzz/random.ts';
import {
  type Answer,
  reply,
  reset,
  type ScriptedServer,
  stall,
  startScriptedServer,
  testClient,
} from '../support/scriptedServer.ts';

const rowCount = 40;
const completeAnswer = JSON.stringify({
  rows: Array.from({ length: rowCount }, (_, id) => ({ id, text: `row ${id}` })),
  ok: true,
});

/** A server that fails at random, before or after some rows. */
function misbehaving(seed: number): Answer {
  const random = seeded(seed);
  return (response, request) => {
    const cut = Math.floor(random() * completeAnswer.length);
    const begin = (then: () => void): void => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(completeAnswer.slice(0, cut), then);
    };
    const ways: readonly (() => void)[] = [
      () => reply(completeAnswer)(response, request),
      () => reply(completeAnswer)(response, request),
      () => reset(response, request),
      () => begin(() => response.socket?.resetAndDestroy()),
      () => begin(() => response.end()),
      () => begin(() => response.end(']x')),
      () => reply({ message: 'slow down' }, 429, { 'retry-after': '1' })(response, request),
      () => reply({ message: 'broken' }, 500)(response, request),
      () => response.socket?.end('garbage\r\n\r\n'),
      // The last two cost a timeout each, so they are drawn less often.
      () => begin(() => {}),
      () => stall(response, request),
    ];
    const silent = random() < 0.04;
    const noisy = ways.slice(0, -2);
    (silent ? ways.slice(-2) : noisy)[Math.floor(random() * (silent ? 2 : noisy.length))]!();
  };
}

/** Requires the first rows, each once, and an error when some are missing. */
async function readStream(client: Client): Promise<void> {
  const scanner = await client.execSqlStream('p', { sql: 'SELECT 1' });
  let expected = 0;
  for await (const row of scanner) assert.equal(row['id'], expected++);
  const fault = scanner.err();
  assert.ok(fault ? fault instanceof ProjectError : expected === rowCount, `${expected} rows`);
}

async function readWhole(client: Client): Promise<void> {
  const { rows } = await client.execSql('p', { sql: 'DELETE FROM t' }, { idempotencyKey: 'k' });
  assert.deepEqual(
    rows.map(row => row['id']),
    Array.from({ length: rowCount }, (_, id) => id),
  );
}

async function closed(server: ScriptedServer): Promise<void> {
  await Promise.all([...server.sockets].map(socket => once(socket, 'close')));
}

test('Faults: ten thousand calls to a server that fails at random all settle, with no row lost or repeated', async t => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): unknown => unhandled.push(reason);
  process.on('unhandledRejection', note);
  t.after(() => process.off('unhandledRejection', note));

  await using server = await startScriptedServer(misbehaving(7));
  const client = testClient(server, { headersTimeout: 500, bodyTimeout: 500, retries: 2 });
  const outcomes = { fulfilled: 0, rejected: 0 };
  let remaining = 10_000;
  const caller = async (): Promise<void> => {
    while (remaining-- > 0) {
      try {
        await (remaining % 2 === 0 ? readStream(client) : readWhole(client));
        outcomes.fulfilled++;
      } catch (thrown) {
        if (!(thrown instanceof ProjectError)) throw thrown;
        assert.notEqual(thrown.kind, 'misuse');
        outcomes.rejected++;
      }
    }
  };
  await Promise.all(Array.from({ length: 200 }, caller));
  assert.equal(outcomes.fulfilled + outcomes.rejected, 10_000);
  assert.ok(outcomes.fulfilled > 100 && outcomes.rejected > 100, JSON.stringify(outcomes));
  assert.ok(server.sockets.size <= 64);
  const allClosed = closed(server);
  await client.close();
  await allClosed;
  assert.equal(server.sockets.size, 0);
  assert.deepEqual(unhandled, []);
});
