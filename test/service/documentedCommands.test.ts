/** Runs the commands of the service's documents in a shell, in their order. test/service/deploy/ runs those of the container. */
import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { parse as parseJsonc } from 'jsonc-parser';
import { Client } from '../../src/client/index.ts';
import { OwnedChild } from '../support/childProcesses.ts';
import { rawCall, requestBytes } from '../support/rawHttp.ts';
import { PrometheusText } from '../support/prometheusText.ts';
import { shellBlocks } from '../support/shellBlocks.ts';
import { repositoryRoot } from '../support/workbench/workbenchPaths.ts';

/** A folder as that of a reader, where `npx sql-project-explorer` runs the built service. */
class ReaderFolder implements AsyncDisposable {
  readonly path: string;
  readonly env: NodeJS.ProcessEnv;

  private constructor(path: string) {
    this.path = path;
    this.env = { ...process.env, PATH: [join(path, 'bin'), process.env['PATH']].join(delimiter) };
  }

  static async make(): Promise<ReaderFolder> {
    const path = await mkdtemp(join(tmpdir(), 'documents-'));
    await mkdir(join(path, 'bin'));
    const service = join(repositoryRoot, 'dist/service.mjs');
    const npx = `#!/bin/sh\nwhile [ "$1" = -p ]; do shift 2; done\n[ "$1" = sql-project-explorer ] || exit 99\nshift\nexec '${process.execPath}' '${service}' "$@"\n`;
    await writeFile(join(path, 'bin/npx'), npx, { mode: 0o755 });
    return new ReaderFolder(path);
  }

  /** Starts a command that runs until it is stopped. */
  async serve(command: string): Promise<OwnedChild<ChildProcessWithoutNullStreams>> {
    const child = spawn('sh', ['-c', `exec ${command}`], { cwd: this.path, env: this.env, stdio: 'pipe' });
    const owned = new OwnedChild(child, () => child.kill('SIGTERM'));
    child.stderr.resume();
    for await (const line of createInterface(child.stdout)) if (line.startsWith('listening ')) return owned;
    return assert.fail(`${command} ended before it listened`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
}

/** One shell for all blocks, because later ones use the variables of earlier ones. */
class Shell implements AsyncDisposable {
  readonly #owned: OwnedChild<ChildProcessWithoutNullStreams>;
  readonly #lines: AsyncIterator<string>;

  constructor(folder: ReaderFolder) {
    const child = spawn('sh', ['-eu'], { cwd: folder.path, env: folder.env, stdio: 'pipe' });
    child.stderr.pipe(process.stderr);
    this.#owned = new OwnedChild(child);
    this.#lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  }

  /** Runs a block and gives what it printed. Fails when one of its commands fails, which ends the shell. */
  async run(block: string): Promise<string[]> {
    this.#owned.process.stdin.write(`${block}\necho ended\n`);
    const printed: string[] = [];
    for (;;) {
      const next = await this.#lines.next();
      assert.ok(!next.done, `a command failed in\n${block}`);
      if (next.value === 'ended') return printed;
      printed.push(next.value);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned[Symbol.asyncDispose]();
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

test('the commands of service.md do what it says, one after the other', async () => {
  await using folder = await ReaderFolder.make();
  await using shell = new Shell(folder);
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
  await using folder = await ReaderFolder.make();
  const [block, ...others] = shellBlocks('local-service.md');
  assert.deepEqual(others, []);
  await using _service = await folder.serve(block ?? '');
  assert.equal((await readdir(join(folder.path, 'data/projects'))).filter(name => name.endsWith('.sqlite')).length, 1);
});

/** A checkout of its own, whose build may not disturb other tests. */
class OwnCheckout implements AsyncDisposable {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  static async make(): Promise<OwnCheckout> {
    const path = await mkdtemp(join(tmpdir(), 'checkout-'));
    const skipped = new Set(['.git', 'node_modules', '.workbench', '.cache', '.results', 'dist']);
    for (const name of await readdir(repositoryRoot)) {
      if (!skipped.has(name)) await cp(join(repositoryRoot, name), join(path, name), { recursive: true });
    }
    await symlink(join(repositoryRoot, 'node_modules'), join(path, 'node_modules'));
    return new OwnCheckout(path);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
}

test('the commands of engines.md for a checkout run the Worker here, and deploy what the configuration names', async () => {
  await using checkout = await OwnCheckout.make();
  await using folder = await ReaderFolder.make();
  {
    // A group of its own: npm runs the command in a shell.
    const child = spawn('npm', ['run', '-s', 'service:workers'], { cwd: checkout.path, stdio: 'pipe', detached: true });
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
  await writeFile(join(folder.path, 'bin/npx'), '#!/bin/sh\necho "npx $*"\n', { mode: 0o755 });
  const called: string[] = [];
  for (const line of (shellBlocks('engines.md').find(block => block.includes('wrangler')) ?? '').trim().split('\n')) {
    const { stdout } = await promisify(execFile)('sh', ['-euc', line], { cwd: checkout.path, env: folder.env });
    called.push(...stdout.split('\n').filter(text => text.startsWith('npx ')));
  }
  const [secret = '', deploy = '', ...others] = called;
  assert.deepEqual(others, []);
  const config = / --config (\S+)$/.exec(deploy)?.[1] ?? assert.fail(deploy);
  assert.equal(deploy, `npx wrangler deploy --config ${config}`);
  assert.equal(secret, `npx wrangler secret put ADMIN_KEY --config ${config}`);
  const { main } = parseJsonc(await readFile(join(checkout.path, config), 'utf8')) as { main: string };
  const worker = await readFile(join(checkout.path, dirname(config), main), 'utf8');
  for (const part of ['ProjectObject', 'RegistryObject', 'ADMIN_KEY']) assert.ok(worker.includes(part), part);
});
