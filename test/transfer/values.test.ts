import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { seeded } from '../fuzz/random.ts';
import { randomInsert, randomTable } from '../fuzz/randomTables.ts';
import { type EngineName, EngineServices } from '../support/engineServices.ts';
import { contentOf, emptyProject, makeFile, uploadFrom } from '../support/transferProject.ts';

const services = await EngineServices.start();

const routes: readonly (readonly EngineName[])[] = [
  ['sqlite', 'worker', 'sqlite'],
  ['worker', 'sqlite', 'worker'],
];

for (const [nth, route] of routes.entries()) {
  test(`random tables are the same after they were on ${route.join(', then on ')}`, async () => {
    const random = seeded(nth + 1);
    const statements: string[] = [];
    for (let table = 0; table < 4; table++) {
      const name = `t${table}`;
      const made = randomTable(random, name);
      statements.push(...made.create, randomInsert(random, name, made, 40), randomInsert(random, name, made, 40));
    }
    const file = join(services.folder, `random-${nth}.sqlite`);
    makeFile(file, statements);
    assert.deepEqual(await services.contentBehind(file, route), contentOf(file));
  });
}

/** Values and tables that are easily moved wrongly. */
const shop: readonly string[] = [
  `CREATE TABLE numbers (a, b REAL, c INTEGER)`,
  `INSERT INTO numbers VALUES (9223372036854775807, -0.0, -9223372036854775808), (-0.0, 1e400, 9007199254740993),
    (5, 5, 5), (5.0, -1e400, NULL), (x'00ff', 0.1, ''), (NULL, 5e-324, x''), ('', 1.7976931348623157e308, 'x')`,
  `INSERT INTO numbers (rowid, a) VALUES (-7, 'negative'), (0, 'zero'), (1000000000000, 'far')`,
  `INSERT INTO numbers (a, b, c) VALUES ('a' || char(0) || 'b', 1, char(0)), ('it''s "x" \\ \n 😀', 2, '\u{fffd}')`,
  `INSERT INTO numbers (a) VALUES (CAST(x'ff61' AS TEXT)), (CAST(x'eda080' AS TEXT)), (CAST(x'f09f98' AS TEXT))`,
  `CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT)`,
  `INSERT INTO counted VALUES (3, 'c'), (900, 'deleted')`,
  `DELETE FROM counted WHERE id = 900`,
  `CREATE TABLE empty_counted (id INTEGER PRIMARY KEY AUTOINCREMENT)`,
  `INSERT INTO empty_counted VALUES (77)`,
  `DELETE FROM empty_counted`,
  `CREATE TABLE computed (price REAL, twice REAL AS (price * 2), kept TEXT AS ('<' || price || '>') STORED)`,
  `INSERT INTO computed (price) VALUES (1.5), (NULL)`,
  `CREATE TABLE keyed (a TEXT COLLATE NOCASE, b BLOB, c, PRIMARY KEY (a, b)) WITHOUT ROWID`,
  `INSERT INTO keyed VALUES ('A', x'01', 1), ('a', x'02', 2), ('b', x'', 3), (CAST(x'ff' AS TEXT), x'03', 4)`,
  `CREATE TABLE strict_one (i INT, r REAL, t TEXT, b BLOB, x ANY) STRICT`,
  `INSERT INTO strict_one VALUES (1, 1, '1', x'31', '1'), (NULL, -0.0, '', x'', 1.0)`,
  `CREATE TABLE taken (rowid TEXT, oid, _rowid_)`,
  `INSERT INTO taken VALUES ('a', 1, 1), ('a', 1, 1), ('b', -0.0, 0)`,
  `CREATE TABLE wide (${Array.from({ length: 99 }, (_, nth) => `c${nth}`).join(', ')})`,
  `INSERT INTO wide VALUES (-0.0, 1e400, x'00', 'a' || char(0), NULL, 9223372036854775807, ${Array.from({ length: 93 }, (_, nth) => nth / 3).join(', ')})`,
  `CREATE TABLE widest (${Array.from({ length: 100 }, (_, nth) => `c${nth}`).join(', ')})`,
  `INSERT INTO widest (c0, c99) VALUES (0.1, 'x'), (CAST(x'ff' AS TEXT), -1e400)`,
  `CREATE TABLE long_values (id INTEGER PRIMARY KEY, text TEXT, bytes BLOB)`,
  `INSERT INTO long_values VALUES (2, 'short', x''), (4, hex(zeroblob(400000)), randomblob(500000))`,
  `CREATE VIRTUAL TABLE notes USING fts5(title, body UNINDEXED, tokenize = 'porter')`,
  `INSERT INTO notes (rowid, title, body) VALUES (4, 'running dogs', 'a'), (-2, 'cats', NULL)`,
  `CREATE VIRTUAL TABLE names USING fts5(name, content='counted', content_rowid='id')`,
  `INSERT INTO names (names) VALUES ('rebuild')`,
];

