import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { chmod, chown, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { Client } from '../../src/client/index.ts';
import { decodeServiceFile } from '../../src/wire/serviceFile.ts';
import { OwnedChild } from '../support/childProcesses.ts';
import { ServiceProcess } from '../support/serviceProcess.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const cli = join(import.meta.dirname, '../../src/service/cli.ts');

test('a path prefix begins with a slash and does not end with one, however it is typed', async () => {
  await using service = await ServiceProcess.start('source', { options: ['--path-prefix', 'serviceSql/'] });
  const { baseUrl, pathPrefix, adminKey } = await service.file();
  assert.equal(pathPrefix, '/serviceSql');
  const answer = await fetch(`${baseUrl}/serviceSql/projects`, { headers: { 'x-api-key': adminKey } });
  assert.equal(answer.status, 200);
});

async function run(...args: string[]): Promise<unknown[]> {
  return runAs({}, ...args);
}

async function runAs(user: { uid?: number }, ...args: string[]): Promise<unknown[]> {
  const child = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'pipe', 'pipe'], ...user });
  const exited = once(child, 'exit') as Promise<[code: number | null]>;
  const [output, notes, [code]] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  return [code, output, notes];
}

test('a command prints its result and its messages on different outputs, and sets its exit code', async () => {
  const folder = temporaryFolder();
  assert.deepEqual(await run('projects', '--data', folder), [0, '', '']);
  const missing = 'error: There is no project with the id "p". Check the id, or list the projects.\n';
  assert.deepEqual(await run('check', '--data', folder, '--project', 'p'), [1, '', missing]);
  const [code, output, notes] = await run('key');
  assert.deepEqual([code, output], [2, '']);
  assert.match(String(notes), /^error: .*\n\nUsage: sql-project-explorer key /);
});

test('the server for agents ends at once for a wrong folder or project, and says why', async context => {
  const nowhere = join(temporaryFolder(), 'nowhere');
  const missing = `error: The data folder ${nowhere} does not exist. Check its path.\n`;
  assert.deepEqual(await run('mcp', '--data', nowhere), [1, '', missing]);
  await using service = await ServiceProcess.start('source');
  const args = [cli, 'mcp', '--data', service.folder, '--project', 'shp'];
  const child = spawn(process.execPath, args, { stdio: 'pipe' });
  const owned = new OwnedChild(child);
  context.after(() => owned[Symbol.asyncDispose]());
  assert.equal(await text(child.stderr), 'error: The local service has no project "shp".\n');
});

test('other users cannot read the files of a data folder that they can open', async () => {
  const folder = temporaryFolder();
  await chmod(folder, 0o755);
  const [code, id] = await run('init', '--data', folder, '--holder', 'ann', '--name', 'shop');
  assert.equal(code, 0);
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const readable = entries.filter(entry => (statSync(join(entry.parentPath, entry.name)).mode & 0o077) !== 0);
  assert.deepEqual(
    readable.map(({ name }) => name),
    [],
  );
  assert.ok(entries.some(({ name }) => name === `${String(id).trim()}.sqlite`));
});

const unusable: readonly (readonly [name: string, make: (folder: string) => Promise<string>, reason: RegExp])[] = [
  ['where the system forbids one', async () => '/proc/data', /(?:ENOENT|EACCES|EROFS).*mkdir/],
  [
    'below a file',
    async folder => writeFile(join(folder, 'file'), '').then(() => join(folder, 'file/data')),
    /ENOTDIR/,
  ],
  ['that is read-only', async folder => chmod(folder, 0o555).then(() => folder), /EACCES: permission denied/],
];

for (const [name, make, reason] of unusable) {
  test(`a data folder ${name} is refused with the reason and a remedy`, async () => {
    const folder = temporaryFolder();
    const data = await make(folder);
    // Root may write to a read-only folder.
    const user = process.getuid?.() === 0 && data === folder ? { uid: 65_534 } : {};
    if (user.uid !== undefined) await chown(folder, user.uid, user.uid);
    const [code, output, notes] = await runAs(user, 'serve', '--data', data);
    assert.deepEqual([code, output], [1, '']);
    const [line = '', ...others] = String(notes).trimEnd().split('\n');
    assert.ok(line.startsWith(`error: The data folder ${data} cannot be used: `), line);
    assert.match(line, reason);
    assert.ok(line.endsWith('Choose a folder that you may write to.'));
    assert.deepEqual(others, []);
  });
}

test('a read-only backup is restored', async () => {
  const folder = temporaryFolder();
  // Modes do not restrict root.
  const user = process.getuid?.() === 0 ? { uid: 65_534 } : {};
  if (user.uid !== undefined) await chown(folder, user.uid, user.uid);
  const data = join(folder, 'data');
  const file = join(folder, 'shop.backup');
  const [, id] = await runAs(user, 'init', '--data', data, '--holder', 'ann', '--name', 'shop');
  const project = String(id).trim();
  assert.deepEqual(await runAs(user, 'backup', '--data', data, '--project', project, file), [0, '', '']);
  await chmod(file, 0o400);
  assert.deepEqual(await runAs(user, 'restore', '--data', data, file), [0, `${project}\tann\tshop\n`, '']);
  assert.deepEqual((await readdir(data)).toSorted(), ['lock.sqlite', 'projects', 'registry.sqlite']);
});

