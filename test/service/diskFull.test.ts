/** A limit on the size of files stands for a full disk: SQLite gets the same error. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { Client } from '../../src/client/index.ts';
import { openDataFolder } from '../../src/service/folder/dataFolder.ts';
import { decodeServiceFile, type ServiceFile } from '../../src/wire/serviceFile.ts';
import { childrenOf, limitFiles, OwnedChild } from '../support/childProcesses.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { sqlCall, startTestEngine } from '../support/testEngine.ts';

const cli = join(import.meta.dirname, '../../src/service/cli.ts');

interface ServeOptions {
  /** The limit of each file, in blocks of 512 bytes. */
  readonly blocks: number;
  readonly folder?: string;
  readonly options?: readonly string[];
}

/** Starts the service with a limit on each of its files. */
function serve(context: TestContext, { blocks, options = [], folder = temporaryFolder() }: ServeOptions) {
  const script = `ulimit -S -f ${blocks}; exec "$@"`;
  const args = [process.execPath, cli, 'serve', '--data', folder, '--with-parent', ...options];
  const child = spawn('sh', ['-c', script, 'sh', ...args], { stdio: 'pipe' });
  const owned = new OwnedChild(child);
  const errors = text(child.stderr);
  context.after(() => owned[Symbol.asyncDispose]());
  const ready = async (): Promise<ServiceFile> => {
    await Promise.race([once(createInterface(child.stdout), 'line'), owned.exited]);
    const file = decodeServiceFile(await readFile(join(folder, 'service.json'), 'utf8').catch(() => ''));
    return file ?? assert.fail(`the service did not start: ${await errors}`);
  };
  return { pid: child.pid!, exited: owned.exited, errors, ready };
}

/** A data folder with a project. Nobody uses it. */
async function usedFolder(...statements: string[]) {
  const folder = temporaryFolder();
  const data = openDataFolder(folder) ?? assert.fail('the folder is in use');
  const pair = { holderId: 'ann', projectName: 'shop' };
  const { projectId } = await data.administration.init(pair);
  for (const sql of statements) await data.engine.execute(projectId, sqlCall(sql));
  const { apiKey } = await data.administration.issueKey({ projectId, user: 'test', scope: 'full' });
  await data.close();
  return { folder, projectId, apiKey };
}

/** Less than SQLite needs to open a database with a log, but enough for `service.json`. */
const noBlocks = 8;

const refusal = {
  status: 507,
  code: 'disk_full',
  message: /^The disk of the service takes no more data: it is full, /,
};

test('a write without disk space is refused with 507 and changes nothing, and other calls are done', async context => {
  const file = await serve(context, { blocks: 800 }).ready();
  await using admin = new Client({ baseUrl: file.baseUrl, apiKey: file.adminKey, retries: 0 });
  const { projectId } = await admin.initProject({ holderId: 'ann', projectName: 'shop' });
  const issue = async () => admin.issueKey({ projectId, holderId: 'ann', projectName: 'shop', user: 'test' });
  const { apiKey } = await issue();
  await using client = new Client({ baseUrl: file.baseUrl, apiKey, retries: 0 });
  const count = async () => (await client.execSql(projectId, { sql: 'SELECT count(*) AS n FROM t' })).rows?.[0]?.['n'];

  await client.execSql(projectId, { sql: 'CREATE TABLE t (a)' });
  const large = { sql: 'INSERT INTO t VALUES (zeroblob(500000))' };
  await assert.rejects(client.execSql(projectId, large), refusal);
  // The first call has stored its record but not its commit, so the second call must not be replayed.
  for (let i = 0; i < 2; i++) {
    await assert.rejects(client.execSql(projectId, large, { idempotencyKey: 'large' }), refusal);
  }
  assert.equal(await count(), 0);
  const otherCall = client.execSql(projectId, { sql: 'DELETE FROM t' }, { idempotencyKey: 'large' });
  await assert.rejects(otherCall, { status: 409, code: 'idempotency_conflict' });
  // The answer does not fit into the file of the records, so the write is not done either.
  const longAnswer = { sql: `INSERT INTO t VALUES (1) RETURNING hex(zeroblob(500000)) AS long` };
  await assert.rejects(client.execSql(projectId, longAnswer, { idempotencyKey: 'long answer' }), refusal);
  assert.equal(await count(), 0);
  const small = { sql: 'INSERT INTO t VALUES (1)' };
  assert.equal((await client.execSql(projectId, small, { idempotencyKey: 'large other' })).rowCount, 1);
  assert.equal(await count(), 1);
  // The answer of a read needs no disk: it is given, and only its key is remembered.
  const longRead = { sql: 'SELECT hex(zeroblob(500000)) AS long' };
  for (let i = 0; i < 2; i++) {
    const { rows, replayed } = await client.execSql(projectId, longRead, { idempotencyKey: 'long read' });
    assert.deepEqual([rows.length, replayed], [1, false]);
  }
  const otherRead = client.execSql(projectId, { sql: 'SELECT 1' }, { idempotencyKey: 'long read' });
  await assert.rejects(otherRead, { status: 409, code: 'idempotency_conflict' });

  const issueMany = async (): Promise<void> => {
    for (let keys = 0; keys < 1000; keys++) await issue();
  };
  await assert.rejects(issueMany(), refusal);
  await assert.rejects(admin.initProject({ holderId: 'ann', projectName: 'other' }), refusal);
  assert.equal(await count(), 1);
});

