import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseStatement } from '../../../src/sql/parser/parser.ts';
import { statementsWithinBudget } from '../../../src/sql/parser/parseBudget.ts';
import { Schema } from '../../../src/sql/schema/schema.ts';
import { systemTables } from '../../../src/sql/tables/systemTables.ts';
import { quoteIdentifier } from '../../../src/sql/text/quoting.ts';
import { openWasmDatabase } from '../../support/wasmDatabase.ts';
import { ddl } from '../corpus.ts';

/** The columns that SQLite reports. */
async function sqliteColumns(schemaText: string): Promise<(table: string) => string[]> {
  const database = await openWasmDatabase();
  if (schemaText !== '') database.exec(schemaText);
  return table => {
    const statement = database.prepare(`SELECT * FROM ${quoteIdentifier(table)}`);
    try {
      return statement.getColumnNames();
    } finally {
      statement.finalize();
    }
  };
}

const columnsOf = (schema: Schema, table: string): string[] | undefined =>
  schema.table(table)?.columns.map(({ name }) => name);

test('the schema of DDL has the columns that SQLite reports', async () => {
  const oracleColumns = await sqliteColumns(ddl);
  const schema = Schema.of(ddl);
  for (const { name } of schema.tables) assert.deepEqual(columnsOf(schema, name), oracleColumns(name), name);
});

test('system tables and table-valued functions have the columns that SQLite reports', async () => {
  const oracleColumns = await sqliteColumns('');
  for (const { name, columns } of systemTables.values()) {
    assert.deepEqual(
      columns.map(column => column.name),
      oracleColumns(name),
      name,
    );
  }
});

test('a view has the columns of its query, through stars, subqueries, common tables and other views', () => {
  const schema = Schema.of(`${ddl}
    CREATE VIEW stars AS SELECT u.*, p.title AS headline FROM users u JOIN posts p ON p.user_id = u.id;
    CREATE VIEW above AS WITH a AS (SELECT id, headline FROM stars) SELECT *, count(*), max(id) AS top FROM a;
    CREATE VIEW named(one, two) AS SELECT 1, 2;
    CREATE VIEW joined AS SELECT * FROM users JOIN posts USING (id, created_at);
    CREATE VIEW nested AS SELECT * FROM (SELECT v.column1 AS x FROM (VALUES (1, 2)) v);`);
  assert.deepEqual(columnsOf(schema, 'above'), ['id', 'headline', 'top']);
  assert.deepEqual(columnsOf(schema, 'stars')?.at(-1), 'headline');
  assert.deepEqual(columnsOf(schema, 'NAMED'), ['one', 'two']);
  assert.deepEqual(columnsOf(schema, 'nested'), ['x']);
  const joined = 'id name email active created_at meta user_id title body published';
  assert.deepEqual(columnsOf(schema, 'joined'), joined.split(' '));
});

test('circular views and views that double their columns end', () => {
  const doubled = Array.from({ length: 40 }, (_, n) => `CREATE VIEW v${n + 1} AS SELECT * FROM v${n}, v${n} AS again;`);
  const schema = Schema.of(`
    CREATE VIEW a AS SELECT * FROM b; CREATE VIEW b AS SELECT * FROM a;
    CREATE TABLE v0(x, y); ${doubled.join('\n')}
    CREATE VIEW deep AS ${'SELECT * FROM ('.repeat(500)}SELECT 1 AS one${')'.repeat(500)};`);
  assert.deepEqual(columnsOf(schema, 'a'), []);
  assert.equal(columnsOf(schema, 'v40')?.length, 2000);
  assert.deepEqual(columnsOf(schema, 'deep'), []);
});

