import assert from 'node:assert/strict';
import { test } from 'node:test';
import { migrationParts, type MigrationPart } from '../../../src/model/shaping/migrationScript.ts';
import { differingOwners, diffSchemas } from '../../../src/model/shaping/schemaDiff.ts';
import { ShapedDatabase } from '../../support/shapedDatabase.ts';

const differences = (from: ShapedDatabase, to: ShapedDatabase): string[] =>
  diffSchemas(from.schema, to.schema).map(({ kind, name, from: old, to: wanted }) => {
    if (!old) return `+ ${kind} ${name}`;
    return `${wanted ? '~' : '-'} ${kind} ${name}`;
  });

/** Runs the statements of a migration, without its comments. */
async function migrate(from: ShapedDatabase, to: ShapedDatabase): Promise<readonly MigrationPart[]> {
  const parts = await migrationParts(from.schema, to.schema);
  for (const { statements, isCommentedOut } of parts) if (!isCommentedOut) for (const sql of statements) from.run(sql);
  return parts;
}

test('spaces, quotes, comments and the case of keywords make no difference', () => {
  using from = new ShapedDatabase(
    `CREATE TABLE t (a INTEGER, "b" TEXT DEFAULT 'x', [key] TEXT); CREATE INDEX i ON t (a)`,
  );
  using to = new ShapedDatabase(`create table "t" (
      a INTEGER, -- the first
      b TEXT default 'x',
      KEY TEXT
    ); CREATE /* plain */ INDEX "i" ON [t] ("a")`);
  assert.deepEqual(differences(from, to), []);
  from.run('ALTER TABLE t RENAME TO u');
  from.run('ALTER TABLE u RENAME TO t');
  assert.deepEqual(differences(from, to), []);
});

test('a new object whose definition is a query without end is refused at once, and is a comment in the script', async () => {
  const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n';
  for (const sql of [endless, `CREATE TABLE t AS ${endless}`, `CREATE TABLE t (a); DROP TABLE kept`]) {
    const kept = { kind: 'table', name: 'kept', table: 'kept', sql: 'CREATE TABLE kept (a)' } as const;
    const parts = await migrationParts([kept], [kept, { kind: 'table', name: 't', table: 't', sql }]);
    assert.deepEqual(
      parts.map(({ name, isCommentedOut, refusals }) => [name, isCommentedOut, refusals]),
      [
        [
          't',
          true,
          [
            {
              code: 'refusedBySqlite',
              subject: 't',
              other: 'its definition is not one statement that only creates it',
            },
          ],
        ],
      ],
    );
  }
});

test('the order of columns, literals and the case of names are differences', () => {
  const base = `CREATE TABLE t (a INTEGER, b TEXT DEFAULT 'x')`;
  for (const other of [
    `CREATE TABLE t (b TEXT DEFAULT 'x', a INTEGER)`,
    `CREATE TABLE t (a INTEGER, b TEXT DEFAULT 'X')`,
    `CREATE TABLE t (A INTEGER, b TEXT DEFAULT 'x')`,
    `CREATE TABLE t (a INTEGER, b TEXT DEFAULT "x")`,
  ]) {
    using from = new ShapedDatabase(base);
    const to = { kind: 'table', name: 't', table: 't', sql: other } as const;
    assert.equal(diffSchemas(from.schema, [to]).length, 1, other);
  }
});

test('objects are shown in the documents of their tables and views', () => {
  using from =
    new ShapedDatabase(`CREATE TABLE both (a); CREATE INDEX i ON both (a); CREATE TABLE gone (a); CREATE VIEW swapped AS SELECT 1;
    CREATE VIRTUAL TABLE words USING fts5(a)`);
  using to =
    new ShapedDatabase(`CREATE TABLE both (a); CREATE TRIGGER t AFTER INSERT ON both BEGIN SELECT 1; END; CREATE TABLE swapped (a);
    CREATE VIEW added AS SELECT 1`);
  assert.deepEqual(differences(from, to), [
    '- index i',
    '- table gone',
    '+ table swapped',
    '- table words',
    '+ trigger t',
    '+ view added',
    '- view swapped',
  ]);
  const owners = differingOwners(diffSchemas(from.schema, to.schema), from.schema, to.schema);
  const shown = owners.map(({ kind, name, isInFrom, isInTo }) => [kind, name, isInFrom, isInTo]);
  assert.deepEqual(shown, [
    ['view', 'added', false, true],
    ['table', 'both', true, true],
    ['table', 'gone', true, false],
    ['view', 'swapped', true, false],
    ['table', 'swapped', false, true],
    ['table', 'words', true, false],
  ]);
});

