import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type ColumnChoice, listedTexts, valuesInTable } from '../../../src/model/generating/columnChoice.ts';
import { type GeneratedTable, readGeneratedTable } from '../../../src/model/generating/generatedTable.ts';
import { generateRows } from '../../../src/model/generating/generateRows.ts';
import { addGenerated, generatedFile } from '../../support/generatedRows.ts';
import { ImportFolder } from '../../support/importSource.ts';
import { startTestService } from '../../support/testService.ts';

const { client, projectId } = await startTestService();
const folder = new ImportFolder();

const run = async (sql: string): Promise<unknown[][]> => {
  const { rows } = await client.execSql(projectId, { sql });
  return rows.map(row => Object.values(row));
};

/** Generates rows, writes them, and checks that the service takes all of them. */
async function fill(table: string, count: number, seed = 7) {
  const choice = { client, projectId, folder: folder.path, table, seed, count };
  const file = await generatedFile(choice);
  assert.deepEqual(await addGenerated(choice, file), [], table);
  return file;
}

test('values fit the names, types and checks of their columns', async () => {
  await run(`CREATE TABLE people (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    email TEXT NOT NULL UNIQUE,
    first_name VARCHAR(20) NOT NULL,
    born DATE NOT NULL,
    created_at TEXT NOT NULL,
    age INTEGER NOT NULL CHECK (age BETWEEN 20 AND 30),
    price DECIMAL(8, 2) NOT NULL CHECK (price > 0),
    state TEXT NOT NULL CHECK (state IN ('new', 'it''s', 'done')),
    code TEXT NOT NULL CHECK (length(code) = 4) UNIQUE,
    zip TEXT NOT NULL CHECK (zip GLOB '[0-9][0-9][0-9]-[A-Z]'),
    is_active BOOLEAN NOT NULL,
    low INT NOT NULL, high INT NOT NULL,
    note TEXT,
    twice INT AS (age * 2),
    CHECK (low < high),
    CHECK (age % 2 = 0))`);
  const { rowCount, limit, definitionFault } = await fill('people', 500);
  assert.deepEqual([rowCount, limit, definitionFault], [500, undefined, undefined]);
  const [facts] =
    await run(`SELECT count(*), count(DISTINCT id), max(id), count(*) FILTER (WHERE email LIKE '%@example.%'),
    count(*) FILTER (WHERE date(born) IS born), count(*) FILTER (WHERE datetime(created_at) IS created_at),
    count(*) FILTER (WHERE price = round(price, 2)), count(DISTINCT state), count(DISTINCT age), count(DISTINCT is_active),
    sum(note IS NULL) > 0 AND sum(note IS NULL) < 150 FROM people`);
  assert.deepEqual(facts, [500, 500, 500, 500, 500, 500, 500, 3, 6, 2, 1]);
});

test('a unique time of day has as many values as a day has seconds', async () => {
  await run('CREATE TABLE alarms (at TIME NOT NULL UNIQUE)');
  const { rowCount, limit } = await generatedFile({
    client,
    projectId,
    folder: folder.path,
    table: 'alarms',
    seed: 7,
    count: 86_401,
  });
  assert.deepEqual([rowCount, limit?.kind], [86_400, 'keysExhausted']);
});

test('the same seed gives the same rows, and another seed gives others', async () => {
  const choice = { client, projectId, folder: folder.path, table: 'people', seed: 41, count: 50 };
  const first = await generatedFile(choice);
  assert.deepEqual((await generatedFile(choice)).rows, first.rows);
  assert.deepEqual((await generatedFile({ ...choice, count: 10 })).rows, first.rows.slice(0, 10));
  assert.notDeepEqual((await generatedFile({ ...choice, seed: 42 })).rows, first.rows);
});

test('keys continue after those of the table, also when the same seed is used twice', async () => {
  await run(
    'CREATE TABLE numbered (id INTEGER NOT NULL, name TEXT PRIMARY KEY, r REAL UNIQUE, b BLOB UNIQUE, UNIQUE (id)) STRICT',
  );
  await run(`INSERT INTO numbered VALUES (1000, 'present', 0.5, x'00')`);
  for (let round = 0; round < 3; round++) await fill('numbered', 100);
  assert.deepEqual(await run('SELECT count(*), min(id), max(id) FROM numbered'), [[301, 1000, 1300]]);
});

