import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { copyFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test, type TestContext } from 'node:test';
import { silentLogger } from '../../src/base/logger.ts';
import { Client } from '../../src/client/index.ts';
import { LocalService } from '../../src/service/localService.ts';
import { encodeServiceFile } from '../../src/wire/serviceFile.ts';
import { changeDatabase } from '../support/changeDatabase.ts';
import { outputOf, runCommand } from '../support/runCommand.ts';
import { reply, startScriptedServer } from '../support/scriptedServer.ts';
import { answerProof, hasLearned, serviceFileFor } from '../support/serviceFolder.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

async function serviceOn(context: TestContext, folder: string): Promise<LocalService> {
  const service = await LocalService.start({ folder, port: 0, pathPrefix: '/p', sample: false, logger: silentLogger });
  context.after(() => service.close());
  return service;
}

/** Each command works alike with and without a service on the folder. */
for (const isRunning of [false, true]) {
  const where = isRunning ? 'while a service runs on the folder' : 'on a folder without a service';

  test(`a project and its keys are made, listed and revoked ${where}`, async context => {
    const data = join(temporaryFolder(), 'data');
    if (isRunning) await serviceOn(context, data);
    const id = await outputOf('init', '--data', data, '--holder', 'ann', '--name', 'Größe 1');
    assert.equal(await outputOf('init', '--data', data, '--holder', 'ann', '--name', 'Größe 1'), id);
    assert.equal(await outputOf('projects', '--data', data), `${id}\tann\tGröße 1`);
    const apiKey = await outputOf('key', 'issue', '--data', data, '--project', id, '--user', 'bob');
    assert.match(apiKey, /^sqlp_[\w-]{43}$/);
    const [keyId = '', ...rest] = (await outputOf('key', 'list', '--data', data, '--project', id)).split('\t');
    assert.deepEqual([rest[0], rest[1], rest[3]], [id, 'bob', '']);
    const revoked = (await outputOf('key', 'revoke', '--data', data, keyId)).split('\t');
    assert.match(revoked[4] ?? '', /^\d{4}-\d\d-\d\dT/);
    assert.equal((await outputOf('key', 'list', '--data', data)).split('\t')[4], revoked[4]);
  });

  test(`a key that only reads is issued and listed as such ${where}`, async context => {
    const data = join(temporaryFolder(), 'data');
    if (isRunning) await serviceOn(context, data);
    const id = await outputOf('init', '--data', data, '--holder', 'ann', '--name', 'shop');
    const issue = ['key', 'issue', '--data', data, '--project', id, '--user'];
    const apiKey = await outputOf(...issue, 'agent', '--read-only');
    assert.match(apiKey, /^sqlp_[\w-]{43}$/);
    await outputOf(...issue, 'ann');
    const lines = (await outputOf('key', 'list', '--data', data)).split('\n').map(line => line.split('\t'));
    const scopes = new Map(lines.map(fields => [fields[2], fields[5]]));
    assert.deepEqual([scopes.get('agent'), scopes.get('ann')], ['read-only', 'full']);
    const keyId = lines.find(fields => fields[2] === 'agent')?.[0] ?? '';
    assert.equal((await outputOf('key', 'revoke', '--data', data, keyId)).split('\t')[5], 'read-only');
  });

  test(`a backup restores a project with its id, also into another folder, ${where}`, async context => {
    const scratch = temporaryFolder();
    const data = join(scratch, 'data');
    const file = join(scratch, 'shop.backup');
    const id = await filledProject(data, 'v1');
    if (isRunning) await serviceOn(context, data);
    await outputOf('backup', '--data', data, '--project', id, file);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(await outputOf('restore', '--data', data, file), `${id}\tann\tshop`);
    const other = join(scratch, 'other');
    assert.equal(await outputOf('restore', '--data', other, '--project', id, file), `${id}\tann\tshop`);
    assert.deepEqual(await tablesOf(context, other, id), { tables: ['t'], rows: [{ a: 'v1' }] });
  });

  test(`an exported project is a plain SQLite file that can be imported as another project, ${where}`, async context => {
    const scratch = temporaryFolder();
    const data = join(scratch, 'data');
    const file = join(scratch, 'shop.sqlite');
    const id = await filledProject(data, 'kept');
    const service = isRunning ? await serviceOn(context, data) : undefined;
    await outputOf('export', '--data', data, '--project', id, file);
    const exported = new DatabaseSync(file, { readOnly: true });
    assert.deepEqual(
      exported
        .prepare('SELECT name FROM sqlite_schema')
        .all()
        .map(({ name }) => name),
      ['t'],
    );
    exported.close();
    const copyId = await outputOf('import', '--data', data, '--holder', 'ann', '--name', 'copy', file);
    assert.notEqual(copyId, id);
    await service?.close();
    assert.deepEqual(await tablesOf(context, data, copyId), { tables: ['t'], rows: [{ a: 'kept' }] });
  });

  test(`a project is vacuumed and checked ${where}`, async context => {
    const data = join(temporaryFolder(), 'data');
    const id = await filledProject(data, 'x');
    if (isRunning) await serviceOn(context, data);
    assert.equal(await outputOf('vacuum', '--data', data, '--project', id), '');
    assert.equal(await outputOf('check', '--data', data, '--project', id), 'ok');
  });

  test(`a project is deleted with its files and keys, but only with --yes, ${where}`, async context => {
    const data = join(temporaryFolder(), 'data');
    const id = await filledProject(data, 'x');
    const other = await outputOf('init', '--data', data, '--holder', 'ann', '--name', 'other');
    const apiKey = await outputOf('key', 'issue', '--data', data, '--project', id);
    const service = isRunning ? await serviceOn(context, data) : undefined;
    const statusOf = async (baseUrl: string): Promise<number> =>
      (await fetch(`${baseUrl}/p/projects/${id}/tables`, { headers: { 'x-api-key': apiKey } })).status;
    if (service) assert.equal(await statusOf(service.baseUrl), 200);
    const half = await runCommand('projects', 'delete', '--data', data, '--project', id);
    assert.equal(half.code, 2);
    assert.match(half.notes, /^error: Nothing was deleted\. Add --yes/);
    assert.ok(existsSync(join(data, 'projects', `${id}.sqlite`)));
    const line = `${id}\tann\tshop`;
    assert.equal(await outputOf('projects', 'delete', '--data', data, '--project', id, '--yes'), line);
    assert.equal(await outputOf('projects', '--data', data), `${other}\tann\tother`);
    assert.equal(await outputOf('key', 'list', '--data', data), '');
    assert.deepEqual(
      readdirSync(join(data, 'projects')).filter(name => name.startsWith(id)),
      [],
    );
    const secondDelete = await runCommand('projects', 'delete', '--data', data, '--project', id, '--yes');
    assert.equal(secondDelete.code, 1);
    assert.match(secondDelete.notes, new RegExp(`^error: There is no project with the id "${id}"\\.`));
    if (service) assert.equal(await statusOf(service.baseUrl), 401);
  });

  const failing: readonly (readonly [name: string, args: string[], message: RegExp])[] = [
    ['an unknown project', ['check', '--project', 'nobody'], /There is no project with the id "nobody"/],
    [
      'a key for an unknown project',
      ['key', 'issue', '--project', 'nobody'],
      /There is no project with the id "nobody"/,
    ],
    ['an unknown key', ['key', 'revoke', 'abc'], /There is no key with this id/],
    ['a missing backup', ['restore', 'nothing'], /The file does not exist/],
    ['another file as a backup', ['restore', import.meta.filename], /The file is not a backup of a project/],
    ['an import of another file', ['import', '--holder', 'h', '--name', 'n', import.meta.filename], /error: /],
    ['a name in use', ['import', '--holder', 'ann', '--name', 'shop', import.meta.filename], /already/],
  ];

  test(`a failing command has exit code 1 and a message, and leaves no project behind, ${where}`, async context => {
    const data = join(temporaryFolder(), 'data');
    const id = await filledProject(data, 'x');
    if (isRunning) await serviceOn(context, data);
    for (const [name, args, message] of failing) {
      const ended = await runCommand(...args, '--data', data);
      assert.deepEqual([ended.code, ended.output], [1, ''], name);
      assert.match(ended.notes, message, name);
    }
    const existing = await runCommand('export', '--data', data, '--project', id, import.meta.filename);
    assert.match(existing.notes, /The file already exists/);
    assert.equal(await outputOf('projects', '--data', data), `${id}\tann\tshop`);
  });
}

