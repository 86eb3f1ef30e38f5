/** Files that others made or changed, given to `restore`, `backup` and `import`. */
import assert from 'node:assert/strict';
import { cp, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { Client } from '../../src/client/index.ts';
import { ServiceAdministration } from '../../src/service/folder/serviceAdministration.ts';
import { changeDatabase } from '../support/changeDatabase.ts';
import { testLimitMs } from '../support/hangLimits.ts';
import { outputOf, runCommand } from '../support/runCommand.ts';
import { ServiceProcess } from '../support/serviceProcess.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const mark = '__sql_project_backup__';
const createMark = `CREATE TABLE ${mark} (project_id TEXT, holder_id TEXT, project_name TEXT, made_at TEXT) STRICT`;

/** The message of a command that must fail. */
async function refusalOf(...args: string[]): Promise<string> {
  const { code, notes } = await runCommand(...args);
  assert.equal(code, 1, notes);
  return notes;
}

function valuesIn(file: string): unknown[] {
  using database = new DatabaseSync(file, { readOnly: true });
  return database
    .prepare('SELECT a FROM t')
    .all()
    .map(({ a }) => a);
}

/** A data folder with the projects of two tenants, `ann` and `ben`. Their names are their values. */
async function twoProjects() {
  const scratch = temporaryFolder();
  const data = join(scratch, 'data');
  const projectOf = async (holder: string): Promise<string> => {
    const source = join(scratch, `${holder}.sqlite`);
    changeDatabase(source, `CREATE TABLE t (a); INSERT INTO t VALUES ('${holder}')`);
    return outputOf('import', '--data', data, '--holder', holder, '--name', 'shop', source);
  };
  const ann = await projectOf('ann');
  const ben = await projectOf('ben');
  const valuesOf = (id: string): unknown[] => valuesIn(join(data, 'projects', `${id}.sqlite`));
  return { scratch, data, ann, ben, valuesOf };
}

/** Makes a backup of an export, as a tenant can. */
function forgeMark(file: string, projectId: string): void {
  changeDatabase(file, `${createMark}; INSERT INTO ${mark} VALUES ('${projectId}', 'ben', 'shop', '')`);
}

// The limit ends the test if the service hangs.
test('an endless view with the name of the mark is refused at once', { timeout: testLimitMs }, async context => {
  const file = join(temporaryFolder(), 'endless.sqlite');
  const endless = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)';
  changeDatabase(
    file,
    `CREATE VIEW ${mark} AS ${endless} SELECT max(i) project_id, 1 holder_id, 1 project_name FROM n`,
  );
  const service = await ServiceProcess.start('source');
  context.after(() => service[Symbol.asyncDispose]());
  const administration = new ServiceAdministration(await service.file());
  await assert.rejects(administration.restore(file), {
    status: 400,
    message: /^The file is not a backup of a project: it has no mark\./,
  });
  await assert.rejects(administration.importProject({ holderId: 'a', projectName: 'b' }, file), {
    status: 400,
    message: /^The file has a table or another object with the name __sql_project_backup__, which marks backups\./,
  });
});

test('a mark in the export of one project does not replace another one', async () => {
  const { scratch, data, ann, ben, valuesOf } = await twoProjects();
  const file = join(scratch, 'forged.backup');
  await outputOf('export', '--data', data, '--project', ann, file);
  forgeMark(file, ben);
  const refusal = await refusalOf('restore', '--data', data, file);
  assert.match(refusal, /^error: Nothing proves that the service of this data folder made the file as it is: /);
  assert.match(
    refusal,
    new RegExp(`It names the project ${ben}\\. Nothing was changed\\. If you trust the file, give`),
  );
  // The user means the project that the file came from.
  const other = `error: The file names the project ${ben}. Nothing was changed.`;
  assert.equal(await refusalOf('restore', '--data', data, '--project', ann, file), other);
  assert.deepEqual([valuesOf(ann), valuesOf(ben)], [['ann'], ['ben']]);
});

const changes: readonly (readonly [name: string, change: (file: string, ben: string) => Promise<void> | void])[] = [
  ['names another project', (file, ben) => changeDatabase(file, `UPDATE ${mark} SET project_id = '${ben}'`)],
  ['has another value', file => changeDatabase(file, `UPDATE t SET a = 'forged'`)],
  ['is one byte shorter', async file => truncate(file, (await readFile(file)).length - 1)],
  ['has no seal', async file => truncate(file, Math.floor((await readFile(file)).length / 512) * 512)],
];

for (const [name, changeFile] of changes) {
  test(`a backup that was changed since and ${name} is not restored`, async () => {
    const { scratch, data, ann, ben, valuesOf } = await twoProjects();
    const file = join(scratch, 'ann.backup');
    await outputOf('backup', '--data', data, '--project', ann, file);
    await changeFile(file, ben);
    assert.match(await refusalOf('restore', '--data', data, file), /^error: Nothing proves that /);
    assert.deepEqual([valuesOf(ann), valuesOf(ben)], [['ann'], ['ben']]);
  });
}

