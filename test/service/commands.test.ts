import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test, type TestContext } from 'node:test';
import { silentLogger } from '../../src/base/logger.ts';
import { Client } from '../../src/client/index.ts';
import { LocalService } from '../../src/service/localService.ts';
import { encodeServiceFile } from '../../src/wire/serviceFile.ts';
import { runCommand } from '../support/runCommand.ts';

async function scratchFolder(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'commands-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function serviceOn(context: TestContext, folder: string): Promise<LocalService> {
  const service = await LocalService.start({ folder, port: 0, pathPrefix: '/p', sample: false, logger: silentLogger });
  context.after(() => service.close());
  return service;
}

/** Runs a command that must succeed, and gives what it printed. */
async function printed(...args: string[]): Promise<string> {
  const { code, output, notes } = await runCommand(...args);
  assert.equal(code, 0, notes);
  return output;
}

/** Each command does the same whether a service has the folder or nobody does. */
for (const running of [false, true]) {
  const where = running ? 'while a service runs on the folder' : 'on a folder without a service';

  test(`a project and its keys are made, listed and revoked ${where}`, async context => {
    const data = join(await scratchFolder(context), 'data');
    if (running) await serviceOn(context, data);
    const id = await printed('init', '--data', data, '--holder', 'ann', '--name', 'Größe 1');
    assert.equal(await printed('init', '--data', data, '--holder', 'ann', '--name', 'Größe 1'), id);
    assert.equal(await printed('projects', '--data', data), `${id}\tann\tGröße 1`);
    const apiKey = await printed('key', 'issue', '--data', data, '--project', id, '--user', 'bob');
    assert.match(apiKey, /^sqlp_[\w-]{43}$/);
    const [keyId = '', ...rest] = (await printed('key', 'list', '--data', data, '--project', id)).split('\t');
    assert.deepEqual([rest[0], rest[1], rest[3]], [id, 'bob', '']);
    const revoked = (await printed('key', 'revoke', '--data', data, keyId)).split('\t');
    assert.match(revoked[4] ?? '', /^\d{4}-\d\d-\d\dT/);
    assert.equal((await printed('key', 'list', '--data', data)).split('\t')[4], revoked[4]);
  });

  test(`a backup brings a project back under its id, into another folder too, ${where}`, async context => {
    const scratch = await scratchFolder(context);
    const [data, file] = [join(scratch, 'data'), join(scratch, 'shop.backup')];
    const id = await filledProject(data, 'v1');
    if (running) await serviceOn(context, data);
    await printed('backup', '--data', data, '--project', id, file);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(await printed('restore', '--data', data, file), `${id}\tann\tshop`);
    const other = join(scratch, 'other');
    assert.equal(await printed('restore', '--data', other, file), `${id}\tann\tshop`);
    assert.deepEqual(await tablesOf(context, other, id), { tables: ['t'], rows: [{ a: 'v1' }] });
  });

  test(`an exported project is a plain SQLite file, of which another project is made, ${where}`, async context => {
    const scratch = await scratchFolder(context);
    const [data, file] = [join(scratch, 'data'), join(scratch, 'shop.sqlite')];
    const id = await filledProject(data, 'kept');
    const service = running ? await serviceOn(context, data) : undefined;
    await printed('export', '--data', data, '--project', id, file);
    const exported = new DatabaseSync(file, { readOnly: true });
    assert.deepEqual(
      exported
        .prepare('SELECT name FROM sqlite_schema')
        .all()
        .map(({ name }) => name),
      ['t'],
    );
    exported.close();
    const made = await printed('import', '--data', data, '--holder', 'ann', '--name', 'copy', file);
    assert.notEqual(made, id);
    await service?.close();
    assert.deepEqual(await tablesOf(context, data, made), { tables: ['t'], rows: [{ a: 'kept' }] });
  });

  test(`a project is vacuumed and checked ${where}`, async context => {
    const data = join(await scratchFolder(context), 'data');
    const id = await filledProject(data, 'x');
    if (running) await serviceOn(context, data);
    assert.equal(await printed('vacuum', '--data', data, '--project', id), '');
    assert.equal(await printed('check', '--data', data, '--project', id), 'ok');
  });

  test(`a project is deleted with its files and keys, when that is said twice, ${where}`, async context => {
    const data = join(await scratchFolder(context), 'data');
    const id = await filledProject(data, 'x');
    const other = await printed('init', '--data', data, '--holder', 'ann', '--name', 'other');
    const apiKey = await printed('key', 'issue', '--data', data, '--project', id);
    const service = running ? await serviceOn(context, data) : undefined;
    const statusOf = async (baseUrl: string): Promise<number> =>
      (await fetch(`${baseUrl}/p/projects/${id}/tables`, { headers: { 'x-api-key': apiKey } })).status;
    if (service) assert.equal(await statusOf(service.baseUrl), 200);
    const half = await runCommand('projects', 'delete', '--data', data, '--project', id);
    assert.equal(half.code, 2);
    assert.match(half.notes, /^error: Nothing was deleted: --yes is missing/);
    assert.ok(existsSync(join(data, 'projects', `${id}.sqlite`)));
    const line = `${id}\tann\tshop`;
    assert.equal(await printed('projects', 'delete', '--data', data, '--project', id, '--yes'), line);
    assert.equal(await printed('projects', '--data', data), `${other}\tann\tother`);
    assert.equal(await printed('key', 'list', '--data', data), '');
    assert.deepEqual(
      readdirSync(join(data, 'projects')).filter(name => name.startsWith(id)),
      [],
    );
    const again = await runCommand('projects', 'delete', '--data', data, '--project', id, '--yes');
    assert.deepEqual([again.code, again.notes], [1, `error: There is no project with the id "${id}".`]);
    if (service) assert.equal(await statusOf(service.baseUrl), 401);
  });

  const failing: readonly (readonly [name: string, args: string[], told: RegExp])[] = [
    ['a project that is not there', ['check', '--project', 'nobody'], /There is no project with the id "nobody"/],
    ['a key for no project', ['key', 'issue', '--project', 'nobody'], /There is no project with the id "nobody"/],
    ['a key that is not there', ['key', 'revoke', 'abc'], /There is no key with the id "abc"/],
    ['a backup that is not there', ['restore', 'nothing'], /The file does not exist/],
    ['a backup that is none', ['restore', import.meta.filename], /The file is no backup of a project/],
    ['an import that is no database', ['import', '--holder', 'h', '--name', 'n', import.meta.filename], /error: /],
    ['a name that is taken', ['import', '--holder', 'ann', '--name', 'shop', import.meta.filename], /already/],
  ];

  test(`what cannot be done is told with exit code 1 and leaves no project behind, ${where}`, async context => {
    const data = join(await scratchFolder(context), 'data');
    const id = await filledProject(data, 'x');
    if (running) await serviceOn(context, data);
    for (const [name, args, told] of failing) {
      const ended = await runCommand(...args, '--data', data);
      assert.deepEqual([ended.code, ended.output], [1, ''], name);
      assert.match(ended.notes, told, name);
    }
    const taken = await runCommand('export', '--data', data, '--project', id, import.meta.filename);
    assert.match(taken.notes, /The file already exists/);
    assert.equal(await printed('projects', '--data', data), `${id}\tann\tshop`);
  });
}

