/** Installs the npm package in an empty folder, as its users do, and runs what it has. */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { packageNpm } from '../../.dev/packageNpm.ts';
import * as source from '../../src/client/index.ts';
import { McpProcess } from '../support/mcpProcess.ts';
import { provisionNode, runNpm } from '../support/npm.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { startTestService } from '../support/testService.ts';
import { repositoryRoot } from '../support/workbench/workbenchPaths.ts';

const execute = promisify(execFile);
const root = temporaryFolder();

/** The folder of a user who has installed the package. */
const user = join(root, 'user');
const installed = join(user, 'node_modules/sql-project-explorer');
/** The oldest that the package runs on, and the one of this repository. */
const nodes = [
  { major: 22, node: await provisionNode('22.19.0') },
  { major: 24, node: process.execPath },
] as const;

const service = await startTestService();

/** A new project of the service, and a key for it. */
async function makeProject(projectName: string): Promise<{ projectId: string; apiKey: string }> {
  const { projectId } = await service.admin.initProject({ holderId: 'ann', projectName });
  const pair = { holderId: 'ann', projectName };
  const { apiKey } = await service.admin.issueKey({ projectId, ...pair, user: 'test' });
  return { projectId, apiKey };
}

await mkdir(user);
await writeFile(join(user, 'package.json'), '{ "type": "module" }');
{
  const packed = packageNpm(join(root, 'package'));
  // The other packages are installed in this repository, so no registry is asked.
  const others = ['undici', 'stream-json', 'stream-chain', '@types/node', 'undici-types'].map(name =>
    join(repositoryRoot, 'node_modules', name),
  );
  await runNpm(root, 'pack', '--silent', '--ignore-scripts', ...others);
  const files = globSync('*.tgz', { cwd: root }).map(name => join(root, name));
  assert.equal(files.length, others.length + 1, basename(packed));
  await runNpm(user, 'install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', ...files);
}

const readme = await readFile(join(installed, 'README.md'), 'utf8');

test('the package has the client, the command line and the Worker, and nothing of the extension', async () => {
  const files = globSync('**/*', { cwd: installed }).map(file => file.replaceAll('\\', '/'));
  for (const file of ['client.js', 'client.js.map', 'types/client/index.d.ts', 'worker/serviceWorker.mjs', 'LICENSE']) {
    assert.ok(files.includes(file), file);
  }
  const extension = files.filter(file => /extension|webview|languageServer|grid|\.png$|sample/.test(file));
  assert.deepEqual(extension, []);
  const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as Record<string, unknown>;
  assert.deepEqual(Object.keys(manifest['dependencies'] ?? {}), ['stream-json', 'undici']);
  assert.deepEqual(manifest['engines'], { node: '>=22.19.0' });
  for (const field of ['private', 'devDependencies', 'scripts', 'contributes']) assert.ok(!(field in manifest), field);
});

