import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSameTableDesign } from '../../../src/model/shaping/canonicalDesign.ts';
import { createIndexSql, createTableSql } from '../../../src/model/shaping/createTable.ts';
import { readTableDesign } from '../../../src/model/shaping/readTableDesign.ts';
import { renameColumn, withTableName } from '../../../src/model/shaping/tableDesign.ts';
import { ShapedDatabase } from '../../support/shapedDatabase.ts';

const statements = [
  `CREATE TABLE t (a)`,
  `CREATE TABLE t (id INTEGER CONSTRAINT "the key" PRIMARY KEY ON CONFLICT ROLLBACK AUTOINCREMENT, b VARCHAR(10, 2) NOT NULL ON CONFLICT FAIL DEFAULT -1.5 COLLATE nocase)`,
  `CREATE TABLE t (a INT CONSTRAINT c1 CHECK (a > 0) CHECK (a < (10)), b TEXT UNIQUE ON CONFLICT REPLACE, c DEFAULT (1 + 1), d DEFAULT CURRENT_TIMESTAMP)`,
  `CREATE TABLE t ([a b] "LONG TEXT" REFERENCES other ("x y") ON DELETE SET NULL ON UPDATE CASCADE MATCH full DEFERRABLE INITIALLY DEFERRED, 'c' TEXT)`,
  `CREATE TABLE t (a, b, CONSTRAINT pk PRIMARY KEY (a COLLATE nocase DESC, b), UNIQUE (b, a) ON CONFLICT IGNORE, CONSTRAINT ck CHECK (a <> ')'), FOREIGN KEY (a, b) REFERENCES other NOT DEFERRABLE INITIALLY IMMEDIATE) WITHOUT ROWID`,
  `CREATE TABLE t (a INT, b TEXT GENERATED ALWAYS AS (a || 'x') STORED, c INT AS (a + 1), d ANY) STRICT`,
  `CREATE TABLE t (id INTEGER PRIMARY KEY DESC, key TEXT NOT NULL UNIQUE, "select" REAL)`,
  `CREATE TABLE t (a INT, b INT, PRIMARY KEY (a) UNIQUE (b) CHECK (a > b))`,
];

for (const sql of statements) {
  test(`a design keeps every part of ${sql}`, () => {
    using database = new ShapedDatabase(`CREATE TABLE other (a, b, "x y" UNIQUE, PRIMARY KEY (a, b)); ${sql}`);
    const design = database.design('t');
    using again = new ShapedDatabase(
      `CREATE TABLE other (a, b, "x y" UNIQUE, PRIMARY KEY (a, b)); ${createTableSql(design)}`,
    );
    assert.deepEqual(design.lostWords, []);
    assert.deepEqual(again.design('t'), design);
    const facts = `SELECT * FROM pragma_table_xinfo('t')`;
    assert.deepEqual(again.query(facts), database.query(facts));
    const keys = `SELECT * FROM pragma_foreign_key_list('t')`;
    assert.deepEqual(again.query(keys), database.query(keys));
  });
}

test('indexes keep their order, collations, expressions and conditions', () => {
  const script = `CREATE TABLE t (a, b TEXT);
    CREATE UNIQUE INDEX "i 1" ON t (b COLLATE nocase DESC, a) WHERE a > 1 AND b IN (')', 'x');
    CREATE INDEX i2 ON t (lower(b) DESC, a + 1, substr(b, 1, 2) COLLATE rtrim)`;
  using database = new ShapedDatabase(script);
  const design = database.design('t');
  const created = design.indexes.map(index => createIndexSql(index, design));
  using again = new ShapedDatabase(`${createTableSql(design)}; ${created.join(';')}`);
  assert.ok(isSameTableDesign(again.design('t'), design));
  const parts = `SELECT list.name, list."unique", list.partial, part.cid, part."desc", part.coll
    FROM pragma_index_list('t') AS list, pragma_index_xinfo(list.name) AS part ORDER BY list.name, part.seqno`;
  assert.deepEqual(again.query(parts), database.query(parts));
  assert.deepEqual(design.indexes[0]?.parts.length, 2);
});

test('a design has the comments of its statement, and says which words it cannot keep', () => {
  using database = new ShapedDatabase(`CREATE TABLE t (a INT, -- the first
    b TEXT CONSTRAINT odd DEFAULT 'x' /* the "second" */)`);
  const { comments, lostWords } = database.design('t');
  assert.deepEqual(comments, ['-- the first', '/* the "second" */']);
  assert.deepEqual(lostWords, ['CONSTRAINT odd', 'DEFAULT']);
});

test('a table that cannot be designed says why', () => {
  using database = new ShapedDatabase(`CREATE VIRTUAL TABLE words USING fts5(a); CREATE VIEW v AS SELECT 1;
    CREATE TABLE words_extra (a)`);
  const { schema } = database;
  const refusals = ['words', 'words_data', 'v', 'none', 'sqlite_schema'].map(name => readTableDesign(schema, name));
  assert.deepEqual(refusals, ['virtualTable', 'shadowTable', 'view', 'missing', 'systemTable']);
  assert.equal(typeof readTableDesign(schema, 'words_extra'), 'object');
  const odd = [{ kind: 'table', name: 't', table: 't', sql: 'CREATE TABLE t (a) ODD' } as const];
  assert.equal(readTableDesign(odd, 't'), 'unreadable');
});

test('a rename reaches expressions and references to the table itself', () => {
  using database = new ShapedDatabase(`CREATE TABLE t (a INT CHECK (t.a > 0 AND "a" < abs(A)), b AS (a || 'a'),
    c REFERENCES t (a), UNIQUE (a)); CREATE INDEX i ON t (abs(a)) WHERE a > 1`);
  const design = withTableName(renameColumn(database.design('t'), 'column1', 'new a'), 'u');
  const [a, b, c] = design.columns;
  assert.equal(a?.checks[0]?.expression, 'u."new a" > 0 AND "new a" < abs("new a")');
  assert.equal(b?.generated?.expression, `"new a" || 'a'`);
  assert.deepEqual([c?.references?.table, c?.references?.columns], ['u', ['new a']]);
  assert.deepEqual(design.indexes[0]?.parts, [{ expression: 'abs("new a")' }]);
  assert.equal(design.indexes[0]?.where, '"new a" > 1');
});