/** Longer than the platform of Workers takes. */
const longRows: readonly string[] = [
  `INSERT INTO long_values VALUES (1, replace(hex(zeroblob(600000)), '0', 'é'), randomblob(3000000))`,
  `INSERT INTO long_values VALUES (3, CAST(randomblob(1200000) AS TEXT), zeroblob(600000))`,
];

/** Tables that refer to others and to themselves, with what belongs to them. */
const family: readonly string[] = [
  `CREATE TABLE a_child (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parents (code))`,
  `CREATE TABLE parents (id INTEGER PRIMARY KEY, code INTEGER)`,
  `CREATE UNIQUE INDEX parents_code ON parents (code)`,
  `CREATE TABLE tree (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES tree, twin INTEGER REFERENCES tree (id))`,
  `INSERT INTO parents SELECT value, value * 2 FROM json_each('[1,2,3]')`,
  `INSERT INTO a_child SELECT id, code FROM parents`,
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
    INSERT INTO tree SELECT i, CASE WHEN i < 5000 THEN i + 1 END, CASE WHEN i % 7 = 0 THEN i END FROM n`,
  `CREATE TABLE log (text TEXT NOT NULL CHECK (length(text) < 50))`,
  `CREATE VIEW codes (code) AS SELECT code FROM parents`,
  `CREATE TRIGGER on_insert AFTER INSERT ON parents BEGIN INSERT INTO log VALUES ('inserted ' || new.id); END`,
  `CREATE TRIGGER on_view INSTEAD OF INSERT ON codes BEGIN INSERT INTO parents (code) VALUES (new.code); END`,
  `CREATE INDEX tree_parent ON tree (parent) WHERE parent IS NOT NULL`,
];

for (const engine of ['sqlite', 'worker'] as const) {
  test(`values, row ids, sequences and all kinds of tables stay exact on ${engine}`, async () => {
    const file = join(services.folder, `shop-${engine}.sqlite`);
    const takesLongRows = engine === 'sqlite';
    makeFile(file, takesLongRows ? [...shop, ...longRows] : shop);
    assert.deepEqual(await services.contentBehind(file, [engine]), contentOf(file));
  });

  test(`rows that refer to others are taken by ${engine}, and its triggers do not fire for them`, async () => {
    const file = join(services.folder, `family-${engine}.sqlite`);
    makeFile(file, family);
    assert.deepEqual(await services.contentBehind(file, [engine]), contentOf(file));
  });
}

test('an object beyond the limits of the Worker is named before the first row', async () => {
  const file = join(services.folder, 'beyond.sqlite');
  makeFile(file, [
    'CREATE TABLE fits (a)',
    `CREATE TABLE many (${Array.from({ length: 101 }, (_, nth) => `c${nth}`).join(', ')})`,
    `CREATE TABLE gaps (${Array.from({ length: 100 }, (_, nth) => `c${nth}`).join(', ')})`,
    'INSERT INTO gaps (rowid) VALUES (1), (3)',
    'CREATE TABLE long_row (a, b)',
    'INSERT INTO long_row VALUES (zeroblob(5000000), zeroblob(5000000))',
    `CREATE VIEW long_text AS SELECT '${'x'.repeat(100_000)}'`,
  ]);
  const target = await emptyProject(services.of('worker'));
  await assert.rejects(uploadFrom(target, file), {
    code: 'cannot_move',
    message: [
      'These cannot be moved, so nothing was written:',
      '  long_text: its statement is longer than 100000 bytes',
      '  gaps: it has 100 columns, and row ids with gaps, which do not fit into a statement of 100 columns',
      '  long_row: a row is longer than 2000000 bytes',
      '  many: it has 101 columns, and the service takes 100',
    ].join('\n'),
  });
  assert.deepEqual([...(await target.project.tables())], []);
});
