import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { Client } from '../../src/client/index.ts';
import { decodeServiceFile } from '../../src/wire/serviceFile.ts';
import { childrenOf } from '../support/childProcesses.ts';

const cli = join(import.meta.dirname, '../../src/service/cli.ts');
const canary = 'canary4711';
const endless = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)';

test('neither SQL, parameters, keys nor values are logged, whatever goes wrong', async context => {
  const folder = await mkdtemp(join(tmpdir(), 'log-'));
  const args = [cli, 'serve', '--data', folder, '--with-parent', '--statement-timeout', '0.3', '--rate-limit', '100/s'];
  const child = spawn(process.execPath, args, { stdio: 'pipe' });
  const exited = once(child, 'exit');
  context.after(() => rm(folder, { recursive: true, force: true }));
  const notes = text(child.stderr);
  await once(createInterface(child.stdout), 'line');
  const { baseUrl, adminKey } = decodeServiceFile(await readFile(join(folder, 'service.json'), 'utf8'))!;
  await using admin = new Client({ baseUrl, apiKey: adminKey, retries: 0 });
  const { projectId } = await admin.initProject({ holderId: 'ann', projectName: canary });
  const { apiKey } = await admin.issueKey({ projectId, projectHolder: 'ann', projectName: canary, user: canary });
  await using client = new Client({ baseUrl, apiKey, retries: 0 });

  const codes = new Set<string>();
  const attempt = async (sql: string, params: string[] = [], idempotencyKey?: string): Promise<void> => {
    const more = idempotencyKey === undefined ? {} : { idempotencyKey };
    await client.execSql(projectId, { sql, params }, more).catch((thrown: { code: string }) => codes.add(thrown.code));
  };
  await attempt(`CREATE TABLE ${canary} (a UNIQUE)`);
  // What nobody foresees, and is logged for that.
  const records = join(folder, 'projects', `${projectId}.calls`);
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
  // A process that ends by itself, in the middle of a statement.
  const doubtful = attempt(`${endless} INSERT INTO ${canary} SELECT max(i) FROM n`);
  while (childrenOf(child.pid!).length === 0) await new Promise(setImmediate);
  for (const pid of childrenOf(child.pid!)) process.kill(pid, 'SIGKILL');
  await doubtful;
  await using stranger = new Client({ baseUrl, apiKey: canary, retries: 0 });
  await assert.rejects(stranger.listTables(projectId), { code: 'unauthenticated' });
  for (let i = 0; i < 300; i++) await attempt(`SELECT '${canary}'`);
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
  child.stdin.end();
  await exited;
  const logged = await notes;
  assert.match(
    logged,
    /^error: unforeseen fault: The answers of calls with keys, in .*, cannot be used: file is not a database/m,
  );
  for (const secret of [canary, apiKey, adminKey]) assert.ok(!logged.includes(secret), logged);
});
