import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrayOf, asCount, asString, object } from '../../src/base/decode.ts';
import { messageOf, ProjectError } from '../../src/base/errors.ts';
import {
  type Bridge,
  decodeEnvelope,
  type BridgeMessage,
  type Handlers,
  serveMethods,
  type ServedMethods,
} from '../../src/protocol/bridge.ts';
import { BridgeClient } from '../../src/protocol/bridgeClient.ts';
import { BridgeServer } from '../../src/protocol/bridgeServer.ts';
import { HandClock } from '../support/handClock.ts';

const bridge = {
  page: 'test',
  methods: {
    add: { params: arrayOf(asCount), answer: asCount },
    wait: {},
  },
  events: { moved: object({ to: asString }) },
} as const satisfies Bridge;
type Methods = typeof bridge.methods;

const handlers: Handlers<Methods> = {
  add: numbers => numbers.reduce((sum, number) => sum + number, 0),
  wait: () => new Promise(() => {}),
};

const describe = (thrown: unknown) => ({
  code: thrown instanceof ProjectError ? thrown.code : 'internal_error',
  message: messageOf(thrown),
});

interface Ends {
  readonly client: BridgeClient<Methods, typeof bridge.events>;
  readonly server: BridgeServer<typeof bridge.events>;
  readonly sent: readonly BridgeMessage[];
  readonly moves: readonly string[];
  readonly errors: readonly ProjectError[];
}

/** Both ends of a bridge. Messages travel as between windows: later, and through JSON. */
function connect(methods: ServedMethods = serveMethods(bridge.methods, handlers)): Ends {
  const sent: BridgeMessage[] = [];
  const moves: string[] = [];
  const errors: ProjectError[] = [];
  const post = (to: () => { receive(message: unknown): void }) => (envelope: BridgeMessage) => {
    sent.push(envelope);
    const text = JSON.stringify(envelope);
    queueMicrotask(() => to().receive(JSON.parse(text)));
  };
  const server: BridgeServer<typeof bridge.events> = new BridgeServer({ send: post(() => client), methods, describe });
  const client: Ends['client'] = new BridgeClient(bridge, {
    send: post(() => server),
    listeners: { moved: ({ to }) => moves.push(to) },
    onError: error => errors.push(error),
  });
  return { client, server, sent, moves, errors };
}

test('a call gets the answer of its handler', async () => {
  assert.equal(await connect().client.call('add', [1, 2, 3]), 6);
});

test('a handler that throws rejects the call with a code and without a stack', async () => {
  const { client, sent } = connect({
    wait: () => {
      throw new ProjectError('misuse', 'no_key', 'No key.', { cause: new Error('inside') });
    },
  });
  await assert.rejects(client.call('wait'), { code: 'no_key', message: 'No key.' });
  assert.doesNotMatch(JSON.stringify(sent), /bridge\.test|inside/);
});

test('a call without a handler rejects, even under a name that every object has', async () => {
  const { client, server, sent } = connect({});
  await assert.rejects(client.call('wait'), { code: 'no_such_method' });
  for (const method of ['toString', '__proto__']) server.receive({ kind: 'request', id: 1, method });
  await new Promise(setImmediate);
  assert.equal(sent.filter(envelope => envelope.kind === 'failure' && envelope.code === 'no_such_method').length, 3);
});

test('a call with wrong parameters rejects and never reaches its handler', async () => {
  let calls = 0;
  const { client } = connect(serveMethods(bridge.methods, { ...handlers, add: () => ++calls }));
  await assert.rejects(client.call('add', ['1'] as never), { code: 'bad_request' });
  assert.equal(calls, 0);
});

test('an answer that cannot be decoded rejects the call', async () => {
  const { client } = connect({ add: () => 'six' });
  await assert.rejects(client.call('add', [1]), { code: 'bad_answer' });
});

test('a method without an answer answers nothing', async () => {
  const { client, sent } = connect(serveMethods(bridge.methods, { ...handlers, wait: () => Promise.resolve() }));
  assert.equal(await client.call('wait'), undefined);
  assert.equal(JSON.stringify(sent.at(-1)).includes('value'), false);
});

test('the page hears an event, and an error for an event that cannot be decoded', async () => {
  const { server, moves, errors } = connect();
  server.notify('moved', { to: 'front' });
  server.notify('moved', { to: 1 } as never);
  server.notify('lost' as never, {} as never);
  await new Promise(setImmediate);
  assert.deepEqual(moves, ['front']);
  assert.deepEqual(
    errors.map(({ code }) => code),
    ['bad_event', 'bad_event'],
  );
});

test('aborting a call rejects it at once and aborts its handler', async () => {
  const aborted = Promise.withResolvers<void>();
  const wait = (_params: undefined, signal: AbortSignal): Promise<void> => {
    signal.addEventListener('abort', () => aborted.resolve());
    return new Promise(() => {});
  };
  const { client } = connect(serveMethods(bridge.methods, { ...handlers, wait }));
  const controller = new AbortController();
  const call = client.call('wait', undefined, controller.signal);
  controller.abort(new Error('stopped'));
  await assert.rejects(call, { message: 'stopped' });
  await aborted.promise;
});