test('a backup of another service, or of a version without seals, is restored if the user names its project', async () => {
  const { scratch, data, ann } = await twoProjects();
  const file = join(scratch, 'ann.backup');
  await outputOf('backup', '--data', data, '--project', ann, file);
  const old = join(scratch, 'old.backup');
  await outputOf('export', '--data', data, '--project', ann, old);
  changeDatabase(old, `${createMark}; INSERT INTO ${mark} VALUES ('${ann}', 'ann', 'shop', '')`);
  for (const [nth, backup] of [file, old].entries()) {
    const other = join(scratch, `other${nth}`);
    assert.match(
      await refusalOf('restore', '--data', other, backup),
      /: another service or an earlier version made it, /,
    );
    assert.equal(await outputOf('projects', '--data', other), '');
    assert.equal(await outputOf('restore', '--data', other, '--project', ann, backup), `${ann}\tann\tshop`);
    assert.deepEqual(valuesIn(join(other, 'projects', `${ann}.sqlite`)), ['ann']);
  }
});

test('the code of an unproven backup tells programs to name the project', async () => {
  const { scratch, data, ann, ben, valuesOf } = await twoProjects();
  const file = join(scratch, 'forged.backup');
  await outputOf('export', '--data', data, '--project', ann, file);
  forgeMark(file, ben);
  await using service = await ServiceProcess.start('source', { folder: data });
  const administration = new ServiceAdministration(await service.file());
  await assert.rejects(administration.restore(file), { status: 409, code: 'unproven_backup' });
  assert.deepEqual(valuesOf(ben), ['ben']);
  assert.equal((await administration.restore(file, ben)).projectId, ben);
  assert.deepEqual(valuesOf(ben), ['ann']);
});

test('a project with the name of the mark is not backed up and says why, until it drops that object', async () => {
  const { scratch, data, ann } = await twoProjects();
  // An earlier version did not reserve the name.
  changeDatabase(join(data, 'projects', `${ann}.sqlite`), `CREATE TABLE "${mark.toUpperCase()}" (a)`);
  const file = join(scratch, 'ann.backup');
  assert.match(
    await refusalOf('backup', '--data', data, '--project', ann, file),
    /^error: The project has a table or another object with the name __sql_project_backup__, .* drop it, then try again\.$/,
  );
  assert.deepEqual((await readdir(scratch)).toSorted(), ['ann.sqlite', 'ben.sqlite', 'data']);
  await using service = await ServiceProcess.start('source', { folder: data });
  const request = { projectId: ann, user: '', scope: 'full' } as const;
  const { apiKey } = await new ServiceAdministration(await service.file()).issueKey(request);
  await using client = new Client({ baseUrl: service.baseUrl, apiKey, retries: 0 });
  await client.execSql(ann, { sql: `DROP TABLE ${mark}` });
  await outputOf('backup', '--data', data, '--project', ann, file);
});

test('rows that refer to the mark keep their values in a backup', async () => {
  const { scratch, data, ann, valuesOf } = await twoProjects();
  const source = join(data, 'projects', `${ann}.sqlite`);
  const action = 'ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED';
  changeDatabase(
    source,
    `PRAGMA foreign_keys = OFF; DROP TABLE t; CREATE TABLE t (a REFERENCES ${mark} (project_id) ${action});
    CREATE TABLE u (a REFERENCES ${mark} (missing) ${action}); INSERT INTO t VALUES ('${ann}')`,
  );
  const file = join(scratch, 'ann.backup');
  await outputOf('backup', '--data', data, '--project', ann, file);
  await outputOf('restore', '--data', data, file);
  assert.deepEqual(valuesOf(ann), [ann]);
});

test('a backup that is imported as another project has no mark there, and can be backed up itself', async () => {
  const { scratch, data, ann } = await twoProjects();
  const file = join(scratch, 'ann.backup');
  await outputOf('backup', '--data', data, '--project', ann, file);
  const copy = await outputOf('import', '--data', data, '--holder', 'cal', '--name', 'shop', file);
  const second = join(scratch, 'cal.backup');
  await outputOf('backup', '--data', data, '--project', copy, second);
  assert.equal(await outputOf('restore', '--data', data, second), `${copy}\tcal\tshop`);
});

test('a data folder that was moved restores its own backups, and no backup has its secret', async () => {
  const { scratch, data, ann } = await twoProjects();
  const file = join(scratch, 'ann.backup');
  await outputOf('backup', '--data', data, '--project', ann, file);
  const moved = join(scratch, 'moved');
  await cp(data, moved, { recursive: true });
  assert.equal(await outputOf('restore', '--data', moved, file), `${ann}\tann\tshop`);
  using registry = new DatabaseSync(join(data, 'registry.sqlite'), { readOnly: true });
  const secret = registry.prepare(`SELECT value FROM facts WHERE name = 'backup_secret'`).get()?.['value'];
  assert.match(String(secret), /^[\w-]{43}$/);
  assert.ok(!(await readFile(file)).includes(String(secret)));
});

test('a backup that cannot be written leaves neither a part nor a file without a seal', async () => {
  const { scratch, data, ann } = await twoProjects();
  const taken = join(scratch, 'taken');
  await writeFile(taken, '');
  assert.match(await refusalOf('backup', '--data', data, '--project', ann, taken), /The file already exists/);
  const nowhere = join(scratch, 'nowhere', 'ann.backup');
  assert.match(await refusalOf('backup', '--data', data, '--project', ann, nowhere), /could not be written/);
  assert.deepEqual((await readdir(scratch)).toSorted(), ['ann.sqlite', 'ben.sqlite', 'data', 'taken']);
});
