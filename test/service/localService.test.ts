import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { silentLogger } from '../../src/base/logger.ts';
import { Client } from '../../src/client/index.ts';
import { LocalService, type LocalServiceOptions } from '../../src/service/localService.ts';
import { Registry } from '../../src/service/folder/registry.ts';
import { decodeServiceFile, encodeServiceFile } from '../../src/wire/serviceFile.ts';
import { HandClock } from '../support/handClock.ts';
import { serviceFileFor } from '../support/serviceFolder.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

/** A new data folder, and a function that starts services on it. They end with the test. */
function dataFolder(context: TestContext) {
  const folder = temporaryFolder();
  const start = async (sample = false, others: Partial<LocalServiceOptions> = {}): Promise<LocalService> => {
    const options = { folder, port: 0, pathPrefix: '/serviceSql', sample, logger: silentLogger };
    const service = await LocalService.start({ ...options, ...others });
    context.after(() => service.close());
    return service;
  };
  return { folder, start };
}

test('a second service on the same data is refused, and the first one can still be found', async context => {
  const { folder, start } = dataFolder(context);
  const first = await start();
  await assert.rejects(start(), {
    message: `A service for this folder is already running at ${first.baseUrl}. Use that one, or stop it first.`,
  });
  const file = join(folder, 'service.json');
  assert.equal(decodeServiceFile(await readFile(file, 'utf8'))?.baseUrl, first.baseUrl);
  await first.close();
  assert.ok(!existsSync(file));
});

test('a service takes its last address again', async context => {
  const { start } = dataFolder(context);
  const first = await start();
  await first.close();
  const second = await start();
  assert.equal(second.baseUrl, first.baseUrl);
});

test('a service takes a free address when another program has its last one', async context => {
  const { start } = dataFolder(context);
  const first = await start();
  await first.close();
  const other = createServer().listen(Number(new URL(first.baseUrl).port), '127.0.0.1');
  context.after(() => other.close());
  await once(other, 'listening');
  const second = await start();
  assert.notEqual(second.baseUrl, first.baseUrl);
});

test('the file of a killed service is replaced', async context => {
  const { folder, start } = dataFolder(context);
  const killed = await start();
  const file = join(folder, 'service.json');
  const oldFile = await readFile(file, 'utf8');
  await killed.close();
  await writeFile(file, oldFile);
  const service = await start();
  assert.notEqual(await readFile(file, 'utf8'), oldFile);
  assert.equal(decodeServiceFile(await readFile(file, 'utf8'))?.baseUrl, service.baseUrl);
});

test('another program on the port of a killed service is not taken for it', async context => {
  const { folder, start } = dataFolder(context);
  const killed = await start();
  const oldFile = await readFile(join(folder, 'service.json'), 'utf8');
  await killed.close();
  await writeFile(join(folder, 'service.json'), oldFile);
  const other = createHttpServer((_, answer) => answer.end('hello'));
  context.after(() => other.close());
  await once(other.listen(Number(new URL(killed.baseUrl).port), '127.0.0.1'), 'listening');
  assert.notEqual((await start()).baseUrl, killed.baseUrl);
});

test('a service that cannot listen releases its folder', async context => {
  const { folder, start } = dataFolder(context);
  const other = createServer().listen(0, '127.0.0.1');
  context.after(() => other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const options = { folder, port, pathPrefix: '/p', sample: false, logger: silentLogger };
  await assert.rejects(LocalService.start(options), {
    message: /^The service cannot listen on 127\.0\.0\.1:\d+: .*EADDRINUSE.*\. Choose another port or host\.$/,
  });
  await start();
});

test('a service that ends does not remove the file of another one', async context => {
  const { folder, start } = dataFolder(context);
  const service = await start();
  const file = join(folder, 'service.json');
  const others = encodeServiceFile(serviceFileFor(service.baseUrl, { adminKey: 'sqlp_other' }));
  await writeFile(file, others);
  await service.close();
  assert.equal(await readFile(file, 'utf8'), others);
});

test('making the sample leaves no files behind', async context => {
  const { folder, start } = dataFolder(context);
  const service = await start(true);
  await service.close();
  const names = ['lock.sqlite', 'projects', 'registry.sqlite', 'service.spare'];
  assert.deepEqual((await readdir(folder)).toSorted(), names);
  assert.equal((await readdir(join(folder, 'projects'))).length, 1);
});

test('a project with a name in any script can be used with its headers', async context => {
  const { folder, start } = dataFolder(context);
  const service = await start();
  const registry = new Registry(join(folder, 'registry.sqlite'));
  const project = { projectId: randomUUID(), holderId: 'größe', projectName: 'Łódź 名前' };
  const { projectId, holderId, projectName } = registry.addProject(project);
  const { apiKey } = registry.issueKey(projectId, 'test', 'full');
  registry.close();
  await using client = new Client({ baseUrl: service.baseUrl, apiKey, holderId, projectName, retries: 0 });
  assert.deepEqual((await client.execSql(projectId, { sql: 'SELECT 1 AS one' })).rows, [{ one: 1 }]);
});

test('a service notices that its data folder was deleted, also when there is a new one', async context => {
  const { folder, start } = dataFolder(context);
  const clock = new HandClock();
  let losses = 0;
  await start(false, { clock, onFolderLost: () => losses++ });
  clock.advance(5000);
  assert.equal(losses, 0);
  await rm(folder, { recursive: true });
  // Another service has the lock of the new folder.
  await start();
  clock.advance(5000);
  assert.equal(losses, 1);
});
