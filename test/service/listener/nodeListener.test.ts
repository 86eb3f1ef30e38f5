import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { systemClock } from '../../../src/base/clock.ts';
import type { Handler } from '../../../src/service/http/handler.ts';
import { NodeListener, type ClientTimeouts } from '../../../src/service/listener/nodeListener.ts';
import { rawCall, RawConnection, requestBytes } from '../../support/rawHttp.ts';
import { recordingLogger } from '../../support/recordingLogger.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const long = 60_000;
const longTimeouts: ClientTimeouts = {
  head: long,
  request: long,
  idle: long,
  reading: long,
  pausing: long,
  stopping: long,
};

interface Listening {
  readonly listener: NodeListener;
  readonly baseUrl: string;
  readonly logged: readonly string[];
}

interface ListenOptions extends Partial<ClientTimeouts> {
  readonly host?: string;
  readonly maxConnections?: number;
}

async function listen(
  context: TestContext,
  handler: Handler,
  { host = '127.0.0.1', maxConnections, ...timeouts }: ListenOptions = {},
): Promise<Listening> {
  const { logger, logged } = recordingLogger();
  const listener = new NodeListener({
    handler,
    host,
    maxConnections,
    clock: systemClock,
    logger,
    timeouts: { ...longTimeouts, stopping: 0, ...timeouts },
  });
  let closed: Promise<void> | undefined;
  const close = listener.close.bind(listener);
  listener.close = () => (closed ??= close());
  context.after(() => listener.close());
  return { listener, baseUrl: await listener.listen(0), logged };
}

const hello: Handler = async () => new Response('hello');
const readBody: Handler = async request => new Response(await request.bytes());
const get = requestBytes({ path: '/' });

/** An answer that lasts as long as it is read. `readerLeft` resolves when the reader leaves. */
function endless() {
  const leaving = Promise.withResolvers<void>();
  const chunk = new Uint8Array(65_536).fill(120);
  const handler: Handler = async () =>
    new Response(
      new ReadableStream({ pull: controller => controller.enqueue(chunk), cancel: () => leaving.resolve() }),
    );
  return { handler, readerLeft: leaving.promise };
}

/** An answer whose second half waits for `release`. */
function halves() {
  const begun = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  async function* body(): AsyncIterable<Uint8Array> {
    yield Buffer.from('first');
    begun.resolve();
    await release.promise;
    yield Buffer.from(' second');
  }
  const handler: Handler = async () => new Response(streamOf(body()));
  return { handler, begun: begun.promise, release: release.resolve };
}

async function* brokenSource(): AsyncIterable<Uint8Array> {
  yield Buffer.from('half');
  throw new Error('disk on fire');
}

function streamOf(source: AsyncIterable<Uint8Array>): ReadableStream {
  const chunks = source[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const next = await chunks.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
  });
}

test('a head that never ends is answered with 408, and the connection is closed', async context => {
  const { baseUrl } = await listen(context, hello, { head: 50 });
  await using connection = new RawConnection(baseUrl).send('GET / HTTP/1.1\r\nhost: 127');
  const { status, body } = await connection.answer();
  assert.deepEqual([status, (JSON.parse(body) as { code: string }).code], [408, 'request_timeout']);
  await connection.ended();
});

test('a body that never ends is answered with 408, and the connection is closed', async context => {
  const { baseUrl } = await listen(context, readBody, { head: 50, request: 100 });
  await using connection = new RawConnection(baseUrl);
  connection.send(requestBytes({ method: 'POST', path: '/', headers: { 'content-length': '10' } }), 'half');
  assert.equal((await connection.answer()).status, 408);
  await connection.ended();
});

test('a connection without a request is closed', async context => {
  const { baseUrl } = await listen(context, hello, { head: 50 });
  await using connection = new RawConnection(baseUrl);
  await connection.ended();
});

test('a connection without a next request is closed', async context => {
  const { baseUrl } = await listen(context, hello, { idle: 1 });
  await using connection = new RawConnection(baseUrl).send(get);
  assert.equal((await connection.answer()).status, 200);
  await connection.ended();
});

test('with many connections, each ends after its answer, and none is closed before it', async context => {
  const waiting = Promise.withResolvers<Response>();
  const handler: Handler = async ({ url }) => (url.endsWith('/wait') ? waiting.promise : new Response('hello'));
  const { baseUrl } = await listen(context, handler, { maxConnections: 20 });
  await using stack = new AsyncDisposableStack();
  const connect = (): RawConnection => stack.use(new RawConnection(baseUrl));
  const busy = connect().send(requestBytes({ path: '/wait' }));
  const staying: RawConnection[] = [];
  for (let connections = 0; connections < 60; connections++) {
    const connection = connect();
    const { status, headers } = await connection.send(get).answer();
    assert.equal(status, 200);
    if (headers['connection'] === 'close') await connection.ended();
    else staying.push(connection);
  }
  assert.equal(staying.length, 18, 'with the busy one, all but one of the twenty');
  await using last = new RawConnection(baseUrl).send('GET ');
  await once(last.socket, 'connect');
  for (const connection of staying) assert.equal((await connection.send(get).answer()).body, 'hello');
  waiting.resolve(new Response('waited'));
  assert.equal((await busy.answer()).body, 'waited');
});