test('the client can be read, and its source map has its sources', async () => {
  const client = await readFile(join(installed, 'client.js'), 'utf8');
  assert.match(client, /^var Client = class \{$/m);
  assert.match(client, /^\/\/# sourceMappingURL=client\.js\.map$/m);
  const map = JSON.parse(await readFile(join(installed, 'client.js.map'), 'utf8')) as { sourcesContent: string[] };
  assert.ok(map.sourcesContent.some(text => text.includes('/** A client of the SQL project service.')));
});

test('every link in the texts of the package leads to one of its files', async () => {
  const broken: string[] = [];
  for (const file of globSync('{README.md,docs/*.md}', { cwd: installed })) {
    const text = await readFile(join(installed, file), 'utf8');
    for (const [, link = ''] of text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
      if (!existsSync(join(installed, dirname(file), link))) broken.push(`${file}: ${link}`);
    }
  }
  assert.deepEqual(broken, []);
});

/** The examples of the tasks in the README, each in a file. They share a client and a project. */
async function writeTasks(): Promise<string[]> {
  await writeFile(
    join(user, 'setup.ts'),
    `import { Client } from 'sql-project-explorer/client';
    const { SQL_URL: baseUrl = '', SQL_KEY: apiKey = '', SQL_PROJECT: projectId = '', SQL_ADMIN: adminKey = '' } = process.env;
    const client = new Client({ baseUrl, apiKey });
    const project = client.project(projectId);
    export { adminKey, apiKey, baseUrl, client, project, projectId };`,
  );
  const blocks = Array.from(readme.matchAll(/^```ts\n(.*?)^```$/gms), ([, block = '']) => block);
  assert.ok(blocks.length > 7, 'the examples are found');
  const used = ['adminKey', 'apiKey', 'baseUrl', 'client', 'project', 'projectId'];
  const files: string[] = [];
  for (const [index, block] of blocks.entries()) {
    const names = used.filter(name => new RegExp(`\\b${name}\\b(?!:)`).test(block));
    const imported = `import { ${names.join(', ')} } from './setup.ts';`;
    files.push(`task${index}.ts`);
    await writeFile(join(user, `task${index}.ts`), `${imported}\n${block}\nexport {};\n`);
  }
  const steps = files.map(file => `await import('./${file}');\nconsole.log('--');\n`);
  await writeFile(
    join(user, 'tasks.ts'),
    `import { client } from './setup.ts';\n${steps.join('')}await client.close();\n`,
  );
  return files;
}

const tasks = await writeTasks();

for (const [module, moduleResolution] of [
  ['node16', 'node16'],
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
] as const) {
  test(`programs compile with the types of the package, resolved as ${moduleResolution} does`, async () => {
    await writeFile(
      join(user, 'types.ts'),
      `import { Client, type Row, VERSION } from 'sql-project-explorer/client';
      const version: string = VERSION;
      const rows: readonly Row[] = [];
      const client: Client = new Client({ baseUrl: version, retries: rows.length });
      // @ts-expect-error: a limit is a number, so the types are there.
      void client.browseRows('p', 't', { limit: 'many', signal: AbortSignal.abort() });`,
    );
    const options = { module, moduleResolution, target: 'es2024', types: ['node'], strict: true, noEmit: true };
    const compilerOptions = { ...options, allowImportingTsExtensions: true, exactOptionalPropertyTypes: true };
    await writeFile(join(user, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['types.ts', ...tasks] }));
    const tsc = join(repositoryRoot, 'node_modules/typescript/bin/tsc');
    const { stdout, status } = spawnSync(process.execPath, [tsc, '-p', user], { encoding: 'utf8' });
    assert.equal(status, 0, stdout);
  });
}

for (const { major, node } of nodes) {
  test(`the examples of the README run on Node.js ${major}`, async () => {
    const { baseUrl, adminKey } = service;
    const { projectId, apiKey } = await makeProject(`examples on Node.js ${major}`);
    const env = { ...process.env, SQL_URL: baseUrl, SQL_KEY: apiKey, SQL_ADMIN: adminKey, SQL_PROJECT: projectId };
    const [, first = ''] = /^```js\n(.*?)^```$/ms.exec(readme) ?? [];
    assert.ok(first.trim().split('\n').length <= 10, 'the first example has ten lines');
    await writeFile(join(user, 'first.js'), first);
    const run = async (file: string): Promise<string[]> => {
      const { stdout } = await execute(node, ['--disable-warning=ExperimentalWarning', file], { cwd: user, env });
      return stdout.split('--\n').map(text => text.trim());
    };
    assert.deepEqual(await run('first.js'), ["[ { name: 'Bo' } ]"]);
    const printed = (await run('tasks.ts')).slice(0, -1);
    assert.deepEqual(printed.slice(0, -2), [
      '1 Ada\n2 Bo',
      '2\nAda',
      '2',
      '1 false',
      'true',
      '400 sql_error no such column: nme { offset: 7 }',
      'true real',
    ]);
    assert.match(printed.at(-2) ?? '', /^GET 200 1 \d/);
    assert.match(printed.at(-1) ?? '', /^[\da-f]{12}$/);
  });

  test(`the client has all its exports on Node.js ${major}`, async () => {
    const program = `console.log(JSON.stringify(Object.keys(await import('sql-project-explorer/client'))))`;
    const { stdout } = await execute(node, ['--input-type=module', '--eval', program], { cwd: user });
    assert.deepEqual((JSON.parse(stdout) as string[]).toSorted(), Object.keys(source).toSorted());
  });
}

test('the command line runs on Node.js 24, and says on an older one what it needs', async () => {
  const main = join(user, 'node_modules/.bin/sql-project-explorer');
  const [older, newer] = nodes;
  const help = spawnSync(newer.node, [main, 'help'], { encoding: 'utf8' });
  assert.match(help.stdout, /^Usage: sql-project-explorer COMMAND/);
  const refused = spawnSync(older.node, [main, 'help'], { encoding: 'utf8' });
  assert.equal(refused.status, 1);
  assert.match(
    refused.stderr,
    /^The commands need Node\.js 24\.15 or newer, and this is v22\.19\.0\. Update Node\.js\.$/m,
  );
});

test('the service, the server for agents and the commands that move projects are in the package', async () => {
  const { projectId } = await makeProject('empty');
  const command = (...args: string[]): Promise<string> =>
    runNpm(user, 'exec', '--offline', '--', 'sql-project-explorer', ...args);
  await command('download', '--data', service.folder, '--project', projectId, 'empty.sqlite');
  assert.ok(existsSync(join(user, 'empty.sqlite')));
  const imported = ['--holder', 'ann', '--name', 'copy', 'empty.sqlite'];
  assert.match(await command('import', '--data', 'data', ...imported), /^[\da-f-]{36}$/m);
  await using agents = new McpProcess({
    args: ['--data', service.folder, '--project', service.projectId, '--mask', 'customers.email'],
    entry: join(installed, 'service/main.mjs'),
  });
  const { rows } = await agents.call('sql_query', { sql: 'SELECT id, email FROM customers WHERE id = 1' });
  assert.deepEqual(rows, [[1, '‹masked›']]);
});

test('the Worker of the package has the classes that its configuration names', async () => {
  const configuration = await readFile(join(installed, 'worker/wrangler.jsonc'), 'utf8');
  const [, main = ''] = /"main": "([^"]+)"/.exec(configuration) ?? [];
  const worker = await readFile(join(installed, 'worker', main), 'utf8');
  for (const name of ['ProjectObject', 'RegistryObject']) assert.ok(worker.includes(name), name);
});

test('the folder of the extension cannot be packed for npm by mistake', async () => {
  const refused = runNpm(repositoryRoot, 'pack', '--dry-run');
  await assert.rejects(refused, { stderr: /Run `npm run package:npm`/ });
});