test('foreign keys refer to rows that are there, also with several columns and among few combinations', async () => {
  await run('CREATE TABLE groups (a INT, b TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID');
  await run(`INSERT INTO groups VALUES (1, 'x'), (1, 'y'), (2, 'x')`);
  await run('CREATE TABLE tags (id INTEGER PRIMARY KEY, parent INT REFERENCES tags)');
  await fill('tags', 5);
  await fill('tags', 20);
  await run(`CREATE TABLE members (ga INT NOT NULL, gb TEXT NOT NULL, tag INT NOT NULL REFERENCES tags(id),
    PRIMARY KEY (ga, gb, tag), FOREIGN KEY (ga, gb) REFERENCES groups)`);
  await run(`INSERT INTO members VALUES (1, 'y', 3), (2, 'x', 7)`);
  await fill('members', 40);
  const { rowCount, limit } = await fill('members', 100, 8);
  assert.deepEqual([rowCount, limit?.kind], [3 * 25 - 42, 'keysExhausted']);
  assert.deepEqual(await run('SELECT count(*) FROM members'), [[75]]);
  assert.deepEqual(await run('SELECT * FROM pragma_foreign_key_check'), []);
});

test('a table that must refer to an empty table says so, and one that must refer to itself begins with itself', async () => {
  await run('CREATE TABLE empty (id INTEGER PRIMARY KEY)');
  await run('CREATE TABLE needs (id INTEGER PRIMARY KEY, e INT NOT NULL REFERENCES empty)');
  await assert.rejects(fill('needs', 1), { code: 'no_referenced_rows', message: /Generate rows for that table first/ });
  await fill('empty', 3);
  await fill('empty', 3);
  assert.deepEqual(await run('SELECT max(id) FROM empty'), [[6]]);
  await run('CREATE TABLE nodes (id INTEGER PRIMARY KEY, parent INT NOT NULL REFERENCES nodes)');
  await fill('nodes', 10);
  assert.deepEqual(await run('SELECT count(*), sum(id = parent) FROM nodes'), [[10, 10]]);
});

test('a check that no row passes is reported, and one with an unknown function leaves the rows to the service', async () => {
  await run('CREATE TABLE never (a INT NOT NULL CHECK (a > 5 AND a < 3 AND a * 0 = 1))');
  const choice = { client, projectId, folder: folder.path, seed: 1, count: 5 };
  const { rowCount, limit } = await generatedFile({ ...choice, table: 'never' });
  assert.deepEqual([rowCount, limit?.kind], [0, 'refused']);
  await run('CREATE TABLE other (id INTEGER PRIMARY KEY, a TEXT NOT NULL)');
  const other = await readGeneratedTable(client.project(projectId), 'other');
  const definition = 'CREATE TABLE other (id INTEGER PRIMARY KEY, a TEXT NOT NULL CHECK (only_there(a)))';
  const path = join(folder.path, 'untried.db');
  const untried = await generateRows({ table: { ...other, definition }, seed: 1, count: 5, path });
  assert.deepEqual([untried.rowCount, untried.definitionFault], [5, 'no such function: only_there']);
});

test('rows of a unique index on an expression or on some rows differ', async () => {
  await run(
    'CREATE TABLE indexed (name TEXT NOT NULL COLLATE NOCASE, kind TEXT NOT NULL, n INT CHECK (n IN (1, 2, 3)))',
  );
  await run('CREATE UNIQUE INDEX indexed_name ON indexed (lower(name) || kind)');
  await run('CREATE UNIQUE INDEX indexed_n ON indexed (kind) WHERE n = 1');
  const { rowCount } = await fill('indexed', 60);
  assert.equal(rowCount, 60);
});

