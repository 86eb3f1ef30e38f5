import assert from 'node:assert/strict';
import { type FileHandle, open } from 'node:fs/promises';
import { test } from 'node:test';
import { SpoolWriter } from '../../../../src/model/results/spool/spoolWriter.ts';

test('a full disk fails the next write, and rows that were not written are not counted', async () => {
  await using full = await open('/dev/full', 'r+');
  const writer = new SpoolWriter(full);
  assert.equal(writer.write([Buffer.from('{"n":0}')], 1), undefined);
  await assert.rejects(writer.flush(), { code: 'ENOSPC' });
  await assert.rejects(async () => writer.write([Buffer.from('{"n":1}')], 2), { code: 'ENOSPC' });
  assert.deepEqual([writer.rowCount, writer.size], [0, 0]);
});

/** A file whose writes end when the test says so, in any order. */
function slowDisk() {
  const writes: { readonly at: number; readonly bytes: number; end(fault?: Error): void }[] = [];
  const handle = {
    async writev(pieces: readonly Uint8Array[], at: number) {
      const bytes = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      writes.push({ at, bytes, end: fault => (fault ? reject(fault) : resolve()) });
      await promise;
      return { bytesWritten: bytes };
    },
  } as unknown as FileHandle;
  return { handle, writes };
}

const block = Buffer.alloc(512 * 1024);
const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

test('several writes run at a time, and rows count in their order', async () => {
  const { handle, writes } = slowDisk();
  const writer = new SpoolWriter(handle);
  for (const rowCount of [1, 2, 3]) void writer.write([block], rowCount);
  assert.deepEqual(
    writes.map(({ at }) => at),
    [0, block.length, 2 * block.length],
  );
  writes[1]!.end();
  await turn();
  assert.deepEqual([writer.rowCount, writer.size], [0, 0]);
  writes[0]!.end();
  await turn();
  assert.deepEqual([writer.rowCount, writer.size], [2, 2 * block.length]);
  writes[2]!.end();
  await writer.flush();
  assert.deepEqual([writer.rowCount, writer.size], [3, 3 * block.length]);
});

test('no rows count after a failed write', async () => {
  const { handle, writes } = slowDisk();
  const writer = new SpoolWriter(handle);
  for (const rowCount of [1, 2, 3]) void writer.write([block], rowCount);
  writes[1]!.end(new Error('The disk is full.'));
  writes[2]!.end();
  await turn();
  writes[0]!.end();
  await assert.rejects(writer.flush(), /The disk is full/);
  assert.deepEqual([writer.rowCount, writer.size], [1, block.length]);
});

test('a writer that is too far ahead of the disk waits until enough is written, and no longer', async () => {
  const { handle, writes } = slowDisk();
  const writer = new SpoolWriter(handle);
  let room: Promise<void> | undefined;
  let rowCount = 0;
  while (!room) room = writer.write([block], ++rowCount);
  let waits = true;
  const waited = room.then(() => (waits = false));
  await turn();
  assert.ok(waits);
  writes[0]!.end();
  await waited;
  for (let at = 1; at < writes.length; at++) {
    writes[at]!.end();
    await turn();
  }
  await writer.flush();
  assert.deepEqual([writer.rowCount, writer.size], [rowCount, rowCount * block.length]);
});