test('a service that cannot write its file ends', async () => {
  const folder = temporaryFolder();
  await mkdir(join(folder, 'service.json', 'in the way'), { recursive: true });
  const [code, output, notes] = await run('serve', '--data', folder);
  assert.deepEqual([code, output], [1, '']);
  assert.match(String(notes), /^error: .*service\.json/);
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} ends the service and removes its file`, async () => {
    await using service = await ServiceProcess.start('source');
    process.kill(service.pid, signal);
    assert.deepEqual(await service.exited, [0, null]);
    assert.ok(!existsSync(join(service.folder, 'service.json')));
  });
}

test('Ctrl-C, which all processes of a terminal get, lets an answer finish', async () => {
  const folder = temporaryFolder();
  const args = [cli, 'serve', '--data', folder, '--with-parent', '--sample', '--drain-seconds', '600'];
  await using service = new OwnedChild(spawn(process.execPath, args, { stdio: 'pipe', detached: true }));
  await once(createInterface(service.process.stdout), 'line');
  const { baseUrl, adminKey } = decodeServiceFile(await readFile(join(folder, 'service.json'), 'utf8'))!;
  await using admin = new Client({ baseUrl, apiKey: adminKey });
  const [project] = (await admin.listProjects())!;
  const { projectId, holderId, projectName } = project!;
  const { apiKey } = await admin.issueKey({ projectId, holderId, projectName, user: 'test' });
  await using client = new Client({ baseUrl, apiKey, retries: 0 });
  const scanner = await client.execSqlStream(projectId, { sql: 'SELECT * FROM orders' });
  assert.ok(await scanner.next({}));
  process.kill(-service.process.pid!, 'SIGINT');
  let rows = 1;
  for await (const batch of scanner.batches()) rows += batch.length;
  assert.deepEqual([scanner.err(), rows], [undefined, 36_000]);
  assert.deepEqual(await service.exited, [0, null]);
});

test('serve obeys its options for enrolment, rates, connections and timeouts', async () => {
  const options =
    '--path-prefix /p --open-enrolment --rate-limit 0.001/s:3 --max-connections 5 --statement-timeout 1 --synchronous normal';
  await using service = await ServiceProcess.start('source', { options: options.split(' ') });
  const { baseUrl, adminKey } = await service.file();
  const metrics = await fetch(`${baseUrl}/metrics`, { headers: { 'x-api-key': adminKey } });
  assert.match(await metrics.text(), /^sql_service_connections_max 5$/m);
  const pair = { holderId: 'ann', projectName: 'shop' };
  await using nobody = new Client({ baseUrl, pathPrefix: '/p', retries: 0 });
  const { projectId } = await nobody.initProject(pair);
  const { apiKey } = await nobody.issueKey({ projectId, holderId: 'ann', projectName: 'shop', user: 'ann' });
  await using client = new Client({ baseUrl, pathPrefix: '/p', apiKey, retries: 0 });
  const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';
  const timeout = { status: 504, code: 'statement_timeout' };
  await assert.rejects(client.execSql(projectId, { sql: endless }), timeout);
  assert.deepEqual((await client.execSql(projectId, { sql: 'PRAGMA page_size' })).rows, [{ page_size: 4096 }]);
  await nobody.resolveProject(pair);
  await assert.rejects(nobody.resolveProject(pair), { status: 429, code: 'rate_limited' });
});

test('one of the services that start on a folder at once runs, and the others say so', async context => {
  const folder = temporaryFolder();
  const starts = Array.from({ length: 4 }, () => {
    const child = spawn(process.execPath, [cli, 'serve', '--data', folder, '--with-parent'], { stdio: 'pipe' });
    return { child, owned: new OwnedChild(child), errors: text(child.stderr) };
  });
  context.after(() => Promise.all(starts.map(({ owned }) => owned[Symbol.asyncDispose]())));
  const outcomes = await Promise.all(
    starts.map(async ({ child, owned, errors }) => {
      const [first] = (await Promise.race([once(createInterface(child.stdout), 'line'), owned.exited])) as [
        string | number,
      ];
      return typeof first === 'string' ? 'listening' : { code: first, errors: await errors };
    }),
  );
  const refused = outcomes.filter(outcome => outcome !== 'listening');
  assert.equal(refused.length, 3, JSON.stringify(outcomes));
  for (const { code, errors } of refused) {
    assert.equal(code, 1);
    assert.match(
      errors,
      /^error: (?:A service for this folder is already running|Another program is using this folder)/,
    );
  }
});