test('a backup with a forged id is refused, because the id becomes a file name', async () => {
  const scratch = temporaryFolder();
  const data = join(scratch, 'data');
  const file = join(scratch, 'shop.backup');
  const id = await filledProject(data, 'x');
  await outputOf('backup', '--data', data, '--project', id, file);
  changeDatabase(file, `UPDATE __sql_project_backup__ SET project_id = '../outside'`);
  assert.match((await runCommand('restore', '--data', data, file)).notes, /The file is not a backup of a project/);
  assert.ok(!existsSync(join(data, 'outside.sqlite')));
});

test('an interrupted restore does not disturb the next one', async context => {
  const scratch = temporaryFolder();
  const data = join(scratch, 'data');
  const file = join(scratch, 'shop.backup');
  const old = join(scratch, 'old.sqlite');
  const id = await filledProject(data, 'x');
  await outputOf('backup', '--data', data, '--project', id, file);
  // A process that is killed in a transaction leaves such a journal.
  const database = new DatabaseSync(old);
  context.after(() => database.close());
  database.exec('CREATE TABLE other (a); PRAGMA cache_size = 1; BEGIN; INSERT INTO other VALUES (zeroblob(100000))');
  await copyFile(`${old}-journal`, join(data, 'restore.sqlite-journal'));
  assert.equal(await outputOf('restore', '--data', data, file), `${id}\tann\tshop`);
  assert.deepEqual(await tablesOf(context, data, id), { tables: ['t'], rows: [{ a: 'x' }] });
});

