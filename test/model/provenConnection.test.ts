import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { silentLogger } from '../../src/base/logger.ts';
import { Clients } from '../../src/host/connections/clients.ts';
import { LocalServiceKeys } from '../../src/host/connections/localServiceKeys.ts';
import { connectorTo, connectToService } from '../../src/model/provenConnection.ts';
import { LocalService } from '../../src/service/localService.ts';
import { decodeServiceFile, encodeServiceFile, type ServiceFile } from '../../src/wire/serviceFile.ts';
import { newKeyStore } from '../support/keyWindows.ts';
import { type Answer, reset, ScriptedServer, stall, startScriptedServer } from '../support/scriptedServer.ts';
import { answerProof, hasLearned, serviceFileFor, serviceFolder } from '../support/serviceFolder.ts';
import { openTestService } from '../support/testService.ts';

const proof = 'a'.repeat(64);

/** An answer with a length. */
const answered =
  (body: string | object, status = 200, headers: Readonly<Record<string, string>> = {}): Answer =>
  response => {
    response.statusCode = status;
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

const raw =
  (text: string): Answer =>
  response =>
    response.socket?.end(text);

/** Answers that another program may give, with the code of the error. */
const otherPrograms: Readonly<Record<string, readonly [answer: Answer, code: string]>> = {
  'a web page': [answered('<h1>It works!</h1>'), 'service_unproven'],
  'a wrong proof': [answered({ proof }), 'service_unproven'],
  'no proof': [answered({ ok: true }), 'service_unproven'],
  'a proof of another kind': [answered({ proof: [proof] }), 'service_unproven'],
  'the nonce': [
    (response, { path }) => void response.end(JSON.stringify({ proof: path.split('=')[1] })),
    'service_unproven',
  ],
  'a refusal': [answered({ code: 'unauthenticated' }, 401), 'service_unproven'],
  'a redirect': [answered('', 307, { location: 'http://127.0.0.1:1/' }), 'service_unproven'],
  'a demand for a key': [answered('', 401, { 'www-authenticate': 'Basic' }), 'service_unproven'],
  'no HTTP': [raw('SSH-2.0-OpenSSH_9.6\r\n\r\n'), 'service_unproven'],
  'a head without an end': [raw(`HTTP/1.1 200 OK\r\n${'x-filler: 1\r\n'.repeat(1000)}`), 'service_unproven'],
  'an endless body': [raw(`HTTP/1.1 200 OK\r\ncontent-length: 9999999\r\n\r\n${'x'.repeat(9999)}`), 'service_unproven'],
  'no length': [raw(`HTTP/1.1 200 OK\r\n\r\n{"proof":"${proof}"}`), 'service_unproven'],
  'half an answer': [raw('HTTP/1.1 200 OK\r\ncontent-le'), 'connection_lost'],
  'a reset': [reset, 'connection_lost'],
};

for (const [name, [answer, code]] of Object.entries(otherPrograms)) {
  test(`no key is sent to another program that answers with ${name}`, async () => {
    await using server = await startScriptedServer(answer);
    const file = serviceFileFor(server.url);
    const folder = await serviceFolder(file);
    const local = new LocalServiceKeys(newKeyStore());
    await assert.rejects(local.profiles(folder), { kind: 'transport', code });
    assert.equal(server.requests.length, 1);
    assert.ok(!hasLearned(server.requests, file.adminKey, file.proofSecret));
  });
}

/** Programs that never prove themselves, with the request at which the caller gives up. */
const silentPrograms: Readonly<Record<string, readonly [answer: Answer, givenUpAt: number]>> = {
  nothing: [stall, 1],
  'too many requests, always': [answered({}, 429), 2],
};

for (const [name, [answer, givenUpAt]] of Object.entries(silentPrograms)) {
  test(`another program that answers ${name} is left alone and gets no key`, async () => {
    const enough = new AbortController();
    await using server = await startScriptedServer((response, request) => {
      answer(response, request);
      if (server.requests.length === givenUpAt) enough.abort();
    });
    const file = serviceFileFor(server.url);
    await assert.rejects(connectToService(file, enough.signal), { kind: 'transport', code: 'connect_timeout' });
    assert.equal(server.requests.length, givenUpAt);
    assert.ok(!hasLearned(server.requests, file.adminKey, file.proofSecret));
  });
}

test('a program that passes the nonce on to the real service has no proof for its own address', async () => {
  await using service = await openTestService();
  const file = await fileOf(service.folder);
  let passedOn = 0;
  await using relay = await startScriptedServer((response, { path }) => {
    passedOn++;
    get(service.baseUrl + path, answer => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
  });
  const folder = await serviceFolder({ ...file, baseUrl: relay.url });
  const local = new LocalServiceKeys(newKeyStore());
  await assert.rejects(local.profiles(folder), { code: 'service_unproven' });
  assert.equal(passedOn, 1);
  assert.ok(!hasLearned(relay.requests, file.adminKey, file.proofSecret));
});

test('a connection carries requests after the proof, also of a service that limits calls', async () => {
  await using service = await openTestService({ rateLimit: { perSecond: 20, burst: 1 } });
  const file = await fileOf(service.folder);
  const sockets = [await connectToService(file), await connectToService(file)];
  for (const socket of sockets) {
    const request = get(`${service.baseUrl}/serviceSql/projects`, {
      createConnection: () => socket,
      headers: { 'x-api-key': service.adminKey },
    });
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    request.once('response', answer => resolve(answer.resume().statusCode));
    assert.equal(await promise, 200);
  }
});

test('a client that has been connected sends no key to the program that takes the port of a killed service', async context => {
  const { service, folder, clients, keys } = await localProject(context);
  const local = new LocalServiceKeys(keys);
  const [profile] = await local.profiles(folder);
  assert.ok(profile);
  const key = await keys.get(profile);
  assert.ok(key);
  const client = await clients.for(profile);
  assert.ok((await client.listTables(profile.projectId)).length > 0);
  const file = await fileOf(folder);
  await service.close();
  // A killed service leaves its file.
  await writeFile(join(folder, 'service.json'), encodeServiceFile(file));
  await using other = new ScriptedServer([answered({ tables: [] })]);
  await other.listen(Number(new URL(file.baseUrl).port));
  const call = client.listTables(profile.projectId, { retries: 0 });
  await assert.rejects(call, { kind: 'transport', code: 'service_unproven' });
  await assert.rejects(client.execSql(profile.projectId, { sql: 'DELETE FROM t' }, { retries: 0 }), {
    code: 'service_unproven',
  });
  assert.equal(other.requests.length, 2);
  assert.ok(!hasLearned(other.requests, key, file.adminKey, file.proofSecret));
});

test('a client continues with a service that has started again at the same address', async context => {
  const { service, start, folder, clients, keys } = await localProject(context);
  const [profile] = await new LocalServiceKeys(keys).profiles(folder);
  assert.ok(profile);
  const client = await clients.for(profile);
  const tables = await client.listTables(profile.projectId);
  await service.close();
  await assert.rejects(client.listTables(profile.projectId, { retries: 0 }), { code: 'local_service_not_running' });
  assert.equal((await start()).baseUrl, profile.baseUrl);
  assert.deepEqual(await client.listTables(profile.projectId), tables);
});

test('the file of a service on another machine leads to no key, but to a message with its name', async () => {
  await using server = await startScriptedServer(answered({ proof }));
  const file = serviceFileFor(server.url, { machine: 'elsewhere' });
  const folder = await serviceFolder(file);
  const local = new LocalServiceKeys(newKeyStore());
  const message = 'The local service of this folder runs on another machine, elsewhere.';
  await assert.rejects(local.profiles(folder), { code: 'local_service_elsewhere', message });
  assert.ok(!hasLearned(server.requests, file.adminKey, file.proofSecret));
});

test('a machine that has another name now still uses its own service', async () => {
  await using service = await openTestService();
  const socket = await connectToService({ ...(await fileOf(service.folder)), machine: 'former name' });
  socket.destroy();
});

test('a service that ends right after its proof gives no connection', async () => {
  await using server = await startScriptedServer();
  const file = serviceFileFor(server.url);
  server.answers = [
    (response, request) => {
      response.setHeader('connection', 'close');
      answerProof(file)(response, request);
    },
  ];
  await assert.rejects(connectToService(file), { kind: 'transport', code: 'connection_lost' });
});

async function fileOf(folder: string): Promise<ServiceFile> {
  const file = decodeServiceFile(await readFile(join(folder, 'service.json'), 'utf8'));
  assert.ok(file);
  return file;
}

/** A running service with the sample project, and a window's clients of its projects. */
async function localProject(context: TestContext) {
  const folder = await serviceFolder(serviceFileFor('http://127.0.0.1:1'));
  await rm(join(folder, 'service.json'));
  const start = async (): Promise<LocalService> => {
    const options = { folder, port: 0, pathPrefix: '/p', sample: true, logger: silentLogger };
    const started = await LocalService.start(options);
    context.after(() => started.close());
    return started;
  };
  const keys = newKeyStore();
  const clients = new Clients({
    keys,
    ensureRunning: async profile => ({ profile, connect: connectorTo(folder, profile) }),
    askForReuse: async () => undefined,
  });
  context.after(() => clients.dispose());
  return { service: await start(), start, folder, clients, keys };
}
