import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client } from '../../../src/client/index.ts';
import { processesOf } from '../../support/processesOf.ts';
import { stateLimitMs } from '../../support/hangLimits.ts';
import { issueSampleKey } from '../../support/projectKeys.ts';
import { startSample, waitForSampleRows } from '../../support/startedSample.ts';
import { sharedBrowser } from '../../support/workbench/sharedBrowser.ts';
import { waitUntil } from '../../support/workbench/waitUntil.ts';
import { resultsFolder } from '../../support/workbench/workbenchPaths.ts';

test('npm start ends with the tree, an SQL file and the rows of its first statement', async () => {
  const { owned, url } = await startSample();
  await using _owned = owned;
  const browser = await sharedBrowser();
  const page = await browser.newPage();
  page.setDefaultTimeout(stateLimitMs);
  await waitForSampleRows(page, url);
  await page.screenshot({ path: join(resultsFolder, 'npm-start.png') });
  await page.close();
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`npm start says when it is ready, and ${signal} ends all of it, a statement without end too`, async () => {
    const { folder, owned, url } = await startSample();
    await using _owned = owned;
    assert.equal((await fetch(url)).status, 200);
    const { ended } = await runEndless(await readFile(join(folder, 'service/service.json'), 'utf8'));
    owned.process.kill(signal);
    await owned.exited;
    await ended;
    await waitUntil(() => processesOf(folder).length === 0, { what: 'processes are left' });
  });
}

/** Starts an endless statement and returns while it runs. `ended` resolves when the service has ended it. */
async function runEndless(serviceFile: string): Promise<{ ended: Promise<void> }> {
  const { baseUrl, adminKey } = JSON.parse(serviceFile) as { baseUrl: string; adminKey: string };
  const admin = new Client({ baseUrl, apiKey: adminKey });
  const { projectId, apiKey } = await issueSampleKey(admin);
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