const oldSchema = `
  CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, phone TEXT);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER REFERENCES customers ON DELETE CASCADE, price TEXT);
  CREATE TABLE legacy (a);
  CREATE INDEX by_phone ON customers (phone);
  CREATE VIEW prices AS SELECT price FROM orders;
  CREATE TRIGGER prices_insert INSTEAD OF INSERT ON prices BEGIN INSERT INTO orders (price) VALUES (new.price); END;
  INSERT INTO customers VALUES (1, 'Ann', '1'), (2, 'Bob', NULL);
  INSERT INTO orders VALUES (1, 1, '5.50'), (2, 2, 'free');
  INSERT INTO legacy VALUES ('kept')`;
const newSchema = `
  CREATE VIEW regional AS SELECT * FROM totals WHERE region = 1;
  CREATE VIEW totals AS SELECT customers.region, count(*) AS orders FROM orders JOIN customers ON customer = customers.id;
  CREATE TABLE regions (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
  CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, region INTEGER REFERENCES regions);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER REFERENCES customers ON DELETE CASCADE, price TEXT, note TEXT);
  CREATE UNIQUE INDEX by_name ON customers (name);
  CREATE VIEW prices AS SELECT price, note FROM orders;
  CREATE TRIGGER prices_insert INSTEAD OF INSERT ON prices BEGIN INSERT INTO orders (price) VALUES (new.price); END;
  CREATE TRIGGER noted AFTER INSERT ON orders BEGIN UPDATE orders SET note = 'new' WHERE id = new.id; END`;

test('a migration gives a project the schema of another one and keeps its rows', async () => {
  using from = new ShapedDatabase(oldSchema);
  using to = new ShapedDatabase(newSchema);
  const parts = await migrate(from, to);
  // The column that only the old schema has keeps its values.
  assert.deepEqual(differences(from, to), ['~ table customers', '- table legacy']);
  assert.deepEqual(from.query('SELECT phone FROM customers'), [['1'], [null]]);
  assert.deepEqual(from.query('SELECT * FROM orders'), [
    [1n, 1n, '5.50', null],
    [2n, 2n, 'free', null],
  ]);
  assert.deepEqual(from.query('SELECT id, name FROM customers'), [
    [1n, 'Ann'],
    [2n, 'Bob'],
  ]);
  const last = parts.at(-1);
  assert.deepEqual([last?.kind, last?.name, last?.isCommentedOut], ['drop', 'legacy', true]);
  const lost = parts.flatMap(({ warnings }) => warnings).filter(({ code }) => code === 'columnDropped');
  assert.deepEqual(
    lost.map(({ subject }) => subject),
    ['phone'],
  );
  const loss = parts.filter(({ losesValues }) => losesValues === true);
  assert.deepEqual(
    loss.map(({ name, isCommentedOut }) => [name, isCommentedOut]),
    [['customers', true]],
  );
  for (const sql of loss.flatMap(({ statements }) => statements)) from.run(sql);
  assert.deepEqual(differences(from, to), ['- table legacy']);
  assert.deepEqual(await migrationParts(to.schema, to.schema), []);
});

test('a trigger of a view that stays is replaced', async () => {
  const base = 'CREATE TABLE t (a); CREATE VIEW v AS SELECT a FROM t';
  using from = new ShapedDatabase(`${base}; CREATE TRIGGER i INSTEAD OF INSERT ON v BEGIN SELECT 1; END`);
  using to = new ShapedDatabase(
    `${base}; CREATE TRIGGER i INSTEAD OF INSERT ON v BEGIN INSERT INTO t VALUES (new.a); END`,
  );
  await migrate(from, to);
  assert.deepEqual(differences(from, to), []);
  from.run('INSERT INTO v VALUES (1)');
  assert.deepEqual(from.query('SELECT * FROM t'), [[1n]]);
});

