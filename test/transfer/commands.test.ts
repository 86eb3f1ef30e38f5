import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { startRefusingProxy } from '../support/refusingProxy.ts';
import { runCommand } from '../support/runCommand.ts';
import { openTestService } from '../support/testService.ts';
import { type TransferCommand, TransferProcess } from '../support/transferProcess.ts';
import { contentOf, emptyProject, makeFile } from '../support/transferProject.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const folder = temporaryFolder();
const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const data = service.folder;

/** A file with the statements. */
function fileOf(name: string, ...statements: string[]): string {
  const file = join(folder, name);
  makeFile(file, statements);
  return file;
}

const rows = `INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, NULL)`;
const table = `CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)`;

/** Runs a command that must fail, and gives its message. */
async function refusalOf(...args: string[]): Promise<string> {
  const { code, notes } = await runCommand(...args);
  assert.equal(code, 1, notes);
  return notes;
}

test('the commands move the projects of a data folder, and leave no key behind', async () => {
  const file = fileOf('folder.sqlite', table, rows);
  const { projectId } = await emptyProject(service);
  const uploaded = await runCommand('upload', '--data', data, '--project', projectId, file);
  assert.equal(uploaded.code, 0, uploaded.notes);
  assert.match(uploaded.notes, /^writing t: 3 rows\nchecking t: 3 rows\nEvery row of the file is in the project\.$/);
  const copy = join(folder, 'folder-copy.sqlite');
  const downloaded = await runCommand('download', '--data', data, '--project', projectId, '--quiet', copy);
  assert.deepEqual(downloaded, { code: 0, output: '', notes: '' });
  assert.deepEqual(contentOf(copy), contentOf(file));
  const keys = (await runCommand('key', 'list', '--data', data, '--project', projectId)).output.split('\n');
  const ofTransfers = keys.map(line => line.split('\t')).filter(([, , user]) => user === 'transfer');
  assert.equal(ofTransfers.length, 2);
  assert.ok(ofTransfers.every(([, , , , revokedAt, , expiresAt]) => revokedAt !== '' && expiresAt !== ''));
});

/** Runs a command in a process of its own to its end. */
async function ended(command: TransferCommand) {
  await using run = new TransferProcess(command);
  return await run.ended();
}

test('a key for an address comes over a pipe or the standard input', async () => {
  const file = fileOf('address.sqlite', table, rows);
  const { projectId, apiKey, baseUrl } = await emptyProject(service);
  const copy = join(folder, 'address-copy.sqlite');
  const command = { url: `${baseUrl}/serviceSql/`, projectId, apiKey };
  assert.equal((await ended({ ...command, direction: 'upload', file })).code, 0);
  const downloaded = await ended({
    ...command,
    direction: 'download',
    file: copy,
    hasKeyInInput: true,
    options: ['--quiet'],
  });
  assert.deepEqual(downloaded, { code: 0, notes: '' });
  assert.deepEqual(contentOf(copy), contentOf(file));
  const refused = await ended({
    ...command,
    apiKey: 'wrong',
    direction: 'download',
    file: join(folder, 'never.sqlite'),
  });
  assert.equal(refused.code, 1);
  assert.ok(!readdirSync(folder).some(name => name.startsWith('never')));
});

test('an address with a user name or a query is refused, and is in no file', async () => {
  const { projectId, apiKey, baseUrl } = await emptyProject(service);
  const file = join(folder, 'secret.sqlite');
  for (const url of [
    `${baseUrl.replace('://', '://ann:s3cret@')}/serviceSql`,
    `${baseUrl}/serviceSql?key=s3cret`,
    `${baseUrl}?key=s3cret`,
  ]) {
    const { code, notes } = await ended({ direction: 'download', url, projectId, apiKey, file });
    assert.equal(code, 1);
    assert.match(notes, /^error: The address must not /);
    assert.ok(!notes.includes('s3cret'), notes);
  }
  assert.ok(!readdirSync(folder).some(name => name.startsWith('secret')));
});

test('wrong arguments are reported before anything is done', async () => {
  for (const args of [
    ['download', '--project', 'p', 'f'],
    ['download', '--url', 'http://127.0.0.1', '--data', data, '--project', 'p', 'f'],
    ['upload', '--data', data, '--project', 'p'],
    ['upload', '--data', data, 'f'],
    ['upload', '--url', 'http://127.0.0.1', '--project', 'p', '--key-fd', '1', 'f'],
  ]) {
    assert.equal((await runCommand(...args)).code, 2, args.join(' '));
  }
});

test('an upload into a project that is not empty names its tables and writes nothing', async () => {
  const file = fileOf('refused.sqlite', table, rows);
  const { project, projectId } = await emptyProject(service);
  await project.sql('CREATE TABLE kept (a)');
  await project.sql('CREATE VIEW shown AS SELECT a FROM kept');
  const message = await refusalOf('upload', '--data', data, '--project', projectId, file);
  assert.match(message, /The project is not empty\. It has kept, shown\. Upload into an empty project\./);
  assert.deepEqual([...(await project.tables())], ['kept']);
});

