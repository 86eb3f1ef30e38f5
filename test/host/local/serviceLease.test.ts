import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test, type TestContext } from 'node:test';
import { ServiceLease } from '../../../src/host/local/serviceLease.ts';
import { decodeKeeperFile, encodeKeeperFile } from '../../../src/wire/keeper.ts';
import { decodeServiceFile } from '../../../src/wire/serviceFile.ts';
import { keptFolder, type KeptFolder } from '../../support/keeperFiles.ts';
import { processesOf } from '../../support/processesOf.ts';
import { waitUntil } from '../../support/workbench/waitUntil.ts';

const answers = (baseUrl: string): Promise<boolean> =>
  fetch(baseUrl).then(
    () => true,
    () => false,
  );

const pidOf = (folder: string, part: string): number =>
  processesOf(folder).find(({ command }) => command.includes(part))?.pid ?? assert.fail(`${part} does not run`);

const isGone = (folder: string, pid: number): boolean => !processesOf(folder).some(found => found.pid === pid);

async function kill(folder: string, part: string): Promise<void> {
  const pid = pidOf(folder, part);
  process.kill(pid, 'SIGKILL');
  await waitUntil(() => isGone(folder, pid), { what: 'the process is left' });
}

test('the service starts when it is needed, and ends with the last claim on it', async context => {
  const kept = await keptFolder(context);
  const [one, other] = [kept.lease(), kept.lease()];
  assert.deepEqual(processesOf(kept.folder), []);
  const baseUrl = await one.running();
  assert.equal(await other.running(), baseUrl);
  assert.ok(await answers(baseUrl));
  one.dispose();
  assert.equal(await other.running(), baseUrl);
  assert.ok(await answers(baseUrl));
  other.dispose();
  await kept.empty();
  assert.equal(await answers(baseUrl), false);
});

test('windows that need it at the same moment share one service', async context => {
  const { lease, folder } = await keptFolder(context);
  const addresses = await Promise.all([lease(), lease(), lease()].map(each => each.running()));
  assert.equal(new Set(addresses).size, 1);
  assert.equal(processesOf(folder).filter(({ command }) => command.includes('cli.ts serve')).length, 1);
});

test('a service that was killed is started again, at the same address', async context => {
  const { lease, folder } = await keptFolder(context);
  const window = lease();
  const baseUrl = await window.running();
  await kill(folder, 'cli.ts serve');
  assert.equal(await window.running(), baseUrl);
  assert.ok(await answers(baseUrl));
});

test('a service that hangs is ended and started again, also while another window holds on to it', async context => {
  const { lease, folder } = await keptFolder(context);
  const [window, other] = [lease(), lease()];
  await Promise.all([window.running(), other.running()]);
  const hanging = pidOf(folder, 'cli.ts serve');
  process.kill(hanging, 'SIGSTOP');
  assert.ok(await answers(await window.running()));
  assert.ok(isGone(folder, hanging));
});

test('a service whose data was deleted begins anew', async context => {
  const { lease, folder } = await keptFolder(context);
  const window = lease();
  await window.running();
  await rm(join(folder, 'data'), { recursive: true });
  const baseUrl = await window.running();
  assert.equal(decodeServiceFile(await readFile(join(folder, 'data', 'service.json'), 'utf8'))?.baseUrl, baseUrl);
});

test('a keeper that was killed takes the service along, and both are started again', async context => {
  const { lease, folder } = await keptFolder(context);
  const window = lease();
  await window.running();
  const service = pidOf(folder, 'cli.ts serve');
  await kill(folder, 'keeper.ts');
  await waitUntil(() => isGone(folder, service), { what: 'the service is left' });
  assert.ok(await answers(await window.running()));
});

