import assert from 'node:assert/strict';
import { Duplex, PassThrough } from 'node:stream';
import { test } from 'node:test';
import {
  bytesBody,
  Channel,
  type MessageHandlers,
  emptyBody,
  nextNumber,
  uint32,
  structuredBody,
} from '../../../../src/service/engines/sqlite/channel.ts';
import { noCall, RunningCall } from '../../../../src/service/engines/sqlite/runningCall.ts';

const table = { call: structuredBody<unknown>(), cancel: emptyBody, rows: bytesBody, credit: uint32 };
type TestChannel = Channel<typeof table, typeof table>;
const ignoreAll: MessageHandlers<typeof table> = { call() {}, cancel() {}, rows() {}, credit() {} };

const callBody = { text: 'ä', big: 9_007_199_254_740_993n, none: null, infinite: -Infinity };
const sentBytes = await bytesOf(sendMessages);

function sendMessages(channel: TestChannel): void {
  channel.send('call', 1, callBody);
  channel.send('cancel', 2);
  channel.send('rows', 4_000_000_000, Buffer.alloc(10_000, 'x'));
  channel.send('rows', 3, Buffer.from('end'));
  channel.send('credit', 5, 4_000_000_001);
}

async function bytesOf(send: (channel: TestChannel) => void): Promise<Buffer> {
  const pipe = new PassThrough();
  const channel = new Channel(pipe, table, table, ignoreAll);
  pipe.removeAllListeners('data');
  const parts: Buffer[] = [];
  pipe.on('data', (part: Buffer) => parts.push(part));
  send(channel);
  await channel.flush();
  return Buffer.concat(parts);
}

/** A channel whose received messages are recorded. */
function recordingChannel(): { pipe: PassThrough; channel: TestChannel; received: unknown[] } {
  const pipe = new PassThrough();
  const received: unknown[] = [];
  const channel = new Channel(pipe, table, table, {
    call: (call, body) => received.push(['call', call, body]),
    cancel: call => received.push(['cancel', call]),
    rows: (call, body) => received.push(['rows', call, Buffer.from(body).toString()]),
    credit: (call, body) => received.push(['credit', call, body]),
  });
  return { pipe, channel, received };
}

const allMessages = [
  ['call', 1, callBody],
  ['cancel', 2],
  ['rows', 4_000_000_000, 'x'.repeat(10_000)],
  ['rows', 3, 'end'],
  ['credit', 5, 4_000_000_001],
];

for (const size of [1, 2, 7, 8, 9, 10, 100, 9_999, 100_000]) {
  test(`messages arrive whole and in order when they come in pieces of ${size} bytes`, () => {
    const { pipe, received } = recordingChannel();
    for (let at = 0; at < sentBytes.length; at += size) pipe.emit('data', sentBytes.subarray(at, at + size));
    assert.deepEqual(received, allMessages);
  });
}

test('messages that arrive during a flush are delivered after it, in order', async () => {
  const { pipe, channel, received } = recordingChannel();
  const flushed = channel.flush();
  pipe.emit('data', sentBytes.subarray(0, 10_000));
  assert.deepEqual(received, []);
  await flushed;
  pipe.emit('data', sentBytes.subarray(10_000));
  assert.deepEqual(received, allMessages);
});

test('a number of messages has been received when the last of them is delivered', async () => {
  const { pipe, channel } = recordingChannel();
  await channel.received(0);
  const events: string[] = [];
  const received = channel.received(allMessages.length).then(() => events.push('received'));
  pipe.emit('data', sentBytes.subarray(0, -1));
  await new Promise(setImmediate);
  events.push('last byte');
  pipe.emit('data', sentBytes.subarray(-1));
  await received;
  assert.deepEqual(events, ['last byte', 'received']);
});

test('the messages of a turn, and those of a batch, leave in one write', async () => {
  const writes: string[] = [];
  const pipe = new Duplex({
    read() {},
    writev(chunks, done) {
      writes.push(Buffer.concat(chunks.map(({ chunk }) => chunk as Buffer)).toString('latin1'));
      done();
    },
  });
  const channel = new Channel(pipe, table, table, ignoreAll);
  channel.batchTurn();
  sendMessages(channel);
  await channel.flush();
  channel.batch(() => sendMessages(channel));
  assert.deepEqual(writes, [sentBytes.toString('latin1'), sentBytes.toString('latin1')]);
});

test('call numbers start again after 2^31 calls and skip those of open calls', () => {
  let last = 2 ** 31 - 3;
  const calls = Array.from({ length: 4 }, () => (last = nextNumber(last, number => number === 1)));
  assert.deepEqual(calls, [2_147_483_646, 2_147_483_647, 2, 3]);
  const running = new RunningCall();
  for (const call of calls) {
    running.replace(call);
    assert.equal(running.read().call, call);
  }
  running.replace(noCall);
});