test('a backup that names no sound id is refused, since the id becomes a file name', async context => {
  const scratch = await scratchFolder(context);
  const [data, file] = [join(scratch, 'data'), join(scratch, 'shop.backup')];
  const id = await filledProject(data, 'x');
  await printed('backup', '--data', data, '--project', id, file);
  const forged = new DatabaseSync(file);
  forged.exec(`UPDATE __sql_project_backup__ SET project_id = '../outside'`);
  forged.close();
  assert.match((await runCommand('restore', '--data', data, file)).notes, /The file is no backup of a project/);
  assert.ok(!existsSync(join(data, 'outside.sqlite')));
});

test('a restore that was broken off leaves nothing to the next', async context => {
  const scratch = await scratchFolder(context);
  const [data, file, old] = [join(scratch, 'data'), join(scratch, 'shop.backup'), join(scratch, 'old.sqlite')];
  const id = await filledProject(data, 'x');
  await printed('backup', '--data', data, '--project', id, file);
  // As a process leaves it that is killed in a transaction which is on the disk in part.
  const database = new DatabaseSync(old);
  context.after(() => database.close());
  database.exec('CREATE TABLE other (a); PRAGMA cache_size = 1; BEGIN; INSERT INTO other VALUES (zeroblob(100000))');
  await copyFile(`${old}-journal`, join(data, 'restore.sqlite-journal'));
  assert.equal(await printed('restore', '--data', data, file), `${id}\tann\tshop`);
  assert.deepEqual(await tablesOf(context, data, id), { tables: ['t'], rows: [{ a: 'x' }] });
});

test('a mistyped data folder is not made', async context => {
  const data = join(await scratchFolder(context), 'nowhere');
  const { code, notes } = await runCommand('projects', '--data', data);
  assert.deepEqual([code, notes], [1, `error: There is no data folder ${data}.`]);
  assert.ok(!existsSync(data));
});

test('the file that a killed service left behind keeps nobody from its folder', async context => {
  const data = join(await scratchFolder(context), 'data');
  const service = await serviceOn(context, data);
  const left = readFileSync(join(data, 'service.json'));
  await service.close();
  await writeFile(join(data, 'service.json'), left);
  assert.equal(await printed('projects', '--data', data), '');
});