test('DDL creates, renames, adds and drops without changing the schema before', () => {
  const before = Schema.of(
    'CREATE TABLE a(x INT, y TEXT REFERENCES b(z)); CREATE INDEX i ON a(x); CREATE TABLE gone(x)',
  );
  const after = Schema.of(`
    CREATE TABLE a(x INT, y TEXT REFERENCES b(z)); CREATE INDEX i ON a(x); CREATE TABLE gone(x);
    ALTER TABLE a ADD COLUMN w REAL; ALTER TABLE a RENAME COLUMN x TO xx; ALTER TABLE a DROP COLUMN y;
    ALTER TABLE a RENAME TO aa; DROP TABLE IF EXISTS gone; DROP INDEX i; CREATE TABLE made AS SELECT w FROM aa;`);
  assert.deepEqual(columnsOf(before, 'a'), ['x', 'y']);
  assert.deepEqual(before.table('A')?.foreignKeys, [{ columns: ['y'], table: 'b', references: ['z'] }]);
  assert.deepEqual(
    [...after.tables].map(({ name }) => name),
    ['aa', 'made'],
  );
  assert.deepEqual(columnsOf(after, 'aa'), ['xx', 'w']);
  assert.deepEqual(
    after.table('made')?.columns.map(({ name, type }) => [name, type]),
    [['w', 'REAL']],
  );
  assert.deepEqual([...after.indexes], []);
});

test('virtual tables have the columns of their arguments, without options', () => {
  const schema = Schema.of(`
    CREATE VIRTUAL TABLE f USING fts5(title, "the body" UNINDEXED, note UNINDEXED, tokenize = 'porter ascii', prefix='2 3');
    CREATE VIRTUAL TABLE r USING rtree(id, low, high, +label TEXT);`);
  assert.deepEqual(columnsOf(schema, 'f'), ['title', 'the body', 'note']);
  assert.deepEqual(columnsOf(schema, 'r')?.slice(0, 3), ['id', 'low', 'high']);
});

test('foreign keys follow renamed tables and columns, and a dropped table takes its indexes and triggers along', () => {
  const schema = Schema.of(`
    CREATE TABLE users(id INTEGER PRIMARY KEY); CREATE TABLE orders(user_id REFERENCES users(id), x); CREATE INDEX i ON orders(x);
    CREATE TRIGGER t AFTER INSERT ON orders BEGIN SELECT 1; END;
    ALTER TABLE users RENAME TO people; ALTER TABLE orders RENAME COLUMN user_id TO owner; ALTER TABLE people RENAME COLUMN id TO key;
    ALTER TABLE orders ADD COLUMN other REFERENCES people;`);
  assert.deepEqual(schema.table('orders')?.foreignKeys, [
    { columns: ['owner'], table: 'people', references: ['key'] },
    { columns: ['other'], table: 'people', references: [] },
  ]);
  assert.deepEqual(schema.table('people')?.primaryKey, ['key']);
  const drop = parseStatement('DROP TABLE orders').ast!;
  assert.deepEqual([...schema.after([drop]).indexes, ...schema.after([drop]).triggers], []);
});

test('names ignore the case of ASCII letters only', () => {
  const schema = Schema.of('CREATE TABLE É(a); CREATE TABLE é(b);');
  assert.deepEqual([columnsOf(schema, 'É'), columnsOf(schema, 'é')], [['a'], ['b']]);
});

const tableOf = (name: string, columnCount: number): string =>
  `CREATE TABLE ${name}(${Array.from({ length: columnCount }, (_, index) => `column${index} TEXT NOT NULL`).join(', ')})`;

const tables = (count: number, columnCount: number): string[] =>
  Array.from({ length: count }, (_, index) => tableOf(`t${index}`, columnCount));

const small = 'CREATE TABLE small(a, b)';
const long = `CREATE TABLE long(a) -- ${'x'.repeat(70_000)}`;
const comment = `CREATE TABLE commented(a) -- ${'x'.repeat(60_000)}`;

function check(name: string, statements: readonly string[], expectedCount: number): void {
  test(`${name}: ${expectedCount} of ${statements.length} statements are parsed, and so is a small one after them`, () => {
    const parsed = statementsWithinBudget([...statements, small]);
    assert.equal(parsed.length - 1, expectedCount);
    assert.equal(parsed.at(-1), small);
  });
}

check('five thousand usual tables', tables(5000, 20), 5000);
check('the widest table that SQLite takes', [tableOf('wide', 2000)], 1);
check('many wide tables', tables(200, 2000), 25);
check('a table of 80,000 columns', [tableOf('huge', 80_000)], 0);
check('a list of more columns than SQLite takes', [`CREATE TABLE t(${'a,'.repeat(20_000)}a)`], 0);
check('a statement of more than 64 KB', [long], 0);
check(
  'thirty million characters',
  Array.from({ length: 500 }, () => comment),
  133,
);
