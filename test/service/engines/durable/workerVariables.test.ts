import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startWorkers } from '../../../../.dev/workers.ts';
import { Client, type ServiceError } from '../../../../src/client/index.ts';
import { OwnedChild } from '../../../support/childProcesses.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';
import { openWorkerdService } from '../../../support/workerdService.ts';

/** Has room for the statements that fill the sample project. */
const burst = 100;

test('the Worker limits the calls of each key as its variable says', async () => {
  await using service = await openWorkerdService({ rateLimit: { perSecond: 0.001, burst } });
  const { baseUrl, projectId, admin } = service;
  const other = await admin.issueKey({ projectId, holderId: 'local', projectName: 'Sample Shop', user: 'other' });
  await using client = new Client({ baseUrl, apiKey: other.apiKey, retries: 0 });
  for (let nth = 0; nth < burst; nth++) await client.listTables(projectId);
  await assert.rejects(client.listTables(projectId), { status: 429, code: 'rate_limited' });
  assert.ok((await service.client.listTables(projectId)).length > 0, 'another key is not limited by it');
});

test('a Worker with a variable that cannot be read answers no call, and names the variable', async () => {
  for (const [name, value] of [
    ['RATE_LIMIT', 'many'],
    ['ENROLMENT', 'yes'],
    ['ALLOWED_ORIGINS', 'https://app.example *'],
  ] as const) {
    const folder = temporaryFolder();
    const { child, baseUrl } = await startWorkers({ folder, adminKey: 'admin', vars: { [name]: value } });
    await using _ = new OwnedChild(child, () => child.kill('SIGTERM'));
    await using client = new Client({ baseUrl, apiKey: 'admin', retries: 0 });
    await assert.rejects(client.listProjects(), ({ status, message }: ServiceError) => {
      assert.equal(status, 500);
      assert.match(message, new RegExp(`^The variable ${name} must be `));
      return true;
    });
  }
});