test('no more than a thousand calls are pending at once', async () => {
  const { client } = connect();
  const controller = new AbortController();
  const calls = Array.from({ length: 1000 }, () => client.call('wait', undefined, controller.signal));
  await assert.rejects(client.call('wait'), { code: 'too_many_calls' });
  controller.abort();
  assert.ok((await Promise.allSettled(calls)).every(({ status }) => status === 'rejected'));
});

test('a page that replaces another one does not take the answers to its calls', async () => {
  const answers: PromiseWithResolvers<number>[] = [];
  const aborted: boolean[] = [];
  let page: Ends['client'];
  const server = new BridgeServer<typeof bridge.events>({
    send: envelope => queueMicrotask(() => page.receive(envelope)),
    describe,
    methods: {
      add: (_params, signal) => {
        const index = answers.push(Promise.withResolvers<number>()) - 1;
        signal.addEventListener('abort', () => (aborted[index] = true));
        return answers[index]!.promise;
      },
    },
  });
  const open = (): Ends['client'] => {
    page = new BridgeClient(bridge, {
      send: envelope => server.receive(envelope),
      listeners: { moved: () => {} },
      onError: assert.fail,
    });
    return page;
  };
  void open().call('add', []);
  const controller = new AbortController();
  const replacement = open();
  const answered = replacement.call('add', []);
  const rejected = assert.rejects(replacement.call('add', [], controller.signal), { message: 'stopped' });
  answers[0]!.resolve(1);
  await new Promise(setImmediate);
  controller.abort(new Error('stopped'));
  answers[1]!.resolve(2);
  assert.equal(await answered, 2);
  await rejected;
  assert.equal(aborted[2], true);
});

test('a table refuses wrong calls, answers and missing handlers at compile time', () => {
  const { client, server } = connect();
  const neverRun = (): void => {
    // @ts-expect-error -- the parameters are numbers
    void client.call('add', ['1']);
    // @ts-expect-error -- the parameters are missing
    void client.call('add');
    // @ts-expect-error -- there is no such method
    void client.call('subtract', [1]);
    // @ts-expect-error -- the answer is a number
    serveMethods(bridge.methods, { ...handlers, add: () => 'six' });
    // @ts-expect-error -- `wait` has no handler
    serveMethods(bridge.methods, { add: handlers.add });
    // @ts-expect-error -- only `add` is served
    const incomplete: ServedMethods<Methods> = { ...serveMethods({ add: bridge.methods.add }, handlers) };
    // @ts-expect-error -- the payload is wrong
    server.notify('moved', { to: 1 });
    void incomplete;
  };
  assert.ok(neverRun);
});

const strangeMessages = [
  null,
  1,
  'text',
  [],
  {},
  { kind: 'request' },
  { kind: 'request', id: -1, method: 'a' },
  { kind: 'request', id: 1 },
  { kind: 'other', id: 1, method: 'a' },
  { kind: 'event' },
];
for (const message of strangeMessages) {
  test(`${JSON.stringify(message)} is not a message of a bridge`, () =>
    assert.equal(decodeEnvelope(message), undefined));
}

/** A page that watches whether its host is silent. */
function watchingClient(send: (envelope: BridgeMessage) => void) {
  const clock = new HandClock();
  const silences: boolean[] = [];
  const client: Ends['client'] = new BridgeClient(bridge, {
    send,
    listeners: { moved: () => undefined },
    onError: assert.fail,
    silence: { clock, onSilence: isSilent => silences.push(isSilent) },
  });
  return { client, clock, silences };
}

test('a host that answers no ping is silent after 5 s, and heard again with its next message', async () => {
  const sent: BridgeMessage[] = [];
  const { client, clock, silences } = watchingClient(envelope => sent.push(envelope));
  void client.call('wait').catch(() => undefined);
  clock.advance(2500);
  assert.deepEqual(sent.at(-1), { kind: 'ping' });
  assert.deepEqual(silences, []);
  clock.advance(2500);
  assert.deepEqual(silences, [true]);
  client.receive({ kind: 'pong' });
  assert.deepEqual(silences, [true, false]);
  assert.equal(clock.timerCount, 0);
});

test('a call that takes long does not count as silence: the host answers the ping at once', async () => {
  const ponged = Promise.withResolvers<void>();
  const server = new BridgeServer({
    send: envelope => {
      client.receive(envelope);
      if (envelope.kind === 'pong') ponged.resolve();
    },
    methods: serveMethods(bridge.methods, handlers),
    describe,
  });
  const { client, clock, silences } = watchingClient(envelope => server.receive(envelope));
  void client.call('wait').catch(() => undefined);
  clock.advance(2500);
  await ponged.promise;
  clock.advance(60_000);
  assert.deepEqual(silences, []);
});