test('definitions of a hostile service create nothing but their table on this machine', async () => {
  await run('CREATE TABLE taken_over (id INTEGER PRIMARY KEY, code TEXT UNIQUE)');
  const table = await readGeneratedTable(client.project(projectId), 'taken_over');
  const target = join(folder.path, 'attached.db');
  const attack = `ATTACH DATABASE '${target}' AS x; CREATE TABLE x.t (a)`;
  const asType = { ...table.columns[1]!, type: `TEXT); ${attack}; --` };
  const indexed = (sql: string): GeneratedTable => ({ ...table, uniqueIndexes: [{ kind: 'index', name: 'i', sql }] });
  const attacks = [
    { ...table, definition: `${table.definition}; ${attack}` },
    { ...table, definition: attack },
    {
      ...table,
      definition:
        'CREATE TABLE taken_over AS WITH RECURSIVE i(id) AS (SELECT 1 UNION ALL SELECT id FROM i) SELECT id FROM i',
    },
    indexed(`CREATE UNIQUE INDEX i ON taken_over (code); ${attack}`),
    indexed('CREATE UNIQUE INDEX other ON taken_over (code)'),
    { ...table, definition: 'not a statement', columns: [table.columns[0]!, asType] },
  ];
  for (const [place, hostile] of attacks.entries()) {
    const path = join(folder.path, `hostile ${place}.db`);
    const { rowCount, definitionFault } = await generateRows({ table: hostile, seed: 1, count: 5, path });
    assert.equal(rowCount, 5);
    assert.ok(definitionFault !== undefined, `attack ${place}`);
    assert.equal(existsSync(target), false, `attack ${place}`);
  }
});

test('tables that refer to each other get rows where NULL is allowed, and otherwise the message says why they cannot', async () => {
  await run('CREATE TABLE hens (id INTEGER PRIMARY KEY, egg INTEGER REFERENCES eggs)');
  await run('CREATE TABLE eggs (id INTEGER PRIMARY KEY, hen INTEGER NOT NULL REFERENCES hens)');
  await fill('hens', 5);
  await fill('eggs', 5);
  await fill('hens', 50);
  assert.deepEqual(await run('SELECT count(*), count(egg) > 0 FROM hens'), [[55, 1]]);
  await run('CREATE TABLE keys (id INTEGER PRIMARY KEY, lock INTEGER NOT NULL REFERENCES locks)');
  await run('CREATE TABLE locks (id INTEGER PRIMARY KEY, key INTEGER NOT NULL REFERENCES keys)');
  await assert.rejects(fill('keys', 1), {
    code: 'no_referenced_rows',
    message: /^'lock' refers to 'locks', which has no rows and needs rows of 'keys' for them\./,
  });
});

test('a column has the values that the user chose: those of another name, of a list, or of another table', async () => {
  await run(`CREATE TABLE shelves (label TEXT UNIQUE, size INT)`);
  await run(`INSERT INTO shelves VALUES ('a', 1), ('b', 2), (NULL, 3), ('a b', 2)`);
  await run(`CREATE TABLE boxes (id INTEGER PRIMARY KEY, owner TEXT, kind TEXT, shelf TEXT, size, color TEXT UNIQUE)`);
  const project = client.project(projectId);
  const choices = new Map<string, ColumnChoice>([
    ['owner', { kind: 'named', name: 'email' }],
    ['kind', { kind: 'list', values: listedTexts(' big, small,, ') }],
    ['shelf', { kind: 'list', values: await valuesInTable(project, { table: 'shelves', column: 'label' }) }],
    ['size', { kind: 'list', values: await valuesInTable(project, { table: 'shelves', column: 'size' }) }],
    ['color', { kind: 'list', values: ['red', 'green', 'blue'] }],
  ]);
  const choice = { client, projectId, folder: folder.path, table: 'boxes', seed: 7, count: 50, choices };
  const file = await generatedFile(choice);
  assert.deepEqual([file.rowCount, file.limit], [3, { kind: 'keysExhausted' }]);
  choices.delete('color');
  const all = await generatedFile(choice);
  assert.deepEqual(await addGenerated(choice, all), []);
  const [facts] = await run(`SELECT count(*) FILTER (WHERE owner LIKE '%@example.%'),
    group_concat(DISTINCT kind ORDER BY kind), group_concat(DISTINCT shelf ORDER BY shelf),
    group_concat(DISTINCT size ORDER BY size), group_concat(DISTINCT typeof(size)) FROM boxes`);
  assert.deepEqual(facts, [50, 'big,small', 'a,a b,b', '1,2,3', 'integer']);
});
