import assert from 'node:assert/strict';
import { Duplex, PassThrough } from 'node:stream';
import { test } from 'node:test';
import { Channel, frameKinds, valueOf } from '../../../../src/service/engines/sqlite/channel.ts';

/** What frames look like on the pipe. */
async function bytesOf(send: (channel: Channel) => void): Promise<Buffer> {
  const pipe = new PassThrough();
  const channel = new Channel(pipe, () => {});
  pipe.removeAllListeners('data');
  const parts: Buffer[] = [];
  pipe.on('data', (part: Buffer) => parts.push(part));
  send(channel);
  await channel.flush();
  return Buffer.concat(parts);
}

const value = { text: 'ä', big: 9_007_199_254_740_993n, none: null, infinite: -Infinity };
const bytes = await bytesOf(sendSome);

function sendSome(channel: Channel): void {
  channel.sendValue(frameKinds.call, 1, value);
  channel.send(frameKinds.cancel, 2);
  channel.send(frameKinds.rows, 4_000_000_000, Buffer.alloc(10_000, 'x'));
  channel.send(frameKinds.rows, 3, Buffer.from('end'));
}

for (const size of [1, 2, 7, 8, 9, 10, 100, 9_999, 100_000]) {
  test(`frames arrive whole and in order when they come in pieces of ${size} bytes`, () => {
    const pipe = new PassThrough();
    const found: unknown[] = [];
    void new Channel(pipe, ({ kind, call, body }) => {
      found.push([kind, call, kind === frameKinds.call ? valueOf(body) : Buffer.from(body).toString()]);
    });
    for (let at = 0; at < bytes.length; at += size) pipe.emit('data', bytes.subarray(at, at + size));
    assert.deepEqual(found, [
      [frameKinds.call, 1, value],
      [frameKinds.cancel, 2, ''],
      [frameKinds.rows, 4_000_000_000, 'x'.repeat(10_000)],
      [frameKinds.rows, 3, 'end'],
    ]);
  });
}

test('frames that are gathered, and those that are sent together, leave as one', async () => {
  const left: string[] = [];
  const pipe = new Duplex({
    read() {},
    writev(chunks, done) {
      left.push(Buffer.concat(chunks.map(({ chunk }) => chunk as Buffer)).toString('latin1'));
      done();
    },
  });
  const channel = new Channel(pipe, () => {});
  channel.gather();
  sendSome(channel);
  await channel.flush();
  channel.together(() => sendSome(channel));
  assert.deepEqual(left, [bytes.toString('latin1'), bytes.toString('latin1')]);
});
