import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pager } from '../../src/client/index.ts';
import { codeOf } from '../support/codeOf.ts';
import { type Answer, rejection, reply, startScriptedServer, testClient } from '../support/scriptedServer.ts';

const pages: Answer = (response, { path }) => {
  const query = new URL(path, 'http://x').searchParams;
  const limit = Number(query.get('limit'));
  const offset = Number(query.get('offset'));
  const rows = [{ id: 1 }, { id: 2 }, { id: 3 }].slice(offset, offset + limit);
  reply({ limit, offset, table: 't', rows })(response, { method: 'GET', path, headers: {}, body: '' });
};

test('Pager 1–4: each page advances the offset by its rows, and an empty page ends the pager', async () => {
  await using server = await startScriptedServer(pages);
  await using client = testClient(server);
  const pager = new Pager({ project: client.project('p'), table: 't', limit: 2 });
  assert.deepEqual([await pager.next(), pager.offset, pager.done], [[{ id: 1 }, { id: 2 }], 2, false]);
  assert.deepEqual([await pager.next(), pager.offset, pager.done], [[{ id: 3 }], 3, false]);
  assert.deepEqual([await pager.next(), pager.offset, pager.done], [null, 3, true]);
  assert.equal(await pager.next(), null);
  assert.deepEqual(
    server.requests.map(({ path }) => path.split('?')[1]),
    ['limit=2&offset=0', 'limit=2&offset=2', 'limit=2&offset=3'],
  );
});

test('a page size below 1 is misuse: it would never come to an end', async () => {
  await using server = await startScriptedServer(pages);
  await using client = testClient(server);
  assert.throws(() => new Pager({ project: client.project('p'), table: 't', limit: 0 }), { code: 'invalid_option' });
});

test('Pager 1: a page is fetched with the present limit and offset', async () => {
  await using server = await startScriptedServer(pages);
  await using client = testClient(server);
  const pager = new Pager({ project: client.project('p'), table: 't', limit: 2 });
  pager.limit = 1;
  pager.offset = 1;
  assert.deepEqual(await pager.next(), [{ id: 2 }]);
  assert.equal(pager.offset, 2);
});

test('Pager 5: a failed page is retried, then rejects, and can be fetched again', async () => {
  await using server = await startScriptedServer(reply({}, 500), reply({}, 403), pages);
  await using client = testClient(server);
  const pager = new Pager({ project: client.project('p'), table: 't', limit: 2 });
  assert.equal(codeOf(await rejection(pager.next())), 'service/forbidden');
  assert.deepEqual([client.waits.length, pager.offset, pager.done], [1, 0, false]);
  assert.deepEqual(await Array.fromAsync(pager), [[{ id: 1 }, { id: 2 }], [{ id: 3 }]]);
});

test('Pager: the signal of next() aborts it', async () => {
  const requested = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  await using server = await startScriptedServer(response => {
    response.on('close', closed.resolve);
    requested.resolve();
  });
  await using client = testClient(server);
  const pager = new Pager({ project: client.project('p'), table: 't' });
  const controller = new AbortController();
  const page = rejection(pager.next(controller.signal));
  await requested.promise;
  controller.abort('stop');
  assert.equal(await page, 'stop');
  await closed.promise;
});

test('Pager: calls of next() at the same time get a page each, in their order', async () => {
  await using server = await startScriptedServer(pages);
  await using client = testClient(server);
  const pager = new Pager({ project: client.project('p'), table: 't', limit: 1 });
  const results = await Promise.all([1, 2, 3, 4, 5].map(async () => pager.next()));
  assert.deepEqual(results, [[{ id: 1 }], [{ id: 2 }], [{ id: 3 }], null, null]);
  assert.deepEqual([pager.offset, pager.done, server.requests.length], [3, true, 4]);
});

test('Pager: after a call that fails, the next call fetches the same page', async () => {
  await using server = await startScriptedServer(reply({}, 403), pages);
  await using client = testClient(server);
  const pager = new Pager({ project: client.project('p'), table: 't', limit: 2 });
  const [first, second, third] = await Promise.allSettled([pager.next(), pager.next(), pager.next()]);
  assert.equal(first.status === 'rejected' && codeOf(first.reason), 'service/forbidden');
  assert.deepEqual(second, { status: 'fulfilled', value: [{ id: 1 }, { id: 2 }] });
  assert.deepEqual(third, { status: 'fulfilled', value: [{ id: 3 }] });
});

test('Pager: a call that is aborted while it waits rejects at once, and disturbs no other call', async () => {
  const held = Promise.withResolvers<() => void>();
  await using server = await startScriptedServer((...call) => held.resolve(() => pages(...call)), pages);
  await using client = testClient(server);
  const pager = new Pager({ project: client.project('p'), table: 't', limit: 2 });
  const controller = new AbortController();
  const first = pager.next();
  const second = rejection(pager.next(controller.signal));
  const third = pager.next();
  const answer = await held.promise;
  controller.abort('stop');
  // The first call is not answered yet.
  assert.equal(await second, 'stop');
  answer();
  assert.deepEqual(await Promise.all([first, third]), [[{ id: 1 }, { id: 2 }], [{ id: 3 }]]);
  assert.equal(server.requests.length, 2);
});