test('a mistyped data folder is not made', async () => {
  const data = join(temporaryFolder(), 'nowhere');
  const { code, notes } = await runCommand('projects', '--data', data);
  assert.deepEqual([code, notes], [1, `error: The data folder ${data} does not exist. Check its path.`]);
  assert.ok(!existsSync(data));
});

test('the service file of a killed service does not block its folder', async context => {
  const data = join(temporaryFolder(), 'data');
  const service = await serviceOn(context, data);
  const oldFile = readFileSync(join(data, 'service.json'));
  await service.close();
  await writeFile(join(data, 'service.json'), oldFile);
  assert.equal(await outputOf('projects', '--data', data), '');
});

const wrongCalls: readonly (readonly [args: string[], message: RegExp])[] = [
  [[], /The command is missing\./],
  [['dance'], /The command "dance" does not exist\.$/m],
  [['projcts', '--data', 'x'], /The command "projcts" does not exist\. Did you mean projects\?/],
  [['projects', '--dat', 'x'], /There is no option --dat\. Did you mean --data\?/],
  [['projects'], /The option --data is missing\./],
  [['projects', '--data', 'x', 'y'], /The argument "y" is not expected\./],
  [['projects', '--colour', 'red'], /There is no option --colour\.$/m],
  [['key'], /The action is missing\. Use issue, list or revoke\./],
  [['key', 'revoke', '--data', 'x'], /The argument KEY_ID is missing\./],
  [['key', 'issue', '--data', 'x', '--project', 'p', '--read-only=no'], /'--read-only' does not take an argument/],
  [['init', '--data', 'x', '--name', 'n'], /The option --holder is missing\./],
  [['init', '--data', 'x', '--name', 'n', '--holder', 'a\nb'], /no control characters, and no spaces at the ends/],
  [['backup', '--data', 'x', '--project', 'p'], /The argument FILE is missing\./],
  [['serve', '--data', 'x', '--port', '1e3'], /--port must be a number from 0 to 65535\./],
  [['serve', '--data', 'x', '--max-connections', '0'], /--max-connections must be a number from 1 to 1000000\./],
  [['serve', '--data', 'x', '--rate-limit', '5'], /--rate-limit must be written like 10\/s/],
  [['serve', '--data', 'x', '--synchronous', 'off'], /--synchronous must be full or normal\./],
  [['serve', '--data', 'x', '--statement-timeout', '0'], /--statement-timeout must be a number of seconds\./],
  [['serve', '--data', 'x', '--drain-seconds', 'soon'], /--drain-seconds must be a number of seconds\./],
  [['serve', '--data', 'x', '--rate-limit', '0/s'], /--rate-limit must be written like 10\/s/],
  [['serve', '--data', 'x', '--allow-origin', '*'], /--allow-origin takes no \*: .* Name each origin\./],
  [['serve', '--data', 'x', '--allow-origin', 'https://a.example', '--allow-origin', 'b'], /must be an origin/],
  [['serve', '--data', 'x', '--allow-origin', 'https://a.example/path'], /--allow-origin must be an origin, like/],
  [['serve', '--data', 'x', '--allow-origin', 'null'], /--allow-origin must be an origin, like/],
  [['serve', '--data', 'x', '--log', 'xml'], /--log must be text or json\./],
  [['health'], /The option --data is missing\./],
  [['metrics'], /The option --data is missing\./],
];

