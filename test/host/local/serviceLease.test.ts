import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test, type TestContext } from 'node:test';
import { ServiceLease } from '../../../src/host/local/serviceLease.ts';
import { headerNames, leaseMediaType } from '../../../src/wire/headers.ts';
import { routePath } from '../../../src/wire/routes.ts';
import { decodeServiceFile, encodeServiceFile, type ServiceFile } from '../../../src/wire/serviceFile.ts';
import type { HandClock } from '../../support/handClock.ts';
import { processesOf } from '../../support/processesOf.ts';
import { startScriptedServer } from '../../support/scriptedServer.ts';
import { hasLearned, serviceFileFor } from '../../support/serviceFolder.ts';
import { windowsFolder, type WindowsFolder } from '../../support/windowsFolder.ts';
import { waitUntil } from '../../support/workbench/waitUntil.ts';

/** Leases do not depend on the projects of the service. */
const leaseFolder = (context: TestContext): Promise<WindowsFolder> => windowsFolder(context, { sample: false });

const answers = (baseUrl: string): Promise<boolean> =>
  fetch(baseUrl).then(
    () => true,
    () => false,
  );

const servicesOf = (folder: string): number[] =>
  processesOf(folder)
    .filter(({ command }) => command.includes('.ts serve'))
    .map(({ pid }) => pid);

function serviceOf(folder: string): number {
  const [pid = assert.fail('no service runs')] = servicesOf(folder);
  return pid;
}

const isGone = (folder: string, pid: number): boolean => !processesOf(folder).some(found => found.pid === pid);

async function killService(folder: string): Promise<void> {
  const pid = serviceOf(folder);
  process.kill(pid, 'SIGKILL');
  await waitUntil(() => isGone(folder, pid), { what: 'the process is left' });
}

async function serviceFileOf(dataFolder: string): Promise<ServiceFile> {
  const file = decodeServiceFile(await readFile(join(dataFolder, 'service.json'), 'utf8'));
  assert.ok(file);
  return file;
}

/** Lets the time pass that a window waits for an answer or for the start of a service. */
async function passTime(clock: HandClock, milliseconds: number): Promise<void> {
  await waitUntil(() => clock.nextMs === milliseconds, { what: `no window waits ${milliseconds} ms` });
  clock.advance(milliseconds);
}

/** A hanging service does not answer the window, and then, before it is ended, once more. */
async function passSilence(clock: HandClock): Promise<void> {
  await passTime(clock, answerMs);
  await passTime(clock, lastAnswerMs);
}

const answerMs = 8000;
const lastAnswerMs = 2000;
const startMs = 60_000;

test('the service starts with the first lease and ends with the last one', async context => {
  const { lease, folder, empty } = await leaseFolder(context);
  const first = lease();
  const second = lease();
  assert.deepEqual(processesOf(folder), []);
  const baseUrl = await first.ensureRunning();
  assert.equal(await second.ensureRunning(), baseUrl);
  assert.ok(await answers(baseUrl));
  first.dispose();
  assert.equal(await second.ensureRunning(), baseUrl);
  assert.ok(await answers(baseUrl));
  second.dispose();
  await empty();
  assert.equal(await answers(baseUrl), false);
});

test('windows that start the service at the same moment share one, also after it was killed', async context => {
  const { lease, folder } = await leaseFolder(context);
  const windows = [lease(), lease(), lease()];
  const startAll = () => Promise.all(windows.map(window => window.ensureRunning()));
  const [baseUrl, ...others] = await startAll();
  assert.deepEqual(others, [baseUrl, baseUrl]);
  const oneIsLeft = () => waitUntil(() => servicesOf(folder).length === 1, { what: 'more than one service runs' });
  await oneIsLeft();
  await killService(folder);
  assert.deepEqual(await startAll(), [baseUrl, ...others], 'the new service has the same address');
  await oneIsLeft();
  windows[0]?.dispose();
  windows[1]?.dispose();
  assert.equal(await windows[2]?.ensureRunning(), baseUrl);
  assert.ok(await answers(baseUrl!));
});

for (const isHolder of [true, false]) {
  test(`a window ${isHolder ? 'with' : 'without'} a lease ends a hanging service that another window uses, and starts another`, async context => {
    const { lease, folder, clock } = await leaseFolder(context);
    const window = lease();
    if (isHolder) await window.ensureRunning();
    await lease().ensureRunning();
    const hanging = serviceOf(folder);
    process.kill(hanging, 'SIGSTOP');
    const started = window.ensureRunning();
    await passSilence(clock);
    assert.ok(await answers(await started));
    assert.ok(isGone(folder, hanging));
  });
}