test('the way back works as well', async () => {
  using from = new ShapedDatabase(newSchema);
  using to = new ShapedDatabase(oldSchema);
  from.run(`INSERT INTO customers VALUES (1, 'Ann', NULL)`);
  const parts = await migrate(from, to);
  assert.deepEqual(differences(from, to), [
    '~ table customers',
    '~ table orders',
    '- table regions',
    '- view regional',
    '- view totals',
  ]);
  assert.deepEqual(from.query('SELECT id, name, region, phone FROM customers'), [[1n, 'Ann', null, null]]);
  const losing = parts.filter(({ losesValues }) => losesValues === true).map(({ name }) => name);
  assert.deepEqual(losing, ['customers', 'orders']);
});

test('a view that keeps a table from changing is dropped first, and the script has its statement', async () => {
  using from = new ShapedDatabase(`CREATE TABLE t (a INTEGER, twice INTEGER AS (a * 2));
    CREATE VIEW doubles AS SELECT twice FROM t; INSERT INTO t VALUES (1)`);
  using to = new ShapedDatabase('CREATE TABLE t (a INTEGER)');
  const parts = await migrate(from, to);
  assert.deepEqual(differences(from, to), []);
  assert.deepEqual(from.query('SELECT * FROM t'), [[1n]]);
  const lost = parts.filter(({ lostSql }) => lostSql !== undefined).map(({ name }) => name);
  assert.deepEqual(lost, ['doubles']);
});

test('columns are renamed before other tables refer to them, and unclear ones are not', async () => {
  using from = new ShapedDatabase(`CREATE TABLE child (parent REFERENCES parent (code), first TEXT, last TEXT);
    CREATE TABLE parent (code INTEGER PRIMARY KEY, a TEXT, b INTEGER);
    INSERT INTO parent VALUES (7, 'x', 1); INSERT INTO child VALUES (7, 'Ann', 'Lee')`);
  using to = new ShapedDatabase(`CREATE TABLE child (parent REFERENCES parent (id), name TEXT);
    CREATE TABLE parent (id INTEGER PRIMARY KEY, c INTEGER, b INTEGER)`);
  const parts = await migrate(from, to);
  assert.deepEqual(
    parts.flatMap(({ renames = [] }) => renames),
    [{ from: 'code', to: 'id' }],
  );
  assert.deepEqual(from.query('SELECT id, a, c, b FROM parent'), [[7n, 'x', null, 1n]]);
  assert.deepEqual(from.query('SELECT parent, first, last, name FROM child'), [[7n, 'Ann', 'Lee', null]]);
  assert.deepEqual(differences(from, to), ['~ table child', '~ table parent']);
});

test('tables that cannot keep their rows are comments, and the rest still works', async () => {
  using from =
    new ShapedDatabase(`CREATE VIRTUAL TABLE words USING fts5(a); CREATE TABLE t (a TEXT); INSERT INTO t VALUES ('x');
    CREATE TABLE a (b REFERENCES b); CREATE TABLE b (id INTEGER PRIMARY KEY, a REFERENCES a (b), n)`);
  using to = new ShapedDatabase(`CREATE VIRTUAL TABLE words USING fts5(a, b); CREATE TABLE t (a TEXT, b);
    CREATE TABLE a (b REFERENCES b); CREATE TABLE b (id INTEGER PRIMARY KEY, a REFERENCES a (b), n TEXT)`);
  const parts = await migrate(from, to);
  const commented = parts.filter(({ isCommentedOut }) => isCommentedOut);
  assert.deepEqual(
    commented.map(({ name, refusals }) => [
      name,
      refusals.map(refusal => (typeof refusal === 'string' ? refusal : refusal.code)),
    ]),
    [
      ['b', ['foreignKeyCycle']],
      ['words', ['virtualTable']],
    ],
  );
  assert.deepEqual(from.query('SELECT * FROM t'), [['x', null]]);
});
