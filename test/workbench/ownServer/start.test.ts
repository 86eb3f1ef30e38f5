import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { Client } from '../../../src/client/index.ts';
import { processesOf } from '../../support/processesOf.ts';
import { stateLimitMs } from '../../support/hangLimits.ts';
import { waitForSampleRows } from '../../support/startedSample.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';
import { sharedBrowser } from '../../support/workbench/sharedBrowser.ts';
import { waitUntil } from '../../support/workbench/waitUntil.ts';
import { resultsFolder } from '../../support/workbench/workbenchPaths.ts';

const script = join(import.meta.dirname, '../../../.dev/start.ts');

test('npm start ends with the tree, an SQL file and the rows of its first statement', async () => {
  const folder = temporaryFolder();
  const child = spawn(process.execPath, [script, '--no-open', '--no-build', '--folder', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  try {
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const browser = await sharedBrowser();
    const page = await browser.newPage();
    page.setDefaultTimeout(stateLimitMs);
    await waitForSampleRows(page, line.replace('ready ', ''));
    await page.screenshot({ path: join(resultsFolder, 'npm-start.png') });
    await page.close();
  } finally {
    child.kill('SIGTERM');
    await exited;
  }
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`npm start says when it is ready, and ${signal} ends all of it, a statement without end too`, async () => {
    const folder = temporaryFolder();
    const child = spawn(process.execPath, [script, '--no-open', '--no-build', '--folder', folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    try {
      const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
      const url = /^ready (http:\S+)$/.exec(line)?.[1] ?? assert.fail(line);
      assert.equal((await fetch(url)).status, 200);
      const { ended } = await runEndless(await readFile(join(folder, 'service/service.json'), 'utf8'));
      child.kill(signal);
      await exited;
      await ended;
      const gone = { what: 'processes are left' };
      await waitUntil(() => processesOf(folder).length === 0, gone);
    } finally {
      child.kill('SIGKILL');
    }
  });
}

/** Starts an endless statement and returns while it runs. `ended` resolves when the service has ended it. */
async function runEndless(serviceFile: string): Promise<{ ended: Promise<void> }> {
  const { baseUrl, adminKey } = JSON.parse(serviceFile) as { baseUrl: string; adminKey: string };
  const admin = new Client({ baseUrl, apiKey: adminKey });
  const [project] = (await admin.listProjects()) ?? [];
  const { projectId = '', holderId: projectHolder = '', projectName = '' } = project ?? {};
  const { apiKey } = await admin.issueKey({ projectId, projectHolder, projectName, user: 'test' });
  await admin.close();
  const client = new Client({ baseUrl, apiKey, retries: 0 });
  // The first row shows that the statement runs. The search for another never ends.
  const sql = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i < 2';
  const scanner = await client.execSqlStream(projectId, { sql });
  assert.ok(await scanner.next({}));
  const end = async (): Promise<void> => {
    assert.equal(await scanner.next({}), false);
    assert.ok(scanner.err());
    await client.close();
  };
  return { ended: end() };
}