test('a service that hangs for a while is not ended', async context => {
  const { lease, folder, clock } = await leaseFolder(context);
  const window = lease();
  const baseUrl = await window.ensureRunning();
  const hanging = serviceOf(folder);
  process.kill(hanging, 'SIGSTOP');
  const renewed = window.ensureRunning();
  await passTime(clock, answerMs);
  // Another service is about to start when this one continues.
  await waitUntil(() => servicesOf(folder).length > 1, { what: 'no other service starts' });
  process.kill(hanging, 'SIGCONT');
  assert.equal(await renewed, baseUrl);
  await waitUntil(() => servicesOf(folder).length === 1, { what: 'another service is left' });
  assert.equal(serviceOf(folder), hanging);
});

test('a window that closes starts no service', async context => {
  const { lease, folder } = await leaseFolder(context);
  const window = lease();
  const starting = window.ensureRunning();
  window.dispose();
  await assert.rejects(starting, { code: 'local_service_failed' });
  assert.deepEqual(processesOf(folder), []);
});

test('a service that hangs while it starts is ended, and the caller learns it', async context => {
  const { folder, dataFolder, owned, clock, empty } = await leaseFolder(context);
  const script = join(folder, 'hanging.mjs');
  await writeFile(script, 'setInterval(() => {}, 1000);');
  const window = owned.add(new ServiceLease({ folder: dataFolder, script }, clock));
  const starting = window.ensureRunning();
  const failure = assert.rejects(starting, { code: 'local_service_failed' });
  await passTime(clock, startMs);
  await failure;
  await empty();
});

test('a service whose data was deleted is replaced by one with new data', async context => {
  const { lease, folder, dataFolder } = await leaseFolder(context);
  const window = lease();
  await window.ensureRunning();
  const before = serviceOf(folder);
  await rm(dataFolder, { recursive: true });
  const baseUrl = await window.ensureRunning();
  assert.equal((await serviceFileOf(dataFolder)).baseUrl, baseUrl);
  await waitUntil(() => isGone(folder, before), { what: 'the service of the deleted data is left' });
});

test('a new window waits for the service of the last one while that ends', async context => {
  const { lease, folder, dataFolder } = await leaseFolder(context);
  const first = lease();
  const baseUrl = await first.ensureRunning();
  const { port } = new URL(baseUrl);
  const { adminKey } = await serviceFileOf(dataFolder);
  // The service waits some seconds for a request that never ends.
  const client = connect(Number(port), '127.0.0.1').on('error', () => undefined);
  context.after(() => client.destroy());
  const headers = `Host: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: 9\r\nx-api-key: ${adminKey}`;
  client.write(`POST /auth/issue HTTP/1.1\r\n${headers}\r\n\r\n`);
  assert.ok(await answers(baseUrl));
  const ending = serviceOf(folder);
  first.dispose();
  // Before that, the service would take the new window's lease and continue.
  await waitUntil(() => !existsSync(join(dataFolder, 'service.json')), { what: 'the service does not end' });
  assert.equal(await lease().ensureRunning(), baseUrl);
  await waitUntil(() => isGone(folder, ending), { what: 'the ended service is left' });
});