test('an object that a project cannot take is named before the first row', async () => {
  const refused: readonly (readonly [statements: readonly string[], message: RegExp])[] = [
    [['CREATE VIRTUAL TABLE boxes USING rtree(id, a, b)'], /boxes: a virtual table of the module rtree/],
    [['CREATE VIRTUAL TABLE "using fts5" USING fts4(a)'], /using fts5: a virtual table of the module fts4/],
    [["CREATE VIRTUAL TABLE texts USING fts5(a, conten='')"], /texts: an FTS5 table without its texts/],
    [["CREATE VIRTUAL TABLE texts USING fts5(a, content='')"], /texts: an FTS5 table without its texts/],
    [
      ['CREATE TABLE orphans (a REFERENCES t)', 'INSERT INTO orphans VALUES (9)'],
      /orphans: rows refer to rows that t does not have/,
    ],
    [
      [
        'CREATE TABLE a (x PRIMARY KEY, y REFERENCES b)',
        'CREATE TABLE b (x PRIMARY KEY, y REFERENCES a)',
        'INSERT INTO a VALUES (1, 2)',
        'INSERT INTO b VALUES (2, 1)',
      ],
      /a: its rows and those of other tables refer to each other in a circle\n {2}b: /,
    ],
    [
      ['CREATE TABLE ring (id INTEGER PRIMARY KEY, next REFERENCES ring)', 'INSERT INTO ring VALUES (1, 2), (2, 1)'],
      /ring: its rows refer to each other in a circle/,
    ],
  ];
  for (const [nth, [statements, expected]] of refused.entries()) {
    const file = fileOf(`cannot-${nth}.sqlite`, table, rows, ...statements);
    const { project, projectId } = await emptyProject(service);
    assert.match(await refusalOf('upload', '--data', data, '--project', projectId, file), expected);
    assert.deepEqual([...(await project.tables())], []);
  }
});

test('a view that the service refuses is named before the first row, and the project stays empty', async () => {
  // The service takes expressions up to a depth of 500.
  const deep = `CREATE VIEW deep AS SELECT ${Array.from({ length: 600 }, () => '1').join(' + ')}`;
  const file = fileOf('view.sqlite', table, rows, 'CREATE INDEX by_name ON t (name)', deep);
  const { project, projectId } = await emptyProject(service);
  const message = await refusalOf('upload', '--data', data, '--project', projectId, file);
  assert.match(message, /The view 'deep' was refused: /);
  assert.deepEqual([...(await project.tables())], []);
});

test('a file that was changed does not continue the upload of the old one', async () => {
  const file = fileOf('changing.sqlite', table, rows);
  const { project, projectId, apiKey } = await emptyProject(service);
  const proxy = await startRefusingProxy(service.baseUrl, ({ body }) =>
    body.includes('INSERT INTO \\"t\\"') ? { status: 403, code: 'forbidden' } : undefined,
  );
  await using stopped = new TransferProcess({ direction: 'upload', url: proxy.baseUrl, projectId, apiKey, file });
  assert.equal((await stopped.ended()).code, 1);
  const database = new DatabaseSync(file);
  database.exec(`INSERT INTO t VALUES (4, 'd')`);
  database.close();
  const message = await refusalOf('upload', '--data', data, '--project', projectId, file);
  assert.match(message, /The project has an upload of another file, or this file was changed since/);
  assert.equal((await project.sql('SELECT count(*) AS n FROM t')).rows[0]?.['n'], 0);
});

for (const [what, change] of [
  ['a row is added', `INSERT INTO t VALUES (100, 'new')`],
  ['a value is changed', `UPDATE t SET name = 'other' WHERE id = 1`],
  ['a table is dropped', 'DROP TABLE u'],
  ['a column is added', 'ALTER TABLE u ADD COLUMN more'],
] as const) {
  test(`a download reports that ${what} while it reads, and leaves no file`, async () => {
    const { project, projectId, apiKey } = await emptyProject(service);
    for (const sql of [table, rows, 'CREATE TABLE u (a)', 'INSERT INTO u VALUES (1)']) await project.sql(sql);
    let isChanged = false;
    const changes: Promise<unknown>[] = [];
    const proxy = await startRefusingProxy(service.baseUrl, ({ body }) => {
      if (!isChanged && body.includes('FROM \\"u\\"')) {
        isChanged = true;
        changes.push(project.sql(change));
      }
      return undefined;
    });
    const file = join(folder, `changed-${what.replaceAll(' ', '-')}.sqlite`);
    const command = { direction: 'download', url: proxy.baseUrl, projectId, apiKey, file } as const;
    await using process = new TransferProcess(command);
    const { code, notes } = await process.ended();
    await Promise.all(changes);
    assert.equal(code, 1, notes);
    assert.match(notes, /The project changed while it was read\. Run the command again\./);
    assert.ok(!existsSync(file) && !existsSync(`${file}.part`));
    await using again = new TransferProcess(command);
    assert.equal((await again.ended()).code, 0);
  });
}

test('a download overwrites no file, and does not continue a part of something else', async () => {
  const { project, projectId } = await emptyProject(service);
  await project.sql(table);
  const file = join(folder, 'mine.sqlite');
  writeFileSync(file, 'mine');
  assert.match(await refusalOf('download', '--data', data, '--project', projectId, file), /already exists/);
  const other = join(folder, 'other.sqlite');
  makeFile(`${other}.part`, ['CREATE TABLE theirs (a)']);
  assert.match(
    await refusalOf('download', '--data', data, '--project', projectId, other),
    /is not the beginning of this download\. Delete it to start again\./,
  );
  assert.ok(existsSync(`${other}.part`));
});

test('an upload of a file with the name that marks backups says so before it writes', async () => {
  const file = fileOf('marked.sqlite', table, 'CREATE VIEW __SQL_project_backup__ AS SELECT 1');
  const { projectId, project } = await emptyProject(service);
  const refusal = await refusalOf('upload', '--data', data, '--project', projectId, file);
  assert.match(refusal, /__SQL_project_backup__: the name marks the backups of the service/);
  assert.deepEqual([...(await project.tables())], []);
});