test('a new service without disk space for its start says so and ends', async context => {
  const { errors, exited } = serve(context, { blocks: noBlocks });
  const [notes, [code]] = await Promise.all([errors, exited]);
  assert.equal(code, 1);
  assert.match(notes, /^error: The disk of the service takes no more data: /);
  assert.doesNotMatch(notes, /\n\s+at /);
});

test('on a full disk a service starts and says why it cannot write, and its projects can be used when there is space', async context => {
  const { folder, projectId, apiKey } = await usedFolder('CREATE TABLE t (a)', 'INSERT INTO t VALUES (1), (2)');
  const { pid, ready } = serve(context, { folder, blocks: noBlocks });
  const { baseUrl, adminKey } = await ready();
  await using client = new Client({ baseUrl, apiKey, retries: 0 });
  await using admin = new Client({ baseUrl, apiKey: adminKey, retries: 0 });
  const project = client.project(projectId);
  const reason = 'The disk of the service takes no more data: it is full, a quota is used up, or it fails.';
  const { status, readOnlyReason } = await client.projectStatus(projectId);
  assert.deepEqual([status, readOnlyReason], ['read-only', reason]);
  const insert = 'INSERT INTO t VALUES (3)';
  // SQLite needs some space to open a database, also for a read.
  for (const sql of ['SELECT a FROM t', insert]) await assert.rejects(project.sql(sql), refusal);
  await assert.rejects(project.sql(insert, null, { idempotencyKey: 'one' }), refusal);
  await assert.rejects(admin.initProject({ holderId: 'ann', projectName: 'other' }), refusal);

  limitFiles(pid, 'unlimited');
  const { status: statusAfter, readOnlyReason: reasonAfter } = await client.projectStatus(projectId);
  assert.deepEqual([statusAfter, reasonAfter], ['active', undefined]);
  for (let i = 0; i < 2; i++) {
    assert.equal((await project.sql(insert, null, { idempotencyKey: 'one' })).rowCount, 1);
  }
  assert.deepEqual((await project.sql('SELECT count(*) AS n FROM t')).rows, [{ n: 3 }]);
});

test('a service that was killed on a full disk loses no commit', async context => {
  const { folder, projectId, apiKey } = await usedFolder('CREATE TABLE t (a)');
  {
    const { pid, ready, exited } = serve(context, { folder, blocks: 800 });
    const { baseUrl } = await ready();
    await using client = new Client({ baseUrl, apiKey, retries: 0 });
    for (let a = 1; a <= 5; a++) await client.execSql(projectId, { sql: 'INSERT INTO t VALUES (?)', params: [a] });
    for (const one of [pid, ...childrenOf(pid)]) process.kill(one, 'SIGKILL');
    await exited;
  }
  // The log holds the commits, and there is no space for its index.
  const { pid, ready } = serve(context, { folder, blocks: noBlocks });
  const { baseUrl } = await ready();
  await using client = new Client({ baseUrl, apiKey, retries: 0 });
  const sum = { sql: 'SELECT sum(a) AS n FROM t' };
  await assert.rejects(client.execSql(projectId, sum), refusal);
  limitFiles(pid, 'unlimited');
  assert.deepEqual((await client.execSql(projectId, sum)).rows, [{ n: 15 }]);
});

test('a full disk while the sample is made ends a new service with a remedy, and warns when there are projects', async context => {
  const fresh = serve(context, { blocks: 800, options: ['--sample'] });
  const [notes, [code]] = await Promise.all([fresh.errors, fresh.exited]);
  assert.equal(code, 1);
  const message = 'The sample project could not be made. The disk of the service takes no more data: ';
  assert.ok(notes.startsWith(`error: ${message}`), notes);
  assert.match(notes, /Free some space, then try again\.\n$/);

  const { folder, projectId, apiKey } = await usedFolder('CREATE TABLE t (a)');
  const used = serve(context, { folder, blocks: 800, options: ['--sample'] });
  const { baseUrl } = await used.ready();
  await using client = new Client({ baseUrl, apiKey, retries: 0 });
  assert.deepEqual(await client.listTables(projectId), ['t']);
  assert.ok(!existsSync(join(folder, 'sample.sqlite')));
});

test('small writes and deletions continue in the space of the log when the disk is full', async context => {
  const { run } = startTestEngine(context);
  await run('CREATE TABLE t (a)');
  await run('INSERT INTO t VALUES (0), (-1)');
  for (const pid of childrenOf(process.pid)) limitFiles(pid, 64 * 1024);
  // Each commit needs 4 KiB of log.
  for (let i = 1; i <= 50; i++) assert.equal(await run('UPDATE t SET a = a + 1 WHERE a >= 0'), 1);
  await assert.rejects(run('INSERT INTO t VALUES (zeroblob(100000))'), { code: 'disk_full' });
  assert.equal(await run('DELETE FROM t WHERE a < 0'), 1);
  assert.deepEqual(await run('SELECT a FROM t'), [{ a: 50 }]);
});
