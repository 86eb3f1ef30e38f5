import assert from 'node:assert/strict';
import { writeFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Client } from '../../src/client/index.ts';
import { workOf } from '../support/processorTimeOf.ts';
import { ServiceProcess } from '../support/serviceProcess.ts';

/** Stands for everything that must not be logged. */
const canary = 'canary4711';
const endless = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)';

for (const format of ['text', 'json']) {
  test(`neither SQL, parameters, keys nor values are in the ${format} log, whatever goes wrong`, () => logs(format));
}

async function logs(format: string): Promise<void> {
  // Fifty calls pass, and the next one would be allowed after a quarter of an hour.
  const options = ['--statement-timeout', '3', '--rate-limit', '0.001/s:50', '--log', format];
  await using service = await ServiceProcess.start('source', { options, keepsErrors: true });
  const { baseUrl, adminKey } = await service.file();
  await using admin = new Client({ baseUrl, apiKey: adminKey, retries: 0 });
  const { projectId } = await admin.initProject({ holderId: 'ann', projectName: canary });
  const { apiKey } = await admin.issueKey({ projectId, holderId: 'ann', projectName: canary, user: canary });
  await using client = new Client({ baseUrl, apiKey, retries: 0 });

  const codes = new Set<string>();
  const attempt = async (sql: string, params: string[] = [], idempotencyKey?: string): Promise<string> => {
    try {
      await client.execSql(projectId, { sql, params }, { ...(idempotencyKey !== undefined && { idempotencyKey }) });
      return 'ok';
    } catch (thrown) {
      const { code } = thrown as { code: string };
      codes.add(code);
      return code;
    }
  };
  await attempt(`CREATE TABLE ${canary} (a UNIQUE)`);
  // An unforeseen failure, which is logged.
  const records = join(service.folder, 'projects', `${projectId}.calls`);
  await writeFile(records, canary.repeat(1000));
  await attempt(`INSERT INTO ${canary} VALUES (?)`, [canary], canary);
  await rm(records);
  await attempt(`INSERT INTO ${canary} VALUES (?)`, [canary], canary);
  await attempt(`INSERT INTO ${canary} VALUES (?)`, [`${canary} other`], canary);
  await attempt(`INSERT INTO ${canary} VALUES (?)`, [canary]);
  await attempt(`SELECT ${canary} FROM`);
  await attempt(`SELECT * FROM ${canary}; SELECT 1`);
  await attempt(`ATTACH '${canary}' AS ${canary}`);
  await attempt(`SELECT ?`, []);
  await attempt(`${endless} SELECT '${canary}', count(*) FROM n`);
  // The process of the project crashes during a statement.
  await attempt('SELECT 1');
  const works = workOf(service.children);
  const doubtful = attempt(`${endless} INSERT INTO ${canary} SELECT max(i) FROM n`);
  await works;
  for (const pid of service.children) process.kill(pid, 'SIGKILL');
  assert.equal(await doubtful, 'internal_error');
  // Headers that the log may have for other callers.
  const names = [
    'x-request-id',
    'x-correlation-id',
    'x-holder-id',
    'x-project-name',
    'user-agent',
    'origin',
    'referer',
  ];
  for (const value of [canary, apiKey, `0123456789abcdef ${canary}`]) {
    const headers = Object.fromEntries(names.map(name => [name, value]));
    await fetch(`${baseUrl}/${canary}?${canary}=${apiKey}`, { headers: { ...headers, 'x-api-key': apiKey } });
  }
  await using stranger = new Client({ baseUrl, apiKey: canary, retries: 0 });
  await assert.rejects(stranger.listTables(projectId), { code: 'unauthenticated' });
  for (let call = 0; call < 50; call++) await attempt(`SELECT '${canary}'`);
  assert.deepEqual([...codes].toSorted(), [
    'denied_statement',
    'idempotency_conflict',
    'internal_error',
    'multiple_statements',
    'parameter_mismatch',
    'rate_limited',
    'sql_error',
    'statement_timeout',
  ]);
  await service.stop();
  const logged = await service.errors;
  const failure = 'unforeseen failure: The replay records in .* cannot be used: file is not a database';
  const line = format === 'text' ? `^error: ${failure}` : `^{"time":".*","level":"error","message":"${failure}`;
  assert.match(logged, new RegExp(line, 'm'));
  for (const secret of [canary, apiKey, adminKey]) assert.ok(!logged.includes(secret), logged);
}
