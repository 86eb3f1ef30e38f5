import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { Client } from '../../src/client/index.ts';
import { processesOf } from '../support/processesOf.ts';
import { waitUntil } from '../support/workbench/waitUntil.ts';

const script = join(import.meta.dirname, '../../.dev/start.ts');

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`npm start tells when it is ready, and ${signal} ends all of it, a statement without end too`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'start-'));
    const child = spawn(process.execPath, [script, '--no-open', '--no-build', '--folder', folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    try {
      const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
      const url = /^ready (http:\S+)$/.exec(line)?.[1] ?? assert.fail(line);
      assert.equal((await fetch(url)).status, 200);
      const { baseUrl, ended } = await runEndless(await readFile(join(folder, 'service/service.json'), 'utf8'));
      await waitUntil(() => isBusy(baseUrl), { what: 'the statement does not run', timeoutMs: 10_000 });
      child.kill(signal);
      await exited;
      await ended;
      const gone = { what: 'processes are left', timeoutMs: 5000 };
      await waitUntil(() => processesOf(folder).length === 0, gone);
    } finally {
      child.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    }
  });
}

/** A statement that keeps the service busy for ever; it ends with the service. */
async function runEndless(serviceFile: string): Promise<{ baseUrl: string; ended: Promise<void> }> {
  const { baseUrl, adminKey } = JSON.parse(serviceFile) as { baseUrl: string; adminKey: string };
  const admin = new Client({ baseUrl, apiKey: adminKey });
  const [project] = (await admin.listProjects()) ?? [];
  const { projectId = '', holderId: projectHolder = '', projectName = '' } = project ?? {};
  const { apiKey } = await admin.issueKey({ projectId, projectHolder, projectName, user: 'test' });
  await admin.close();
  const client = new Client({ baseUrl, apiKey, retries: 0 });
  const sql = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';
  const end = async (): Promise<void> => {
    await assert.rejects(client.execSql(projectId, { sql }));
    await client.close();
  };
  return { baseUrl, ended: end() };
}

/** A service that runs a statement within its own process answers nobody meanwhile. */
const isBusy = (baseUrl: string): Promise<boolean> =>
  fetch(baseUrl, { signal: AbortSignal.timeout(500) }).then(
    () => false,
    () => true,
  );