test('a service that still ends after its keeper was killed is waited for', async context => {
  const { lease, folder } = await keptFolder(context);
  const window = lease();
  const baseUrl = await window.running();
  const { port } = new URL(baseUrl);
  // A request that does not come to its end is waited for as well.
  const client = connect(Number(port), '127.0.0.1').on('error', () => undefined);
  context.after(() => client.destroy());
  client.write(`POST /auth/issue HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 9\r\n\r\n`);
  assert.ok(await answers(baseUrl));
  const service = pidOf(folder, 'cli.ts serve');
  await kill(folder, 'keeper.ts');
  const again = window.running();
  assert.ok(!isGone(folder, service));
  assert.equal(await again, baseUrl);
});

test('a window that is killed leaves nothing running', async context => {
  const { folder, files, empty } = await keptFolder(context);
  const window = spawn(process.execPath, ['--input-type=module', '-e', windowProgram, JSON.stringify(files)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [baseUrl] = (await once(createInterface(window.stdout), 'line')) as [string];
  assert.ok(await answers(baseUrl));
  assert.ok(processesOf(folder).length >= 2);
  window.kill('SIGKILL');
  await empty();
});

const leaseModule = new URL('../../../src/host/local/serviceLease.ts', import.meta.url).href;
const windowProgram = `
  const { ServiceLease } = await import(${JSON.stringify(leaseModule)});
  console.log(await new ServiceLease(JSON.parse(process.argv[1])).running());
`;

test('whoever does not know the token neither holds the service nor starts it', async context => {
  const { lease, folder } = await keptFolder(context);
  await lease().running();
  const file = decodeKeeperFile(await readFile(join(folder, 'keeper.json'), 'utf8'));
  assert.ok(file);
  assert.equal((await stat(join(folder, 'keeper.json'))).mode & 0o077, 0);
  const socket = connect(file.port, '127.0.0.1').setEncoding('utf8');
  socket.write(`not ${file.token}\n`);
  let heard = '';
  socket.on('data', (text: string) => (heard += text));
  await once(socket, 'close');
  assert.equal(heard, '');
});

/** A program that took the port of a keeper that is gone. */
async function stranger(context: TestContext, { folder }: KeptFolder, greet: (socket: Socket) => void): Promise<void> {
  const server = createServer(socket => greet(socket.on('error', () => undefined))).listen(0, '127.0.0.1');
  context.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await writeFile(join(folder, 'keeper.json'), encodeKeeperFile({ port, token: 'old' }));
}

test('a file of a keeper that is gone is passed over, whoever listens at its port now', async context => {
  const kept = await keptFolder(context);
  await stranger(context, kept, socket => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  assert.ok(await answers(await kept.lease().running()));
});

test('a service that cannot start says why', async context => {
  const { lease, folder } = await keptFolder(context);
  await writeFile(join(folder, 'data'), 'a file where a folder must be');
  await assert.rejects(lease().running(), { code: 'local_service_failed', message: /EEXIST|ENOTDIR/ });
});

test('a folder that cannot be used is named, and why', async context => {
  const { files, folder, owned } = await keptFolder(context);
  const inTheWay = join(folder, 'file');
  await writeFile(inTheWay, '');
  const window = owned.add(new ServiceLease({ ...files, folder: inTheWay }));
  await assert.rejects(window.running(), { message: /^The data folder .*file cannot be used: ENOTDIR/ });
});

test('a keeper that cannot tell where it is leaves the folder to the next', async context => {
  const { lease, folder, empty } = await keptFolder(context);
  const inTheWay = join(folder, 'keeper.json');
  await mkdir(join(inTheWay, 'full'), { recursive: true });
  const window = lease();
  await assert.rejects(window.running(), { code: 'local_service_failed', message: /keeper\.json/ });
  await empty();
  assert.deepEqual((await readdir(folder)).toSorted(), ['keeper.json', 'keeper.sqlite']);
  await rm(inTheWay, { recursive: true });
  assert.ok(await answers(await window.running()));
});

test('a runtime without SQLite is named, and what its version is', async context => {
  const { lease } = await keptFolder(context);
  process.env['NODE_OPTIONS'] = '--no-experimental-sqlite';
  try {
    await assert.rejects(lease().running(), { code: 'runtime_too_old', message: /Node\.js \d+\.\d+\.\d+/ });
  } finally {
    delete process.env['NODE_OPTIONS'];
  }
});
