import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type HeldBody, RequestBodies } from '../../../src/service/http/requestBody.ts';
import { ServiceError } from '../../../src/wire/serviceError.ts';

const megabyte = 1024 * 1024;
/** Pieces of bodies share their memory, so only what the service gathers takes any. */
const piece = new Uint8Array(64 * 1024).fill(0x20);

interface ChunkedBody {
  /** Called when the service has taken all bytes and waits for more. */
  readonly onTaken?: () => void;
  readonly end?: Promise<void>;
}

/** A request with a body of 5 MiB, whose length it does not announce. */
function chunked({ onTaken, end }: ChunkedBody = {}): Request {
  let bytes = 0;
  const pull = async (controller: ReadableStreamDefaultController): Promise<void> => {
    if (bytes < 5 * megabyte) {
      bytes += piece.length;
      controller.enqueue(piece);
    } else {
      onTaken?.();
      await end;
      controller.close();
    }
  };
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: new ReadableStream({ pull }, { highWaterMark: 0 }),
    duplex: 'half',
  };
  return new Request('http://service/', init);
}

const codeOf = (thrown: unknown): unknown => (thrown instanceof ServiceError ? thrown.code : thrown);

test('bodies of unknown length take at most the memory that one project may hold', async () => {
  const bodies = new RequestBodies();
  const end = Promise.withResolvers<void>();
  const open: Promise<HeldBody>[] = [];
  const bytesBefore = process.memoryUsage().arrayBuffers;
  const takeBody = async (): Promise<unknown> => {
    const taken = Promise.withResolvers<void>();
    const body = bodies.statement(chunked({ onTaken: taken.resolve, end: end.promise }), 'p');
    open.push(body);
    return Promise.race([taken.promise, body.catch(codeOf)]);
  };
  let refusal: unknown;
  while (refusal === undefined) refusal = await takeBody();
  const takenBytes = process.memoryUsage().arrayBuffers - bytesBefore;
  assert.equal(refusal, 'busy');
  assert.ok(takenBytes > 32 * megabyte && takenBytes < 65 * megabyte, `${takenBytes} bytes`);
  end.resolve();
  for (const outcome of await Promise.allSettled(open)) {
    if (outcome.status === 'fulfilled') outcome.value[Symbol.dispose]();
  }
});

test('a whole body counts as long as it is, however it came', async () => {
  const bodies = new RequestBodies();
  const whole: HeldBody[] = [];
  for (let count = 0; count < 12; count++) whole.push(await bodies.statement(chunked(), 'p'));
  for (const { bytes } of whole)
    assert.deepEqual([bytes.length, bytes.buffer.byteLength], [5 * megabyte, 5 * megabyte]);
  assert.equal(await bodies.statement(chunked(), 'p').catch(codeOf), 'busy');
  whole.pop()?.[Symbol.dispose]();
  (await bodies.statement(chunked(), 'p'))[Symbol.dispose]();
});
