/**
 * Does what the container file says, without a container: there is none where the tests run. Its folders are below a
 * temporary one, and `npm ci` is left out: the packages are those of the checkout.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { chmod, chown, cp, mkdir, readFile, rm, symlink } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { Client } from '../../../src/client/index.ts';
import { decodeServiceFile } from '../../../src/wire/serviceFile.ts';
import { childrenOf, OwnedChild } from '../../support/childProcesses.ts';
import { readContainerFile, type Stage } from '../../support/containerFile.ts';
import { PrometheusText } from '../../support/prometheusText.ts';
import { shellBlocks } from '../../support/shellBlocks.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';
import { repositoryRoot } from '../../support/workbench/workbenchPaths.ts';

const path = 'src/service/deploy/container/Containerfile';
const [build, final, ...others] = readContainerFile(join(repositoryRoot, path)) as [Stage, Stage];
const dockerCommands = shellBlocks('service.md')
  .filter(block => block.startsWith('docker '))
  .flatMap(block => block.trim().split('\n'));

test('the image is not built with root, tools or more than one volume', () => {
  assert.deepEqual(others, []);
  assert.match(final.one('USER'), /^[1-9]\d*:[1-9]\d*$/);
  assert.equal(final.one('VOLUME'), '/data');
  assert.equal(final.one('WORKDIR'), '/data', 'the root filesystem may be read-only');
  // Instructions after USER run as that user. Only those that need root come before.
  assert.deepEqual(
    final.all('COPY').filter(copy => !copy.startsWith('--from=build ')),
    [],
  );
  assert.equal(final.all('RUN').length, 1);
  const { devDependencies } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as {
    devDependencies: { node: string };
  };
  const major = devDependencies.node.split('.')[0];
  for (const stage of [build, final]) assert.match(stage.one('FROM'), new RegExp(`^node:${major}-`));
});

test('everything that the build copies is there and reaches it', () => {
  const ignored = readFileSync(join(repositoryRoot, `${path}.dockerignore`), 'utf8');
  const sent = Array.from(ignored.matchAll(/^!(.+)$/gm), ([, name = '']) => name);
  assert.ok(ignored.includes('\n*\n'), 'all other files stay away, such as data folders in the checkout');
  const copied = contextCopies().flatMap(({ sources }) => sources.map(source => source.replace(/\/$/, '')));
  assert.deepEqual(copied.toSorted(), sent.toSorted());
  for (const source of copied) assert.ok(existsSync(join(repositoryRoot, source)), source);
});

test('the documented docker commands fit the container file', () => {
  const [buildCommand = '', runCommand = '', ...execCommands] = dockerCommands;
  assert.ok(buildCommand.includes(` --file ${path} `));
  const tag = / --tag (\S+) \.$/.exec(buildCommand)?.[1] ?? assert.fail(buildCommand);
  assert.ok(readFileSync(join(repositoryRoot, path), 'utf8').includes(`#   ${buildCommand}\n`));
  assert.ok(runCommand.endsWith(` ${tag}`) && runCommand.includes(' --read-only '));
  assert.ok(runCommand.includes(`:${final.one('VOLUME')} `));
  assert.ok(runCommand.includes(`:${final.one('EXPOSE')} `));
  const name = / --name (\S+) /.exec(runCommand)?.[1] ?? assert.fail(runCommand);
  const start = `docker exec ${name} ${final.words('ENTRYPOINT').join(' ')} `;
  assert.ok(execCommands.length > 0 && execCommands.every(command => command.startsWith(start)));
});

interface Copy {
  readonly sources: readonly string[];
  readonly target: string;
}

function parseCopy(copy: string): Copy {
  const words = copy.split(' ');
  return { sources: words.slice(0, -1), target: words.at(-1) ?? '' };
}

const contextCopies = (): Copy[] => build.all('COPY').map(parseCopy);

/** The folders of both stages below one folder. The code of the final stage is read-only. */
async function buildImage(context: TestContext) {
  const root = temporaryFolder();
  context.after(() => chmod(join(root, 'app'), 0o755).catch(() => {}));
  await chmod(root, 0o755);
  const workFolder = join(root, build.one('WORKDIR'));
  await mkdir(workFolder);
  for (const { sources, target } of contextCopies()) {
    for (const source of sources) {
      const copyTo = target.endsWith(`${basename(source)}/`) ? target : join(target, basename(source));
      await cp(join(repositoryRoot, source), join(workFolder, copyTo), { recursive: true });
    }
  }
  const [install, ...runs] = build.all('RUN');
  assert.match(install ?? '', /^npm ci /);
  await symlink(join(repositoryRoot, 'node_modules'), join(workFolder, 'node_modules'));
  const env = { ...process.env, PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter) };
  for (const run of runs) {
    const { status, stderr } = spawnSync('sh', ['-c', run], { cwd: workFolder, env, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  }
  for (const { sources, target } of final.all('COPY').map(copy => parseCopy(copy.replace('--from=build ', '')))) {
    await mkdir(join(root, target), { recursive: true });
    for (const source of sources) await cp(join(root, source), join(root, target, basename(source)));
  }
  // The final stage has nothing of the first one but the copies.
  await rm(workFolder, { recursive: true });
  const app = join(root, 'app');
  for (const name of readdirSync(app)) await chmod(join(app, name), 0o444);
  await chmod(app, 0o555);
  return root;
}

/** Runs a command of the image as its user, if the tests may become another user. */
function runIn(root: string, words: readonly string[]) {
  const [uid, gid] = final.one('USER').split(':').map(Number);
  const [command = '', ...args] = words.map(word => inRoot(root, word));
  const env = Object.fromEntries(final.all('ENV').map(pair => pair.split('='))) as Record<string, string>;
  for (const [name, value] of Object.entries(env)) env[name] = inRoot(root, value);
  return spawn(command === 'node' ? process.execPath : command, args, {
    cwd: join(root, final.one('WORKDIR')),
    env,
    stdio: 'pipe',
    ...(process.getuid?.() === 0 && { uid: uid!, gid: gid! }),
  });
}

const inRoot = (root: string, word: string): string => (/^\/(?:app|data)(?:\/|$)/.test(word) ? join(root, word) : word);

async function outcomeIn(root: string, words: readonly string[]) {
  await using owned = new OwnedChild(runIn(root, words));
  const [output, errors, [code]] = await Promise.all([
    text(owned.process.stdout),
    text(owned.process.stderr),
    owned.exited,
  ]);
  return { code, output, errors };
}

test('the image serves, is healthy, keeps its data in the volume and stops cleanly', async context => {
  const root = await buildImage(context);
  const data = join(root, final.one('VOLUME'));
  // As RUN makes it; it may not give files away in the tests.
  await mkdir(data, { mode: 0o700 });
  const [uid, gid] = final.one('USER').split(':').map(Number);
  assert.equal(final.one('RUN'), `install --directory --owner=${uid} --group=${gid} --mode=0700 /data`);
  if (process.getuid?.() === 0) await chown(data, uid!, gid!);
  const before = readdirSync(root, { recursive: true }).length;

  const serve = [...final.words('ENTRYPOINT'), ...final.words('CMD')];
  // Another test may have the port.
  const port = serve.indexOf(final.one('EXPOSE'));
  assert.equal(serve[port - 1], '--port');
  const child = runIn(root, serve.with(port, '0'));
  await using service = new OwnedChild(child, () => child.kill('SIGTERM'));
  const errors = text(child.stderr);
  for await (const line of createInterface(child.stdout)) if (line.startsWith('listening ')) break;
  const health = await outcomeIn(root, final.words('HEALTHCHECK'));
  assert.deepEqual(health, { code: 0, output: 'ok\n', errors: '' });

  const outputs: string[] = [];
  for (const command of dockerCommands.filter(line => line.startsWith('docker exec '))) {
    const { code, output } = await outcomeIn(root, command.split(' ').slice(3));
    assert.equal(code, 0, command);
    outputs.push(output);
  }
  const [projectId = '', projects = '', metrics = ''] = outputs;
  assert.equal(projects, `${projectId.trim()}\tann\tshop\n`);
  assert.equal(
    new PrometheusText(metrics).value('sql_service_calls_total', { route: 'initProject', status: '200' }),
    1,
  );
  await useProject(join(data, 'service'), projectId.trim());
  for (const pid of [child.pid!, ...childrenOf(child.pid!)]) {
    for (const file of writableFiles(pid)) assert.ok(file.startsWith(`${data}/`), `${file} is outside of the volume`);
  }
  assert.deepEqual(
    readdirSync(root, { recursive: true }).length,
    before + readdirSync(data, { recursive: true }).length,
  );

  child.kill(final.one('STOPSIGNAL') as NodeJS.Signals);
  assert.deepEqual(await service.exited, [0, null]);
  assert.equal((await outcomeIn(root, final.words('HEALTHCHECK'))).code, 1);
  const logged = (await errors).trimEnd().split('\n');
  assert.ok(logged.every(line => (JSON.parse(line) as { message: string }).message === 'call'));
});

/** Writes and sorts some megabytes. */
async function useProject(folder: string, projectId: string): Promise<void> {
  const file =
    decodeServiceFile(await readFile(join(folder, 'service.json'), 'utf8')) ?? assert.fail('no service.json');
  await using admin = new Client({ baseUrl: file.baseUrl, apiKey: file.adminKey, retries: 0 });
  const key = { projectId, holderId: 'ann', projectName: 'shop', user: 'test' };
  const { apiKey } = await admin.issueKey(key);
  await using client = new Client({ baseUrl: file.baseUrl, apiKey, retries: 0 });
  await client.execSql(projectId, { sql: 'CREATE TABLE t (a)' });
  const fill = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
    INSERT INTO t SELECT hex(randomblob(500)) FROM n`;
  assert.equal((await client.execSql(projectId, { sql: fill })).rowCount, 5000);
  const { rows } = await client.execSql(projectId, { sql: 'SELECT a FROM t ORDER BY a LIMIT 1 OFFSET 4999' });
  assert.equal(rows?.length, 1);
}

/** The files of the disk that a process has open for writing. Systems without /proc have no list. */
function writableFiles(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap(descriptor => {
    try {
      const flags = Number.parseInt(
        /^flags:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/fdinfo/${descriptor}`, 'utf8'))![1]!,
        8,
      );
      const file = readlinkSync(join(folder, descriptor));
      return (flags & 3) !== 0 && file.startsWith('/') && !file.startsWith('/dev/') ? [file] : [];
    } catch {
      // It has been closed since the listing.
      return [];
    }
  });
}