test('an error names the service that has the folder but does not answer', async context => {
  const data = join(temporaryFolder(), 'data');
  const service = await serviceOn(context, data);
  const lost = encodeServiceFile(serviceFileFor('http://127.0.0.1:1'));
  await writeFile(join(data, 'service.json'), lost);
  const { code, notes } = await runCommand('projects', '--data', data);
  assert.equal(code, 1);
  assert.match(
    notes,
    /^error: The service of this folder, at http:\/\/127\.0\.0\.1:1, does not answer: .*ECONNREFUSED/,
  );
  await rm(join(data, 'service.json'));
  assert.match((await runCommand('projects', '--data', data)).notes, /Another program is using this folder/);
  await service.close();
});

test('a command sends no key to another program at the address of the service', async context => {
  const data = join(temporaryFolder(), 'data');
  await serviceOn(context, data);
  await using other = await startScriptedServer(reply({ projects: [] }));
  const file = serviceFileFor(other.url);
  await writeFile(join(data, 'service.json'), encodeServiceFile(file));
  const { code, notes } = await runCommand('projects', '--data', data);
  assert.equal(code, 1);
  assert.match(
    notes,
    /^error: Another program answers at http:\/\/127\.0\.0\.1:\d+, .* No key was sent to it\. Stop the/,
  );
  assert.equal(other.requests.length, 1);
  assert.ok(!hasLearned(other.requests, file.adminKey, file.proofSecret));
});

test('a command names the machine of a service that it cannot reach', async context => {
  const data = join(temporaryFolder(), 'data');
  await serviceOn(context, data);
  const file = serviceFileFor('http://127.0.0.1:1', { machine: 'elsewhere' });
  await writeFile(join(data, 'service.json'), encodeServiceFile(file));
  const { notes } = await runCommand('projects', '--data', data);
  assert.equal(notes, 'error: The service of this folder runs on another machine, elsewhere. Use it there.');
});

test('a service that does not know scopes does not pass off its key as one that only reads', async context => {
  const data = join(temporaryFolder(), 'data');
  await serviceOn(context, data);
  let file = serviceFileFor('');
  await using older = await startScriptedServer((response, request) => {
    if (request.path.includes('/admin/proof')) return answerProof(file)(response, request);
    reply({ apiKey: 'sqlp_full', keyId: '0123456789ab', url: '', projects: [] })(response, request);
  });
  file = serviceFileFor(older.url);
  await writeFile(join(data, 'service.json'), encodeServiceFile(file));
  const issue = ['key', 'issue', '--data', data, '--project', 'p'];
  const { code, output, notes } = await runCommand(...issue, '--read-only');
  assert.deepEqual([code, output], [1, '']);
  assert.match(notes, /issued the key 0123456789ab, which may write\. Revoke it, and update the service\./);
  assert.equal(await outputOf(...issue), 'sqlp_full');
});

test('a data folder that is a file is refused with a message', async () => {
  const { code, notes } = await runCommand('projects', '--data', import.meta.filename);
  assert.equal(code, 1);
  assert.match(notes, /^error: The data folder .* cannot be used: /);
});

test('open enrolment is refused for a service that others can reach', async () => {
  const data = join(temporaryFolder(), 'data');
  const { code, notes } = await runCommand('serve', '--data', data, '--host', '0.0.0.0', '--open-enrolment');
  assert.equal(code, 1);
  assert.match(notes, /Remove --open-enrolment, or listen on 127\.0\.0\.1\./);
  assert.ok(!existsSync(data));
});

for (const prefix of ['/two words', '/a?b', '/a#b', '/a/../b', '/größe']) {
  test(`the path prefix "${prefix}" is refused, because no path can begin with it`, async () => {
    const { code, notes } = await runCommand('serve', '--data', 'x', '--path-prefix', prefix);
    assert.equal(code, 2);
    assert.match(notes, /^error: --path-prefix must be /);
  });
}

test('a command with wrong arguments says why and names the help, with exit code 2', async () => {
  for (const [args, message] of wrongCalls) {
    const { code, output, notes } = await runCommand(...args);
    assert.deepEqual([code, output], [2, ''], args.join(' '));
    assert.match(notes, message);
    const usage =
      args.length > 1 || args[0] === 'dance' ? /^Run "sql-project-explorer help.*" to see the usage\.$/m : /^Usage: /m;
    assert.match(notes, usage);
  }
});

