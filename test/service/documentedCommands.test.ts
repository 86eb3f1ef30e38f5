/** Runs the commands of the service's documents in a shell, in their order. test/service/deploy/ runs those of the container. */
import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { cp, readdir, readFile, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { parse as parseJsonc } from 'jsonc-parser';
import { Client } from '../../src/client/index.ts';
import { OwnedChild } from '../support/childProcesses.ts';
import { PrometheusText } from '../support/prometheusText.ts';
import { rawCall, requestBytes } from '../support/rawHttp.ts';
import { freePort, ReaderFolder, ReaderShell } from '../support/readerShell.ts';
import { shellBlocks } from '../support/shellBlocks.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { repositoryRoot } from '../support/workbench/workbenchPaths.ts';

test('the commands of service.md do what it says, one after the other', async () => {
  const folder = await ReaderFolder.make();
  await using shell = new ReaderShell(folder);
  const port = await freePort();
  const blocks = shellBlocks('service.md').filter(block => !block.startsWith('docker '));
  const printed = new Map<string, string[]>();
  let service: OwnedChild<ChildProcessWithoutNullStreams> | undefined;
  try {
    for (const block of blocks) {
      if (/ serve /.test(block)) {
        assert.equal(block.trim().split('\n').length, 1, 'it would keep the shell');
        await service?.[Symbol.asyncDispose]();
        if (service) assert.deepEqual(await service.exited, [0, null], 'it stops cleanly');
        service = await folder.serve(block.replace('--port 8080', `--port ${port}`));
      } else printed.set(block, await shell.run(block));
      if (block.includes('--allow-origin')) await checkOrigins(folder);
    }
  } finally {
    await service?.[Symbol.asyncDispose]();
  }
  assert.ok(blocks.length >= 6, 'the blocks are found');
  const printedBy = (command: string): string[] | undefined =>
    [...printed].find(([block]) => block.includes(` ${command} `))?.[1];
  assert.deepEqual(printedBy('health'), ['ok', 'ok']);
  assert.match((printedBy('key list') ?? []).join('\n'), /\tagent\t[^\t]+\t\tread-only$/m);
  const [checked, restored] = printedBy('backup') ?? [];
  assert.equal(checked, 'ok');
  assert.match(restored ?? '', /^[0-9a-f-]{36}\tann\tshop$/);
  const metrics = new PrometheusText(await readFile(join(folder.path, 'metrics.prom'), 'utf8'));
  assert.ok(metrics.value('sql_service_calls_total', { route: 'issueKey', status: '200' }) > 0);
  const documented = await readFile(join(repositoryRoot, 'media/docs/service.md'), 'utf8');
  const names = [...metrics.types.keys()].filter(name => !name.endsWith('_max'));
  assert.deepEqual(
    names.filter(name => !documented.includes(`\`${name}`)),
    [],
    'every metric is in the document',
  );
});

async function checkOrigins(folder: ReaderFolder): Promise<void> {
  const file = JSON.parse(await readFile(join(folder.path, 'data/service.json'), 'utf8')) as { baseUrl: string };
  for (const [origin, status] of [
    ['https://app.example', 401],
    ['http://localhost:3000', 401],
    ['https://other.example', 403],
  ] as const) {
    const answer = await rawCall(file.baseUrl, requestBytes({ path: '/serviceSql/projects', headers: { origin } }));
    assert.equal(answer.status, status, origin);
  }
}

test('the command of local-service.md starts a service with the sample project', async () => {
  const folder = await ReaderFolder.make();
  const [block, ...others] = shellBlocks('local-service.md');
  assert.deepEqual(others, []);
  await using _service = await folder.serve(block ?? '');
  assert.equal((await readdir(join(folder.path, 'data/projects'))).filter(name => name.endsWith('.sqlite')).length, 1);
});

/** Makes a checkout whose build disturbs no other test. */
async function copyCheckout(): Promise<string> {
  const path = temporaryFolder();
  const skipped = new Set(['.git', 'node_modules', '.workbench', '.cache', '.results', 'dist']);
  for (const name of await readdir(repositoryRoot)) {
    if (!skipped.has(name)) await cp(join(repositoryRoot, name), join(path, name), { recursive: true });
  }
  await symlink(join(repositoryRoot, 'node_modules'), join(path, 'node_modules'));
  return path;
}

test('the commands of engines.md for a checkout run the Worker here, and deploy what the configuration names', async () => {
  const checkout = await copyCheckout();
  const folder = await ReaderFolder.make();
  {
    // A group of its own: npm runs the command in a shell.
    const child = spawn('npm', ['run', '-s', 'service:workers'], { cwd: checkout, stdio: 'pipe', detached: true });
    await using _owned = new OwnedChild(child, () => process.kill(-child.pid!, 'SIGTERM'));
    child.stderr.pipe(process.stderr);
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const printed: string[] = [];
    while (!printed.some(line => line.startsWith('admin key '))) {
      const { value, done } = await lines.next();
      assert.ok(!done, printed.join('\n'));
      printed.push(value);
    }
    const valueOf = (label: string): string => printed.find(line => line.startsWith(label))!.slice(label.length);
    await using admin = new Client({ baseUrl: valueOf('listening '), apiKey: valueOf('admin key '), retries: 0 });
    const { projectId } = await admin.initProject({ holderId: 'ann', projectName: 'shop' });
    assert.match(projectId, /^[0-9a-f-]{36}$/);
  }

  // Deploying needs an account, so the tool only says how it was called.
  await folder.addCommand('npx', 'echo "npx $*"');
  const called: string[] = [];
  for (const line of (shellBlocks('engines.md').find(block => block.includes('wrangler')) ?? '').trim().split('\n')) {
    const { stdout } = await promisify(execFile)('sh', ['-euc', line], { cwd: checkout, env: folder.env });
    called.push(...stdout.split('\n').filter(text => text.startsWith('npx ')));
  }
  const [secret = '', deploy = '', ...others] = called;
  assert.deepEqual(others, []);
  const config = / --config (\S+)$/.exec(deploy)?.[1] ?? assert.fail(deploy);
  const [, version] = /^npx wrangler@([\d.]+) /.exec(deploy ?? '') ?? [];
  assert.equal(deploy, `npx wrangler@${version} deploy --config ${config}`);
  assert.equal(secret, `npx wrangler@${version} secret put ADMIN_KEY --config ${config}`);
  const { main } = parseJsonc(await readFile(join(checkout, config), 'utf8')) as { main: string };
  const worker = await readFile(join(checkout, dirname(config), main), 'utf8');
  for (const part of ['ProjectObject', 'RegistryObject', 'ADMIN_KEY']) assert.ok(worker.includes(part), part);
});