const wrong: readonly (readonly [args: string[], told: RegExp])[] = [
  [[], /Say what to do\./],
  [['dance'], /There is no command "dance"\./],
  [['projects'], /--data is missing\./],
  [['projects', '--data', 'x', 'y'], /"y" is one argument too many\./],
  [['projects', '--colour', 'red'], /Unknown option '--colour'/],
  [['key'], /Say what to do with the key: issue, list or revoke\./],
  [['key', 'revoke', '--data', 'x'], /KEY_ID is missing\./],
  [['init', '--data', 'x', '--name', 'n'], /--holder is missing\./],
  [['init', '--data', 'x', '--name', 'n', '--holder', 'a\nb'], /without blanks around them and control characters/],
  [['backup', '--data', 'x', '--project', 'p'], /FILE is missing\./],
  [['serve', '--data', 'x', '--port', '1e3'], /--port must be a number from 0 to 65535\./],
  [['serve', '--data', 'x', '--rate-limit', '5'], /--rate-limit must be written as 10\/s/],
  [['serve', '--data', 'x', '--synchronous', 'off'], /--synchronous must be full or normal\./],
  [['serve', '--data', 'x', '--statement-timeout', '0'], /--statement-timeout must be a number of seconds\./],
  [['serve', '--data', 'x', '--rate-limit', '0/s'], /--rate-limit must be written as 10\/s/],
];

test('a service that has the folder and cannot be reached is told of', async context => {
  const data = join(await scratchFolder(context), 'data');
  const service = await serviceOn(context, data);
  const lost = encodeServiceFile({ baseUrl: 'http://127.0.0.1:1', pathPrefix: '/p', adminKey: 'sqlp_x' });
  await writeFile(join(data, 'service.json'), lost);
  const { code, notes } = await runCommand('projects', '--data', data);
  assert.equal(code, 1);
  assert.match(
    notes,
    /^error: The service of this folder, at http:\/\/127\.0\.0\.1:1, cannot be reached: .*ECONNREFUSED/,
  );
  await rm(join(data, 'service.json'));
  assert.match((await runCommand('projects', '--data', data)).notes, /Another program is using this folder/);
  await service.close();
});

test('a data folder that is a file is refused in words', async () => {
  const { code, notes } = await runCommand('projects', '--data', import.meta.filename);
  assert.equal(code, 1);
  assert.match(notes, /^error: The data folder .* cannot be used: /);
});

test('open enrolment is refused for a service that others can reach', async context => {
  const data = join(await scratchFolder(context), 'data');
  const { code, notes } = await runCommand('serve', '--data', data, '--host', '0.0.0.0', '--open-enrolment');
  assert.equal(code, 1);
  assert.match(notes, /Remove --open-enrolment, or listen on 127\.0\.0\.1\./);
  assert.ok(!existsSync(data));
});

for (const prefix of ['/two words', '/a?b', '/a#b', '/a/../b', '/größe']) {
  test(`the path prefix "${prefix}" is refused, since no path would ever begin with it`, async () => {
    const { code, notes } = await runCommand('serve', '--data', 'x', '--path-prefix', prefix);
    assert.equal(code, 2);
    assert.match(notes, /^error: --path-prefix must be /);
  });
}

test('a command that is wrongly called says why, and where to read on, with exit code 2', async () => {
  for (const [args, told] of wrong) {
    const { code, output, notes } = await runCommand(...args);
    assert.deepEqual([code, output], [2, ''], args.join(' '));
    assert.match(notes, told);
    assert.match(notes, /^sql-project-explorer help.* tells how it is called\.$/m);
  }
});

test('help tells of every command, by itself and behind each', async () => {
  const overview = await printed('help');
  const names = [...overview.matchAll(/^ {2}(\w+)/gm)].map(([, name = '']) => name);
  assert.equal(names.length, 10);
  for (const name of names) {
    const help = await printed('help', name);
    assert.ok(help.startsWith(`Usage: sql-project-explorer ${name} `), name);
    assert.equal(await printed(name, '--help'), help);
  }
});

/** A project with one table, made by nothing but commands and SQLite. */
async function filledProject(data: string, value: string): Promise<string> {
  const file = `${data}-source.sqlite`;
  const source = new DatabaseSync(file);
  source.exec('CREATE TABLE t (a)');
  source.prepare('INSERT INTO t VALUES (?)').run(value);
  source.close();
  const id = await printed('import', '--data', data, '--holder', 'ann', '--name', 'shop', file);
  await rm(file);
  return id;
}

async function tablesOf(context: TestContext, data: string, projectId: string) {
  const apiKey = await printed('key', 'issue', '--data', data, '--project', projectId);
  const { baseUrl } = await serviceOn(context, data);
  await using client = new Client({ baseUrl, apiKey, pathPrefix: '/p', retries: 0 });
  const { rows } = await client.execSql(projectId, { sql: 'SELECT * FROM t' });
  return { tables: await client.listTables(projectId), rows };
}
