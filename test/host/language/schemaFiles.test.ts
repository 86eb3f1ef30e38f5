import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { schemaFileName, SchemaFiles } from '../../../src/host/language/schemaFiles.ts';
import { makeProfile, type ProfileFields } from '../../../src/model/profiles.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

const schema = { fetchedAt: 5, statements: ['CREATE TABLE t(a)', 'CREATE VIEW "v\n" AS SELECT 1'] };

function makeStorage() {
  const storage = temporaryFolder();
  return { storage, folder: join(storage, 'schemas') };
}

test('a schema comes back as it was written, also in the next window', async () => {
  const { storage } = makeStorage();
  await new SchemaFiles(storage).write('a.json', schema);
  const { fetchedAt, statements } = (await new SchemaFiles(storage).read('a.json'))!;
  assert.deepEqual({ fetchedAt, statements }, schema);
});

test('only the user reads the folder and its files', async () => {
  const { storage, folder } = makeStorage();
  await new SchemaFiles(storage).write('a.json', schema);
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
  assert.equal((await stat(join(folder, 'a.json'))).mode & 0o777, 0o600);
});

test('the last of several writes wins, and no half-written file stays', async () => {
  const { storage, folder } = makeStorage();
  const files = new SchemaFiles(storage);
  const writes = [1, 2, 3].map(fetchedAt => files.write('a.json', { ...schema, fetchedAt }));
  await Promise.all(writes);
  assert.equal((await files.read('a.json'))?.fetchedAt, 3);
  assert.deepEqual(await readdir(folder), ['a.json']);
});

for (const [what, text] of [
  ['half a file', '{"format":1,"fetchedAt":5,"statements":["CREA'],
  ['another format', '{"format":2,"fetchedAt":5,"statements":[]}'],
  ['a statement that is not a text', '{"format":1,"fetchedAt":5,"statements":[1]}'],
] as const) {
  test(`${what} is not a schema`, async () => {
    const { storage, folder } = makeStorage();
    await mkdir(folder);
    await writeFile(join(folder, 'a.json'), text);
    assert.equal(await new SchemaFiles(storage).read('a.json'), undefined);
  });
}

test('files of other projects, and half-written ones, are removed', async () => {
  const { storage, folder } = makeStorage();
  const files = new SchemaFiles(storage);
  for (const name of ['a.json', 'b.json']) await files.write(name, schema);
  await writeFile(join(folder, 'a.json.123.new'), '{');
  await files.keepOnly(new Set(['a.json', 'c.json']));
  assert.deepEqual(await readdir(folder), ['a.json']);
});

test('without a folder, or without access to it, nothing is stored and nothing fails', async () => {
  const { storage, folder } = makeStorage();
  await writeFile(folder, 'a file in place of the folder');
  await chmod(folder, 0o400);
  for (const files of [new SchemaFiles(undefined), new SchemaFiles(storage)]) {
    await files.write('a.json', schema);
    await files.keepOnly(new Set());
    assert.equal(await files.read('a.json'), undefined);
  }
});

const fields: ProfileFields = { baseUrl: 'https://sql.example.com', projectId: 'shop', source: 'settings' };
const nameWith = (changes: Partial<ProfileFields>): string => schemaFileName(makeProfile({ ...fields, ...changes }));

for (const change of [
  { baseUrl: 'https://sql.example.com/other' },
  { pathPrefix: '/other' },
  { projectId: 'bank' },
  { holderId: 'h' },
  { projectName: 'n' },
]) {
  test(`a project with another ${Object.keys(change)[0]} has a file of its own`, () => {
    assert.notEqual(nameWith(change), nameWith({}));
  });
}

test('another name, color or time limit keeps the file, and so does another port of the local service', () => {
  assert.equal(nameWith({ name: 'Shop', color: 'red', timeoutSeconds: 5, retries: 1 }), nameWith({}));
  const local = { source: 'local', projectId: 'p1' } as const;
  const [one, other] = ['http://127.0.0.1:1', 'http://127.0.0.1:2'].map(baseUrl => nameWith({ ...local, baseUrl }));
  assert.equal(one, other);
});

test('the name of a file shows neither address nor project', () => {
  assert.match(nameWith({}), /^[\da-f]{32}\.json$/);
});
