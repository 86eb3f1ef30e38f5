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

for (const way of ['batches', 'frames']) {
  test(`Streaming 8: a gigabyte read slowly by ${way} grows the process by less than 64 MB and makes the server wait`, async () => {
    await using server = await startRowServer();
    const child = fork(new URL('../support/readGigabyte.ts', import.meta.url), [server.url, way]);
    const [reading] = (await once(child, 'message')) as [Reading];
    await once(child, 'exit');
    assert.ok(reading.clean && reading.bytes > 1e9, JSON.stringify(reading));
    assert.equal(reading.rows, 6_600_000);
    assert.ok(reading.growth < 64, `grew by ${reading.growth} MB`);
    assert.ok((await server.waits()) > 100);
  });
}
