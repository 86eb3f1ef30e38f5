/** A limit on the size of files stands for a full disk: SQLite gets the same error. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { Client } from '../../src/client/index.ts';
import { decodeServiceFile } from '../../src/wire/serviceFile.ts';

const cli = join(import.meta.dirname, '../../src/service/cli.ts');

/** Starts the service with a limit on each of its files, in blocks of 512 bytes. */
async function serve(context: TestContext, blocks: number) {
  const folder = await mkdtemp(join(tmpdir(), 'full-'));
  const script = `ulimit -f ${blocks}; exec "$@"`;
  const args = [process.execPath, cli, 'serve', '--data', folder, '--with-parent'];
  const child = spawn('sh', ['-c', script, 'sh', ...args], { stdio: 'pipe' });
  const exited = once(child, 'exit') as Promise<[code: number | null]>;
  context.after(async () => {
    child.stdin.end();
    await exited;
    await rm(folder, { recursive: true, force: true });
  });
  return { child, exited, folder };
}

const refusal = {
  status: 507,
  code: 'disk_full',
  message: /^The disk of the service takes no more data: it is full, /,
};

test('a write without disk space is refused with 507 and changes nothing, and other calls are done', async context => {
  const { child, folder } = await serve(context, 800);
  await once(createInterface(child.stdout), 'line');
  const file = decodeServiceFile(await readFile(join(folder, 'service.json'), 'utf8'));
  assert.ok(file);
  await using admin = new Client({ baseUrl: file.baseUrl, apiKey: file.adminKey, retries: 0 });
  const { projectId } = await admin.initProject({ holderId: 'ann', projectName: 'shop' });
  const issue = async () => admin.issueKey({ projectId, projectHolder: 'ann', projectName: 'shop', user: 'test' });
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

test('a service without disk space for its start says so and ends', async context => {
  const { child, exited } = await serve(context, 8);
  const [notes, [code]] = await Promise.all([text(child.stderr), exited]);
  assert.equal(code, 1);
  assert.match(notes, /^error: The disk of the service takes no more data: /);
  assert.doesNotMatch(notes, /\n\s+at /);
});