/** Commands with a key in a wrong place. */
const misplaced = (data: string, key: string): readonly (readonly string[])[] => [
  [key],
  ['key', key],
  ['key', 'revoke', '--data', data, key],
  ['key', 'revoke', '--data', data, 'id', key],
  ['key', 'issue', '--data', data, '--project', key],
  ['projects', '--data', data, `--${key}`],
  ['projects', '--data', data, `--${key}=1`],
  ['projects', '--data', data, key],
  ['projects', '--data', join(data, key)],
  ['check', '--data', data, `--project=${key}`],
  ['backup', '--data', data, '--project', key, 'f'],
  ['restore', '--data', data, key],
  ['serve', '--data', data, '--host', key],
  ['serve', '--data', data, `--port=${key}`],
  ['health', '--data', key],
  ['metrics', '--data', key],
  ['download', '--url', `http://u:${key}@127.0.0.1:1`, '--project', 'p', '--key-fd', key, 'f'],
  ['upload', '--url', `http://127.0.0.1:1/?key=${key}`, '--project', 'p', 'f', key],
  ['mcp', '--project', `shop=http://127.0.0.1:1/?key=${key}`, `--max-rows=${key}`],
];

test('no command shows a key that is in a wrong place', async () => {
  const data = join(temporaryFolder(), 'data');
  const projectId = await outputOf('init', '--data', data, '--holder', 'ann', '--name', 'shop');
  const own = await outputOf('key', 'issue', '--data', data, '--project', projectId);
  for (const key of [own, 'ghp_AbCdEf0123456789AbCdEf0123456789AbCd']) {
    for (const args of misplaced(data, key)) {
      const { code, output, notes } = await runCommand(...args);
      assert.ok(code !== 0 && notes.startsWith('error: ') && output === '', args.join(' '));
      assert.ok(!notes.toLowerCase().includes(key.toLowerCase()), notes);
    }
  }
  const revoke = await runCommand('key', 'revoke', '--data', data, own);
  assert.match(revoke.notes, /^error: An argument has an API key in it, .* Use an id, not the key itself\.$/m);
});

test('a key is taken neither for a name nor for a path', async () => {
  const folder = temporaryFolder();
  const data = join(folder, 'data');
  const projectId = await outputOf('init', '--data', data, '--holder', 'ann', '--name', 'shop');
  const project = ['--data', data, '--project', projectId];
  const own = await outputOf('key', 'issue', ...project);
  const listed = await outputOf('key', 'list', '--data', data);
  for (const args of [
    ['key', 'issue', ...project, '--user', own],
    ['init', '--data', data, '--holder', own, '--name', 'other'],
    ['init', '--data', join(folder, own), '--holder', 'ann', '--name', 'other'],
    ['backup', ...project, join(folder, own)],
  ]) {
    assert.equal((await runCommand(...args)).code, 2);
  }
  assert.equal(await outputOf('key', 'list', '--data', data), listed);
  assert.equal(await outputOf('projects', '--data', data), `${projectId}\tann\tshop`);
  assert.deepEqual(readdirSync(folder), ['data']);
});

test('an error shows an address without its user name, password and query', async () => {
  const data = join(temporaryFolder(), 'data');
  const folder = 'http://ann:secret@host/a?token=secret#secret';
  const { notes } = await runCommand('health', '--data', folder);
  assert.match(notes, /^error: No service runs on the data folder http:\/\/\[redacted\]@host\/a\?\[redacted\] Start/);
  assert.ok(!notes.includes('secret'), notes);
  assert.match((await runCommand('health', '--data', data)).notes, new RegExp(`the data folder ${data}\\. Start`));
});

test('every command has its help', async () => {
  const overview = await outputOf('help');
  const names = [...overview.matchAll(/^ {2}(\w+)/gm)].map(([, name = '']) => name);
  assert.equal(names.length, 15);
  for (const name of names) {
    const help = await outputOf('help', name);
    assert.ok(help.startsWith(`Usage: sql-project-explorer ${name} `), name);
    assert.equal(await outputOf(name, '--help'), help);
  }
});

/** Makes a project with one table. */
async function filledProject(data: string, value: string): Promise<string> {
  const file = `${data}-source.sqlite`;
  changeDatabase(file, `CREATE TABLE t (a); INSERT INTO t VALUES ('${value}')`);
  const id = await outputOf('import', '--data', data, '--holder', 'ann', '--name', 'shop', file);
  await rm(file);
  return id;
}

async function tablesOf(context: TestContext, data: string, projectId: string) {
  const apiKey = await outputOf('key', 'issue', '--data', data, '--project', projectId);
  const { baseUrl } = await serviceOn(context, data);
  await using client = new Client({ baseUrl, apiKey, pathPrefix: '/p', retries: 0 });
  const { rows } = await client.execSql(projectId, { sql: 'SELECT * FROM t' });
  return { tables: await client.listTables(projectId), rows };
}
