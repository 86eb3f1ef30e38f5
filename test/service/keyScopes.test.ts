/** The scope of a key stays with its data folder. */
import assert from 'node:assert/strict';
import { cp, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { silentLogger } from '../../src/base/logger.ts';
import { Client } from '../../src/client/index.ts';
import { LocalService } from '../../src/service/localService.ts';
import { defaultPathPrefix as pathPrefix } from '../../src/wire/paths.ts';
import { outputOf } from '../support/runCommand.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

/** A service on the folder, which ends before the next one starts. */
async function withService<T>(folder: string, work: (service: LocalService) => Promise<T>): Promise<T> {
  const service = await LocalService.start({
    folder,
    port: 0,
    pathPrefix,
    sample: false,
    logger: silentLogger,
  });
  try {
    return await work(service);
  } finally {
    await service.close();
  }
}

interface Keys {
  readonly projectId: string;
  readonly full: string;
  readonly read: string;
}

/** A folder with a project of one table, and a key of each scope. */
async function newFolder(data: string): Promise<Keys> {
  return withService(data, async ({ baseUrl }) => {
    const projectId = await outputOf('init', '--data', data, '--holder', 'ann', '--name', 'shop');
    const issue = ['key', 'issue', '--data', data, '--project', projectId];
    const full = await outputOf(...issue);
    const read = await outputOf(...issue, '--read-only');
    await using client = new Client({ baseUrl, apiKey: full, retries: 0 });
    await client.execSql(projectId, { sql: 'CREATE TABLE t (a)' });
    return { projectId, full, read };
  });
}

/** Each key still does what its scope says, on a service that starts on the folder. */
async function requireScopes(data: string, { projectId, full, read }: Keys): Promise<void> {
  await withService(data, async ({ baseUrl }) => {
    await using reader = new Client({ baseUrl, apiKey: read, retries: 0 });
    await using writer = new Client({ baseUrl, apiKey: full, retries: 0 });
    assert.equal((await writer.execSql(projectId, { sql: 'INSERT INTO t VALUES (1)' })).rowCount, 1);
    const before = (await reader.execSql(projectId, { sql: 'SELECT count(*) AS n FROM t' })).rows;
    await assert.rejects(reader.execSql(projectId, { sql: 'DELETE FROM t' }), { status: 403, code: 'forbidden' });
    assert.deepEqual((await reader.execSql(projectId, { sql: 'SELECT count(*) AS n FROM t' })).rows, before);
    assert.equal((await reader.projectStatus(projectId)).keyScope, 'read');
    assert.equal((await writer.projectStatus(projectId)).keyScope, 'full');
  });
}

test('a key that only reads still only reads after its folder was moved or copied', async () => {
  const scratch = temporaryFolder();
  const moved = join(scratch, 'moved');
  const copied = join(scratch, 'copied');
  const keys = await newFolder(join(scratch, 'data'));
  await rename(join(scratch, 'data'), moved);
  await cp(moved, copied, { recursive: true });
  await requireScopes(moved, keys);
  await requireScopes(copied, keys);
});

test('a key that only reads still only reads after its project was restored', async () => {
  const scratch = temporaryFolder();
  const data = join(scratch, 'data');
  const keys = await newFolder(data);
  await outputOf('backup', '--data', data, '--project', keys.projectId, join(scratch, 'backup'));
  await outputOf('restore', '--data', data, join(scratch, 'backup'));
  await requireScopes(data, keys);
});
