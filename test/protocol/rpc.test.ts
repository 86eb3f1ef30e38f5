import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProjectError } from '../../src/base/errors.ts';
import { decodeEnvelope, type Envelope, type Methods, RpcPeer } from '../../src/protocol/rpc.ts';

/** Two peers that hear each other as windows do: later, and through JSON. */
function pair(methods: Methods): { near: RpcPeer; far: RpcPeer; sent: Envelope[] } {
  const sent: Envelope[] = [];
  const post = (to: () => RpcPeer) => (envelope: Envelope) => {
    sent.push(envelope);
    const text = JSON.stringify(envelope);
    queueMicrotask(() => to().receive(JSON.parse(text)));
  };
  const near: RpcPeer = new RpcPeer({ send: post(() => far) });
  const far: RpcPeer = new RpcPeer({ send: post(() => near), methods });
  return { near, far, sent };
}

test('a call gets its result', async () => {
  const { near } = pair({ add: params => Promise.resolve((params as number[]).reduce((a, b) => a + b, 0)) });
  assert.equal(await near.call('add', [1, 2, 3]), 6);
});

test('a method that throws rejects the call, with a code and no stack', async () => {
  const { near, sent } = pair({
    fail: () => {
      throw new ProjectError('misuse', 'no_key', 'No key.', { cause: new Error('inside') });
    },
  });
  await assert.rejects(near.call('fail'), { code: 'no_key', message: 'No key.' });
  assert.doesNotMatch(JSON.stringify(sent), /rpc\.test|inside/);
});

test('a method that does not exist rejects the call, also when the name is one of Object', async () => {
  const { near } = pair({});
  for (const name of ['nothing', 'toString', '__proto__']) {
    await assert.rejects(near.call(name), { code: 'no_such_method' });
  }
});

test('aborting rejects the call at once and tells the other side', async () => {
  const heard = Promise.withResolvers<void>();
  const { near } = pair({
    wait: (_params, signal) => {
      signal.addEventListener('abort', () => heard.resolve());
      return new Promise(() => {});
    },
  });
  const controller = new AbortController();
  const call = near.call('wait', null, controller.signal);
  controller.abort(new Error('enough'));
  await assert.rejects(call, { message: 'enough' });
  await heard.promise;
});

test('closing rejects what is pending and what comes after, and is safe twice', async () => {
  const { near } = pair({ wait: () => new Promise(() => {}) });
  const call = near.call('wait');
  near.dispose();
  near.dispose();
  await assert.rejects(call, { code: 'peer_closed' });
  await assert.rejects(near.call('wait'), { code: 'peer_closed' });
});

test('no more than a thousand calls wait at once', async () => {
  const { near } = pair({ wait: () => new Promise(() => {}) });
  const calls = Array.from({ length: 1000 }, () => near.call('wait'));
  await assert.rejects(near.call('wait'), { code: 'too_many_calls' });
  near.dispose();
  assert.ok((await Promise.allSettled(calls)).every(({ status }) => status === 'rejected'));
});

test('an answer reaches only the page that asked, also when another one was put in its place', async () => {
  const answers: PromiseWithResolvers<string>[] = [];
  const aborted: boolean[] = [];
  let page: RpcPeer;
  const host = new RpcPeer({
    send: envelope => queueMicrotask(() => page.receive(envelope)),
    methods: {
      sort: (_params, signal) => {
        const nth = answers.push(Promise.withResolvers<string>()) - 1;
        signal.addEventListener('abort', () => (aborted[nth] = true));
        return answers[nth]!.promise;
      },
    },
  });
  const open = (): RpcPeer => (page = new RpcPeer({ send: envelope => host.receive(envelope) }));
  void open().call('sort');
  const controller = new AbortController();
  const later = open();
  const calls = [later.call('sort'), later.call('sort', null, controller.signal)];
  const ended = assert.rejects(calls[1]!, { message: 'enough' });
  answers[0]!.resolve('of the former page');
  await new Promise(setImmediate);
  controller.abort(new Error('enough'));
  answers[1]!.resolve('of this one');
  assert.equal(await calls[0], 'of this one');
  await ended;
  assert.equal(aborted[2], true);
});

const strange = [
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
for (const message of strange) {
  test(`${JSON.stringify(message)} is no envelope`, () => assert.equal(decodeEnvelope(message), undefined));
}
