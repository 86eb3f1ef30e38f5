/** The service with the engine on workerd, as users start it. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client } from '../../../../src/client/index.ts';
import { runCommand } from '../../../support/runCommand.ts';
import { ServiceProcess } from '../../../support/serviceProcess.ts';

const workerd = { options: ['--engine', 'workerd'] };

async function clientOf(service: ServiceProcess) {
  const { baseUrl, projectId, apiKey } = await service.project();
  return { client: new Client({ baseUrl, apiKey, retries: 0 }), projectId };
}

/** The process that a service left behind, if it still runs. */
async function leftBehind(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const nth of ['0', '1']) {
    const pid = (await readFile(join(folder, 'objects', nth, 'workerd.pid'), 'utf8').catch(() => '')).trim();
    const command = pid === '' ? '' : await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command.includes(folder)) found.push(pid);
  }
  return found;
}

test('a killed service leaves its rows to the next one, which ends the processes of the killed one', async context => {
  const folder = await mkdtemp(join(tmpdir(), 'killed-objects-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  {
    await using service = await ServiceProcess.start('built', { folder, ...workerd });
    const { client, projectId } = await clientOf(service);
    await client.execSql(projectId, { sql: 'CREATE TABLE t (a)' });
    await client.execSql(projectId, { sql: 'INSERT INTO t VALUES (1)' });
    await client.close();
    await service.kill();
  }
  const orphans = await leftBehind(folder);
  assert.equal(orphans.length, 1);
  // The folder keeps its engine.
  await using service = await ServiceProcess.start('built', { folder });
  const { client, projectId } = await clientOf(service);
  assert.deepEqual((await client.execSql(projectId, { sql: 'SELECT a FROM t' })).rows, [{ a: 1 }]);
  const { engine } = await client.projectStatus(projectId);
  assert.deepEqual([engine?.name, engine?.limits.columns], ['workerd', 100]);
  assert.equal((await leftBehind(folder)).includes(orphans[0]!), false);
  await client.close();
});

test('a folder keeps its engine, and the commands find it', async context => {
  const folder = await mkdtemp(join(tmpdir(), 'kept-engine-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  let id: string;
  {
    await using service = await ServiceProcess.start('built', { folder, ...workerd });
    id = (await service.project()).projectId;
  }
  const checked = await runCommand('check', '--data', folder, '--project', id);
  assert.deepEqual([checked.code], [0]);
  const exported = await runCommand('export', '--data', folder, '--project', id, join(folder, 'out.sqlite'));
  assert.equal(exported.code, 0, exported.notes);
  const refused = await runCommand('serve', '--data', folder, '--engine', 'sqlite');
  assert.equal(refused.code, 1);
  assert.match(refused.notes, /belong to the engine workerd\. Serve them with --engine workerd, or move them/);
});

test('an engine with another name is refused', async () => {
  const refused = await runCommand('serve', '--data', tmpdir(), '--engine', 'oracle');
  assert.deepEqual([refused.code, /--engine must be sqlite or workerd/.test(refused.notes)], [2, true]);
});
