import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { startRowServer } from '../support/startRowServer.ts';

interface Reading {
  readonly rows: number;
  readonly bytes: number;
  readonly growth: number;
  readonly clean: boolean;
}

for (const api of ['batches', 'rawBatches']) {
  test(`Streaming 8: a gigabyte read slowly by ${api} grows the process by less than 64 MB and makes the server wait`, async context => {
    await using server = await startRowServer();
    const child = fork(new URL('../support/readGigabyte.ts', import.meta.url), [server.url, api]);
    context.after(() => child.kill('SIGKILL'));
    const exited = once(child, 'exit');
    const message = once(child, 'message') as Promise<[Reading]>;
    const [reading] = await Promise.race([message, exited.then(() => assert.fail('The reader ended early.'))]);
    await exited;
    assert.ok(reading.clean && reading.bytes > 1e9, JSON.stringify(reading));
    assert.equal(reading.rows, 6_600_000);
    assert.ok(reading.growth < 64, `grew by ${reading.growth} MB`);
    assert.ok((await server.waits()) > 100);
  });
}
