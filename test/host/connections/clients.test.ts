import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test, type TestContext } from 'node:test';
import { Clients, type ClientsParts } from '../../../src/host/connections/clients.ts';
import type { KeyStore } from '../../../src/host/connections/keyStore.ts';
import { makeProfile } from '../../../src/model/profiles.ts';
import { newKeyStore } from '../../support/keyWindows.ts';
import { codeOf } from '../../support/codeOf.ts';
import { type Answer, openStream, reply, stall, startScriptedServer } from '../../support/scriptedServer.ts';

function make(context: TestContext, parts: Partial<ClientsParts> = {}): { keys: KeyStore; clients: Clients } {
  const keys = newKeyStore();
  const clients = new Clients({
    keys,
    ensureRunning: async each => ({ profile: each }),
    askForReuse: async () => undefined,
    ...parts,
  });
  context.after(() => clients.dispose());
  return { keys, clients };
}

const fields = { baseUrl: 'http://127.0.0.1:9', projectId: 'p1', source: 'settings' } as const;
const profile = makeProfile(fields);

test('the user is asked for a key only if a call does not ask to be quiet', async context => {
  let questions = 0;
  const { clients } = make(context, { askForReuse: async () => void questions++ });
  await assert.rejects(clients.for(profile, true), { code: 'no_key' });
  assert.equal(questions, 0);
  await assert.rejects(clients.for(profile), { code: 'no_key' });
  assert.equal(questions, 1);
});

test('simultaneous calls share one client of a project', async context => {
  const { keys, clients } = make(context);
  await keys.setEntered(profile, 'key');
  const [one, other] = await Promise.all([clients.for(profile), clients.for(profile)]);
  assert.equal(one, other);
  assert.equal(await clients.for(profile), one);
});

test('after a project is renamed, its client stays and reports under the new name', async context => {
  const names: (() => string)[] = [];
  const { keys, clients } = make(context, { watch: shown => (names.push(() => shown.name), {}) });
  await keys.setEntered(profile, 'key');
  const client = await clients.for({ ...profile, name: 'Shop' });
  assert.equal(await clients.for({ ...profile, name: 'New Shop' }), client);
  assert.deepEqual(
    names.map(name => name()),
    ['New Shop'],
  );
});

const changes = {
  pathPrefix: '/other',
  baseUrl: 'http://127.0.0.1:9/base',
  holderId: 'h',
  projectName: 'n',
  retries: 1,
  timeoutSeconds: 7,
};

for (const [field, value] of Object.entries(changes)) {
  test(`another ${field} makes another client`, async context => {
    const { keys, clients } = make(context);
    await keys.setEntered(profile, 'key');
    const before = await clients.for(profile);
    const changed = makeProfile({ ...fields, [field]: value });
    assert.equal(changed.id, profile.id);
    await keys.setEntered(changed, 'key');
    assert.notEqual(await clients.for(changed), before);
  });
}

test('a client uses the retries and the timeout of its profile', async context => {
  await using server = await startScriptedServer(reply({ message: 'Not now.' }, 503), stall);
  const { keys, clients } = make(context);
  const impatient = makeProfile({ ...fields, baseUrl: server.url, retries: 1, timeoutSeconds: 1 });
  await keys.setEntered(impatient, 'key');
  const client = await clients.for(impatient);
  await assert.rejects(client.listTables('p1'), { code: 'headers_timeout' });
  assert.equal(server.requests.length, 2);
});

for (const change of ['keys', 'settings'] as const) {
  test(`new ${change} do not interrupt a running statement, and count for the next one`, async context => {
    const { promise: openResponse, resolve: keepOpen } = Promise.withResolvers<ServerResponse>();
    const slow: Answer = (response, request) => {
      openStream(response, request);
      keepOpen(response);
    };
    await using server = await startScriptedServer(slow, reply({ tables: ['t'] }));
    const { keys, clients } = make(context);
    const before = makeProfile({ ...fields, baseUrl: server.url });
    await keys.setEntered(before, 'key');
    const scanner = await (await clients.for(before)).execSqlStream('p1', { sql: 'SELECT 1' });
    assert.ok(await scanner.next({}));
    const after = change === 'keys' ? before : makeProfile({ ...fields, baseUrl: server.url, retries: 1 });
    if (change === 'keys') await keys.setEntered(before, 'another');
    assert.deepEqual(await (await clients.for(after)).listTables('p1'), ['t']);
    (await openResponse).end(',{"a":3}],"ok":true}');
    assert.deepEqual(await Array.fromAsync(scanner), [{ a: 2 }, { a: 3 }]);
    assert.equal(scanner.err(), undefined);
    assert.deepEqual(
      server.requests.map(({ headers }) => headers['x-api-key']),
      ['key', change === 'keys' ? 'another' : 'key'],
    );
  });
}

test('a statement with a former key ends with the window', async context => {
  await using server = await startScriptedServer(openStream);
  const { keys, clients } = make(context);
  const busy = makeProfile({ ...fields, baseUrl: server.url });
  await keys.setEntered(busy, 'key');
  const scanner = await (await clients.for(busy)).execSqlStream('p1', { sql: 'SELECT 1' });
  await keys.setEntered(busy, 'another');
  await clients.for(busy);
  clients.dispose();
  await Array.fromAsync(scanner);
  assert.equal(codeOf(scanner.err()), 'closed/client_closed');
});

for (const [name, address] of Object.entries({
  'at another origin': { baseUrl: 'http://127.0.0.1:10' },
  'below another path of the base URL': { baseUrl: 'http://127.0.0.1:9/base' },
  'below another path prefix': { pathPrefix: '/other' },
  'below no path prefix': { pathPrefix: '' },
})) {
  test(`a project has no key ${name}`, async context => {
    const { keys, clients } = make(context);
    await keys.setEntered(profile, 'key');
    await assert.rejects(clients.for(makeProfile({ ...fields, ...address })), { code: 'no_key' });
  });
}