test('with many connections, requests that a client sends at once are all answered', async context => {
  const { baseUrl } = await listen(context, readBody, { maxConnections: 1 });
  await using connection = new RawConnection(baseUrl);
  connection.send(Buffer.concat(['one', 'two', 'three'].map(body => requestBytes({ path: '/', body }))));
  const answers = [await connection.answer(), await connection.answer(), await connection.answer()];
  assert.deepEqual(
    answers.map(({ body, headers }) => [body, headers['connection']]),
    [
      ['one', 'keep-alive'],
      ['two', 'keep-alive'],
      ['three', 'close'],
    ],
  );
});

test('a request that arrives when the idle time of its connection ends is answered', async context => {
  const { baseUrl } = await listen(context, hello, { idle: 1 });
  await using connection = new RawConnection(baseUrl).send(get);
  await connection.answer();
  connection.send(get);
  // The system has the request while this thread is busy until after the idle time, to which Node.js adds a second.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
  assert.equal((await connection.answer()).status, 200);
});

for (const [name, timeouts, headers] of [
  ['a stream of rows', { pausing: 50 }, {}],
  ['a complete answer', { reading: 50 }, { 'content-length': '1000000000000' }],
] as const) {
  test(`a client that reads nothing of ${name} loses the connection, and the source is cancelled`, async context => {
    const { handler, readerLeft } = endless();
    const answer: Handler = async request => new Response((await handler(request)).body, { headers });
    const { baseUrl } = await listen(context, answer, timeouts);
    await using connection = new RawConnection(baseUrl);
    connection.socket.pause();
    connection.send(get);
    await readerLeft;
  });
}

test('a client that hangs up before the answer aborts the call', async context => {
  const seen = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<void>();
  const { baseUrl, logged } = await listen(context, async (_, notes) => {
    notes?.leaving?.addEventListener('abort', () => aborted.resolve());
    seen.resolve();
    await aborted.promise;
    return new Response('nobody reads this');
  });
  await using connection = new RawConnection(baseUrl).send(get);
  await seen.promise;
  connection.socket.destroy();
  await aborted.promise;
  assert.deepEqual(logged, []);
});

test('the memory of a connection whose client hangs up before the answer is released', async context => {
  const sockets: WeakRef<Socket>[] = [];
  const note = (message: unknown): void => void sockets.push(new WeakRef((message as { socket: Socket }).socket));
  subscribe('net.server.socket', note);
  context.after(() => unsubscribe('net.server.socket', note));
  const { baseUrl } = await listen(context, async (_, notes) => {
    await once(notes!.leaving!, 'abort');
    return new Response('nobody reads this');
  });
  for (let calls = 0; calls < 5; calls++) {
    await using connection = new RawConnection(baseUrl).send(get);
    while (sockets.length <= calls) await new Promise(setImmediate);
    connection.socket.destroy();
  }
  for (let turns = 0; turns < 50 && sockets.some(socket => socket.deref()); turns++) {
    await new Promise(setImmediate);
    collectGarbage();
  }
  assert.deepEqual(
    sockets.map(socket => socket.deref()?.destroyed),
    Array(5).fill(undefined),
  );
});

test('a client that hangs up during the answer cancels its source', async context => {
  const { handler, readerLeft } = endless();
  const { baseUrl } = await listen(context, handler);
  await using connection = new RawConnection(baseUrl).send(get);
  await once(connection.socket, 'data');
  connection.socket.destroy();
  await readerLeft;
});

test('a call is not aborted by its answer', async context => {
  let signal: AbortSignal | undefined;
  const { baseUrl, listener } = await listen(context, async (_, notes) => {
    signal = notes?.leaving;
    return new Response('done');
  });
  assert.equal((await rawCall(baseUrl, get)).body, 'done');
  await listener.close();
  assert.equal(signal?.aborted, false);
});

test('a source that fails resets the connection, so that half an answer never looks complete', async context => {
  const { baseUrl, logged } = await listen(context, async () => new Response(streamOf(brokenSource())));
  await using connection = new RawConnection(baseUrl).send(get);
  const [fault] = (await once(connection.socket, 'error')) as [NodeJS.ErrnoException];
  assert.equal(fault.code, 'ECONNRESET');
  assert.deepEqual(logged, ['unforeseen failure: disk on fire']);
});