test('a window that is killed leaves nothing running', async context => {
  const { folder, dataFolder, script, empty } = await leaseFolder(context);
  const program = `
    const { ServiceLease } = await import(${JSON.stringify(leaseModule)});
    console.log(await new ServiceLease(JSON.parse(process.argv[1])).ensureRunning());
  `;
  const files = JSON.stringify({ folder: dataFolder, script });
  const window = spawn(process.execPath, ['--input-type=module', '-e', program, files], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  context.after(() => window.kill('SIGKILL'));
  const [baseUrl] = (await once(createInterface(window.stdout), 'line')) as [string];
  assert.ok(await answers(baseUrl));
  assert.equal(servicesOf(folder).length, 1);
  window.kill('SIGKILL');
  await empty();
});

const leaseModule = new URL('../../../src/host/local/serviceLease.ts', import.meta.url).href;

test('only the admin key opens a lease, and only the owner may read it', async context => {
  const { lease, dataFolder } = await leaseFolder(context);
  await lease().ensureRunning();
  const { baseUrl, pathPrefix } = await serviceFileOf(dataFolder);
  assert.equal((await stat(join(dataFolder, 'service.json'))).mode & 0o077, 0);
  const url = baseUrl + routePath(pathPrefix, { name: 'lease' });
  for (const [headers, status] of [
    [{}, 401],
    [{ [headerNames.apiKey]: 'sqlp_other' }, 401],
  ] as const) {
    const [answer] = (await once(get(url, { headers }), 'response')) as [IncomingMessage];
    answer.resume();
    assert.equal(answer.statusCode, status);
  }
});

/** Another program that has taken the port of a service that is gone. */
async function takePort(context: TestContext, { dataFolder }: WindowsFolder, greet: (socket: Socket) => void) {
  const server = createServer(socket => greet(socket.on('error', () => undefined))).listen(0, '127.0.0.1');
  context.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await mkdir(dataFolder, { mode: 0o700 });
  const oldFile = serviceFileFor(`http://127.0.0.1:${port}`, { pid: process.pid, machine: hostname() });
  await writeFile(join(dataFolder, 'service.json'), encodeServiceFile(oldFile));
}

test('the file of a service that is gone is ignored, whatever answers at its port', async context => {
  const windows = await leaseFolder(context);
  await takePort(context, windows, socket => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  assert.ok(await answers(await windows.lease().ensureRunning()));
});

test('another program that grants every lease gets no key, and the window starts its own service', async context => {
  const { lease, dataFolder } = await leaseFolder(context);
  await using other = await startScriptedServer(response => {
    response.setHeader('content-type', leaseMediaType);
    response.end('\n');
  });
  const oldFile = serviceFileFor(other.url);
  await mkdir(dataFolder, { mode: 0o700 });
  await writeFile(join(dataFolder, 'service.json'), encodeServiceFile(oldFile));
  const baseUrl = await lease().ensureRunning();
  assert.notEqual(baseUrl, other.url);
  assert.equal((await serviceFileOf(dataFolder)).baseUrl, baseUrl);
  assert.equal(other.requests.length, 1);
  assert.ok(!hasLearned(other.requests, oldFile.adminKey, oldFile.proofSecret));
});

test('a folder that the service of another machine has is not used, and the error names the machine', async context => {
  const { lease, folder, dataFolder } = await leaseFolder(context);
  await lease().ensureRunning();
  const there = serviceOf(folder);
  const file = serviceFileFor('http://127.0.0.1:1', { pid: there, machine: 'elsewhere' });
  await writeFile(join(dataFolder, 'service.json'), encodeServiceFile(file));
  await assert.rejects(lease().ensureRunning(), {
    code: 'local_service_failed',
    message: 'The service for this folder is running on another machine, elsewhere. Stop it there, then try again.',
  });
  assert.equal(serviceOf(folder), there);
});

test('no process is ended for a silent program at the port of a service that is gone', async context => {
  const windows = await leaseFolder(context);
  await takePort(context, windows, socket => context.after(() => socket.destroy()));
  const started = windows.lease().ensureRunning();
  await passTime(windows.clock, answerMs);
  // The file names the process of this test.
  assert.ok(await answers(await started));
});

test('a service that cannot start says why', async context => {
  const { lease, dataFolder } = await leaseFolder(context);
  await writeFile(dataFolder, 'a file where a folder must be');
  await assert.rejects(lease().ensureRunning(), {
    code: 'local_service_failed',
    message: /^The data folder .*data cannot be used: .*ENOTDIR/,
  });
});

test('a data folder that the service refuses is named with a remedy', async context => {
  const { lease, folder, dataFolder } = await leaseFolder(context);
  await mkdir(dataFolder, { mode: 0o700 });
  await symlink(folder, join(dataFolder, 'projects'));
  await assert.rejects(lease().ensureRunning(), {
    code: 'local_service_failed',
    message: /^.*projects is a symbolic link, .* link to the whole data folder\.$/,
  });
});

test('a service that cannot write its file leaves the folder to the next one', async context => {
  const { lease, dataFolder, empty } = await leaseFolder(context);
  const inTheWay = join(dataFolder, 'service.json');
  await mkdir(join(inTheWay, 'full'), { recursive: true });
  await writeFile(join(dataFolder, 'lock.sqlite'), '');
  const window = lease();
  await assert.rejects(window.ensureRunning(), {
    code: 'local_service_failed',
    // Others could open the folder. The warning about that is not part of the reason.
    message: /^EISDIR: .*service\.json/,
  });
  await empty();
  await rm(inTheWay, { recursive: true });
  assert.ok(await answers(await window.ensureRunning()));
});

test('the error names a Node.js without SQLite', async context => {
  const { lease } = await leaseFolder(context);
  process.env['NODE_OPTIONS'] = '--no-experimental-sqlite';
  try {
    await assert.rejects(lease().ensureRunning(), { code: 'runtime_too_old', message: /Node\.js \d+\.\d+\.\d+/ });
  } finally {
    delete process.env['NODE_OPTIONS'];
  }
});