test('a failing handler is answered with 500 and without its message', async context => {
  const { baseUrl, logged } = await listen(context, async () => {
    throw new Error('disk on fire');
  });
  const { status, body } = await rawCall(baseUrl, get);
  assert.deepEqual([status, (JSON.parse(body) as { code: string }).code], [500, 'internal_error']);
  assert.ok(!body.includes('fire'));
  assert.deepEqual(logged, ['unforeseen failure: disk on fire']);
});

test('stopping finishes an answer under way and takes no new connections', async context => {
  const { handler, begun, release } = halves();
  const { listener, baseUrl } = await listen(context, handler, { stopping: long });
  await using idle = new RawConnection(baseUrl).send('GET ');
  await using connection = new RawConnection(baseUrl).send(get);
  await begun;
  idle.socket.destroy();
  const stopped = listener.close();
  await assert.rejects(rawCall(baseUrl, get));
  release();
  assert.equal((await connection.answer()).body, 'first second');
  await connection.ended();
  await stopped;
});

test('stopping closes a connection that waits for its next request', async context => {
  const { listener, baseUrl } = await listen(context, hello, { stopping: long });
  await using connection = new RawConnection(baseUrl).send(get);
  await connection.answer();
  await Promise.all([listener.close(), connection.ended()]);
});

test('stopping resets answers that are still under way after the timeout', async context => {
  const { handler, begun } = halves();
  const { listener, baseUrl } = await listen(context, handler, { stopping: 20 });
  await using connection = new RawConnection(baseUrl).send(get);
  await begun;
  const reset = once(connection.socket, 'error') as Promise<[NodeJS.ErrnoException]>;
  await listener.close();
  assert.equal((await reset)[0].code, 'ECONNRESET');
});

test('a service on all addresses accepts any address as host, but no foreign name', async context => {
  const { baseUrl } = await listen(context, hello, { host: '0.0.0.0' });
  assert.match(baseUrl, /^http:\/\/127\.0\.0\.1:/);
  const statusFor = async (host: string): Promise<number> =>
    (await rawCall(baseUrl, requestBytes({ path: '/', headers: { host } }))).status;
  assert.deepEqual(
    await Promise.all(['192.168.0.1:80', '[fe80::1]', 'localhost', 'evil.example'].map(statusFor)),
    [200, 200, 200, 403],
  );
});

test('draining closes no connection that waits for its next request', async context => {
  const { handler: halved, begun, release } = halves();
  const never = Promise.withResolvers<Response>();
  const handler: Handler = async (request, ends) => {
    if (request.url.endsWith('/never')) return never.promise;
    return request.url.endsWith('/halved') ? halved(request, ends) : new Response('refused');
  };
  const { listener, baseUrl } = await listen(context, handler, { stopping: long });
  await using idle = new RawConnection(baseUrl).send(get);
  await idle.answer();
  await using longer = new RawConnection(baseUrl).send(requestBytes({ path: '/never' }));
  await using connection = new RawConnection(baseUrl).send(requestBytes({ path: '/halved' }));
  await begun;
  while (listener.underWayCount < 2) await new Promise(setImmediate);
  const drained = listener.drain();
  release();
  await connection.answer();
  while (listener.underWayCount > 1) await new Promise(setImmediate);
  await new Promise(setImmediate);
  const { body, headers } = await idle.send(get).answer();
  assert.deepEqual([body, headers['connection']], ['refused', 'close']);
  never.resolve(new Response('done'));
  assert.equal((await longer.answer()).body, 'done');
  await drained;
});

test('draining waits for the answers under way, and not for later requests', async context => {
  const { handler: first, begun, release } = halves();
  const never = new Promise<Response>(() => {});
  const handler: Handler = async (request, ends) => {
    if (request.url.endsWith('/later')) return never;
    return request.url.endsWith('/first') ? first(request, ends) : new Response('refused');
  };
  const { listener, baseUrl } = await listen(context, handler, { stopping: long });
  await using connection = new RawConnection(baseUrl).send(requestBytes({ path: '/first' }));
  await begun;
  const drained = listener.drain();
  const { body, headers } = await rawCall(baseUrl, get);
  assert.deepEqual([body, headers['connection']], ['refused', 'close'], 'new requests are answered');
  await using later = new RawConnection(baseUrl).send(requestBytes({ path: '/later' }));
  while (listener.underWayCount < 2) await new Promise(setImmediate);
  release();
  assert.equal((await connection.answer()).body, 'first second');
  await drained;
  later.socket.destroy();
});
