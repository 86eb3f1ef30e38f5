import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseStatement } from '../../../src/sql/parser/parser.ts';
import { Schema } from '../../../src/sql/schema/schema.ts';
import { occurrencesIn } from '../../../src/sql/symbols/occurrences.ts';
import type { Occurrence, SqlSymbol } from '../../../src/sql/symbols/symbol.ts';
import { editedText } from '../../../src/sql/text/statementIndex.ts';
import { corpusSchema } from '../../support/completeMarked.ts';
import { assertWithin, cpuMs } from '../../support/cpuTime.ts';
import { everyStatement } from '../corpus.ts';

/** The names of a statement, and the one at its `¦`. */
function namesIn(marked: string): {
  readonly occurrences: readonly Occurrence[];
  readonly name: Occurrence | undefined;
} {
  const offset = marked.indexOf('¦');
  const { ast } = parseStatement(marked.replace('¦', ''));
  assert.ok(ast, marked);
  const occurrences = occurrencesIn(ast, corpusSchema);
  const name = occurrences.find(({ start, end, isImplied }) => !isImplied && start <= offset && offset <= end);
  return { occurrences, name };
}

function describe(symbol: SqlSymbol): string {
  const { kind, name } = symbol;
  switch (symbol.kind) {
    case 'column':
      return symbol.table === undefined ? `${kind} ${name}` : `${kind} ${symbol.table}.${name}`;
    case 'alias':
    case 'row':
      return `${kind} ${name} of ${symbol.source.table ?? 'a subquery'}`;
    case 'table':
      return symbol.table ? `${symbol.table.kind} ${name}` : `unknown table ${name}`;
    default:
      return `${kind} ${name}`;
  }
}

const meanings: readonly (readonly [marked: string, meaning: string])[] = [
  // Columns and qualifiers
  ['SELECT na¦me FROM users', 'column users.name'],
  ['SELECT u.¦name FROM users u', 'column users.name'],
  ['SELECT ¦u.name FROM users u', 'alias u of users'],
  ['SELECT ¦users.name FROM users', 'table users'],
  ['SELECT ¦users.name FROM users u', ''],
  ['SELECT main.users.¦id FROM main.users', 'column users.id'],
  ['SELECT ¦nope FROM users', ''],
  ['SELECT ¦id FROM users, posts', ''],
  ['SELECT ¦rowid FROM users', 'column users.rowid'],
  ['SELECT u.¦_ROWID_ FROM users u', 'column users.rowid'],
  ['SELECT ¦rank FROM docs', 'column docs.rank'],
  ['SELECT ¦"NAME", [Name], `nAmE` FROM users', 'column users.name'],
  ['SELECT "total¦ price" FROM "order"', 'column order.total price'],
  ['SELECT ¦größe FROM таблица', 'column таблица.größe'],
  ['SELECT ¦u.* FROM users u', 'alias u of users'],
  // Tables
  ['SELECT * FROM ¦users', 'table users'],
  ['SELECT * FROM ¦active_users', 'view active_users'],
  ['SELECT * FROM ¦docs', 'virtual docs'],
  ['SELECT * FROM main.¦users', 'table users'],
  ['SELECT * FROM other.¦users', ''],
  ['SELECT * FROM ¦nope', 'unknown table nope'],
  ['SELECT 1 IN ¦users', 'table users'],
  ["SELECT * FROM ¦'users'", 'table users'],
  ['DELETE FROM ¦users', 'table users'],
  ['ANALYZE ¦users', 'table users'],
  ['ANALYZE ¦idx_posts_user', 'index idx_posts_user'],
  ['PRAGMA table_info(¦users)', 'table users'],
  ["PRAGMA table_info = ¦'users'", 'table users'],
  ['PRAGMA journal_mode = ¦wal', ''],
  // Queries within queries
  ['SELECT ¦name FROM (SELECT name FROM users)', 'column users.name'],
  ['SELECT s.¦n FROM (SELECT name AS n FROM users) s', 'result n'],
  ['SELECT ¦s.n FROM (SELECT name AS n FROM users) s', 'alias s of a subquery'],
  ['SELECT s.¦id FROM (SELECT p.* FROM users u JOIN posts p) s', 'column posts.id'],
  ['SELECT (SELECT ¦name FROM posts) FROM users', 'column users.name'],
  ['SELECT (SELECT ¦title FROM posts) FROM users', 'column posts.title'],
  ['SELECT (SELECT x.¦name FROM posts x) FROM users x', 'column users.name'],
  ['SELECT k.¦title FROM (users u JOIN posts p ON 1) k', 'column posts.title'],
  ['SELECT 1 FROM (users u JOIN posts p ON ¦u.id = 1) k', 'alias u of users'],
  ['SELECT ¦id FROM active_users', 'column users.id'],
  // Common tables
  ['WITH a AS (SELECT 1 AS x) SELECT * FROM ¦a', 'commonTable a'],
  ['WITH ¦a AS (SELECT 1 AS x) SELECT * FROM a', 'commonTable a'],
  ['WITH a AS (SELECT 1 AS x) SELECT ¦a.x FROM a', 'commonTable a'],
  ['WITH a AS (SELECT 1 AS x) SELECT a.¦x FROM a', 'result x'],
  ['WITH a(y) AS (SELECT 1 AS x) SELECT a.¦y FROM a', 'column y'],
  ['WITH a(y) AS (SELECT 1 AS ¦x) SELECT a.y FROM a', 'result x'],
  ['WITH users AS (SELECT 1 AS id) SELECT ¦id FROM users', 'result id'],
  ['WITH users AS (SELECT 1 AS id) SELECT ¦id FROM main.users', 'column users.id'],
  ['WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT ¦n + 1 FROM c) SELECT n FROM c', 'column n'],
  ['WITH v AS (VALUES (1, 2)) SELECT ¦column2 FROM v', 'column column2'],
  // Results
  ['SELECT name AS ¦n FROM users', 'result n'],
  ['SELECT name AS n FROM users ORDER BY ¦n', 'result n'],
  ['SELECT name AS email FROM users ORDER BY ¦email', 'result email'],
  ['SELECT name AS email FROM users ORDER BY ¦email COLLATE NOCASE', 'result email'],
  ['SELECT name AS email FROM users ORDER BY lower(¦email)', 'column users.email'],
  ['SELECT name AS email FROM users WHERE ¦email', 'column users.email'],
  ['SELECT name AS email FROM users GROUP BY ¦email', 'column users.email'],
  ['SELECT name AS n FROM users HAVING ¦n', 'result n'],
  ['SELECT name AS n FROM users WHERE EXISTS (SELECT 1 FROM posts WHERE ¦n)', 'result n'],
  ['SELECT 1 AS n, ¦n FROM users', ''],
  ['SELECT name FROM users UNION SELECT title FROM posts ORDER BY ¦name', 'column users.name'],
  ['SELECT 1 FROM users UNION SELECT title AS t FROM posts ORDER BY ¦t', 'result t'],
  // Joins
  ['SELECT * FROM users JOIN posts USING (¦id)', 'column users.id & column posts.id'],
  ['SELECT ¦id FROM users JOIN posts USING (id)', 'column users.id & column posts.id'],
  ['SELECT posts.¦id FROM users JOIN posts USING (id)', 'column posts.id'],
  ['SELECT ¦created_at FROM users NATURAL JOIN posts', 'column users.created_at & column posts.created_at'],
  ['SELECT * FROM users u JOIN posts p ON p.user_id = ¦u.id', 'alias u of users'],
  ['SELECT * FROM users, json_each(¦meta) j', 'column users.meta'],
  ['SELECT ¦j.value FROM users, json_each(meta) j', 'alias j of json_each'],
  ['SELECT ¦value FROM json_each(1)', 'column json_each.value'],
  ['SELECT * FROM ¦json_each(1)', 'function json_each'],
  // Changes
  ['INSERT INTO users(¦name) VALUES (1)', 'column users.name'],
  ['INSERT INTO users(name) VALUES (1) ON CONFLICT (¦id) DO NOTHING', 'column users.id'],
  ['INSERT INTO users(name) VALUES (1) ON CONFLICT (id) DO UPDATE SET ¦name = 1', 'column users.name'],
  ['INSERT INTO users(name) VALUES (1) ON CONFLICT (id) DO UPDATE SET name = excluded.¦name', 'column users.name'],
  ['INSERT INTO users(name) VALUES (1) ON CONFLICT DO UPDATE SET name = ¦EXCLUDED.name', 'row excluded of users'],
  ['INSERT INTO users AS ¦u VALUES (1)', 'alias u of users'],
  ['INSERT INTO users VALUES (1) RETURNING ¦email', 'column users.email'],
  ['INSERT INTO users SELECT ¦title FROM posts', 'column posts.title'],
  ['UPDATE users SET ¦name = 1', 'column users.name'],
  ['UPDATE users SET (id, ¦name) = (SELECT 1, 2)', 'column users.name'],
  ['UPDATE users AS u SET name = p.¦title FROM posts p', 'column posts.title'],
  ['UPDATE users SET name = 1 FROM posts p RETURNING ¦title', ''],
  ['WITH users AS (SELECT 1) DELETE FROM ¦users', 'table users'],
  ['WITH users AS (SELECT 1 AS x) DELETE FROM users WHERE ¦name', 'column users.name'],
  ['DELETE FROM users AS u WHERE ¦u.id', 'alias u of users'],
  // Definitions
  ['CREATE TABLE ¦t(a)', 'unknown table t'],
  ['CREATE TABLE t(¦a)', 'column t.a'],
  ['CREATE TABLE t(a CHECK (¦a))', 'column t.a'],
  ['CREATE TABLE t(a, PRIMARY KEY (¦a))', 'column t.a'],
  ['CREATE TABLE t(a, b AS (¦a) STORED)', 'column t.a'],
  ['CREATE TABLE t(a, b AS (a) ¦STORED)', 'no name'],
  ['CREATE TABLE t(a REFERENCES ¦users)', 'table users'],
  ['CREATE TABLE t(a REFERENCES users(¦id))', 'column users.id'],
  ['CREATE TABLE t(a, FOREIGN KEY (¦a) REFERENCES users)', 'column t.a'],
  ['CREATE TABLE t AS SELECT id AS ¦x FROM users', 'column t.x'],
  ['CREATE VIEW v AS SELECT id AS ¦x FROM users', 'column v.x'],
  ['CREATE VIEW v AS SELECT id AS x FROM users ORDER BY ¦x', 'column v.x'],
  ['CREATE VIEW v(¦y) AS SELECT id AS x FROM users', 'column v.y'],
  ['CREATE VIEW v(y) AS SELECT id AS ¦x FROM users', 'result x'],
  ['CREATE INDEX i ON users(lower(¦name))', 'column users.name'],
  ['CREATE INDEX i ON ¦users(name)', 'table users'],
  ['SELECT * FROM posts INDEXED BY ¦idx_posts_user', 'index idx_posts_user'],
  ['DROP INDEX ¦idx_posts_user', 'index idx_posts_user'],
  ['DROP TRIGGER ¦posts_ai', 'trigger posts_ai'],
  ['ALTER TABLE users RENAME ¦name TO n', 'column users.name'],
  ['ALTER TABLE users RENAME name TO ¦n', 'column users.n'],
  ['ALTER TABLE users RENAME TO ¦people', 'unknown table people'],
  ['ALTER TABLE users ADD COLUMN ¦age', 'column users.age'],
  ['ALTER TABLE users DROP COLUMN ¦name', 'column users.name'],
  ['CREATE TRIGGER t AFTER UPDATE OF ¦title ON posts BEGIN SELECT 1; END', 'column posts.title'],
  ['CREATE TRIGGER t AFTER INSERT ON posts BEGIN SELECT NEW.¦title; END', 'column posts.title'],
  ['CREATE TRIGGER t AFTER INSERT ON posts BEGIN SELECT ¦new.title; END', 'row NEW of posts'],
  ['CREATE TRIGGER t AFTER INSERT ON posts BEGIN SELECT ¦old.title; END', ''],
  ['CREATE TRIGGER t AFTER INSERT ON posts BEGIN UPDATE users SET ¦name = 1; END', 'column users.name'],
  ['CREATE TRIGGER t AFTER INSERT ON posts WHEN NEW.¦id BEGIN SELECT 1; END', 'column posts.id'],
  // Others
  ['SELECT ¦abs(1)', 'function abs'],
  ['SELECT ¦COUNT(*)', 'function count'],
  ['SELECT ¦my_own(1)', 'function my_own'],
  ['SELECT ¦:id', 'parameter :id'],
  ['SELECT sum(id) OVER ¦w FROM users WINDOW w AS ()', 'window w'],
  ['SEL¦ECT 1', 'no name'],
  ['SELECT 1 FROM users WHERE ¦', 'no name'],
  ['EXPLAIN SELECT ¦name FROM users', 'column users.name'],
  ["SELECT 'na¦me' FROM users", 'no name'],
  ['SELECT x.¦name FROM users x WHERE', 'column users.name'],
];

for (const [marked, meaning] of meanings) {
  test(`${marked} is ${meaning || 'unknown'}`, () => {
    const { name } = namesIn(marked);
    assert.equal(name?.symbols.map(describe).join(' & ') ?? 'no name', meaning);
  });
}

const same: readonly (readonly [marked: string, expected: string])[] = [
  [
    'SELECT u.id, (SELECT ¦u.title FROM posts u) FROM users u ORDER BY U.id',
    'SELECT u.id, (SELECT ⟦u⟧.title FROM posts ⟦u⟧) FROM users u ORDER BY U.id',
  ],
  ['SELECT ¦u.id, "U".id, [u].id FROM users u', 'SELECT ⟦u⟧.id, ⟦"U"⟧.id, ⟦[u]⟧.id FROM users ⟦u⟧'],
  [
    'SELECT ¦id AS a FROM users WHERE id IN (SELECT user_id FROM posts WHERE id = users.id)',
    'SELECT ⟦id⟧ AS a FROM users WHERE ⟦id⟧ IN (SELECT user_id FROM posts WHERE id = users.⟦id⟧)',
  ],
  [
    'WITH a AS (SELECT id AS ¦x FROM users), b AS (SELECT x FROM a) SELECT b.x FROM b ORDER BY x',
    'WITH a AS (SELECT id AS ⟦x⟧ FROM users), b AS (SELECT ⟦x⟧ FROM a) SELECT b.⟦x⟧ FROM b ORDER BY ⟦x⟧',
  ],
  [
    'WITH RECURSIVE c(¦n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE c.n < 5) SELECT n FROM c',
    'WITH RECURSIVE c(⟦n⟧) AS (SELECT 1 UNION ALL SELECT ⟦n⟧ + 1 FROM c WHERE c.⟦n⟧ < 5) SELECT ⟦n⟧ FROM c',
  ],
  [
    'WITH c AS (SELECT 1) SELECT * FROM (WITH ¦c AS (SELECT 2) SELECT * FROM c) JOIN c',
    'WITH c AS (SELECT 1) SELECT * FROM (WITH ⟦c⟧ AS (SELECT 2) SELECT * FROM ⟦c⟧) JOIN c',
  ],
  [
    'CREATE TABLE t(¦a, b CHECK (a > b), FOREIGN KEY (a) REFERENCES t(a))',
    'CREATE TABLE t(⟦a⟧, b CHECK (⟦a⟧ > b), FOREIGN KEY (⟦a⟧) REFERENCES t(⟦a⟧))',
  ],
  ['SELECT ¦:id, :ID, :id, ?', 'SELECT ⟦:id⟧, :ID, ⟦:id⟧, ?'],
  ['SELECT ¦?, ?', 'SELECT ⟦?⟧, ?'],
  [
    'INSERT INTO users AS ¦u (id) VALUES (1) ON CONFLICT DO UPDATE SET name = u.name WHERE u.id',
    'INSERT INTO users AS ⟦u⟧ (id) VALUES (1) ON CONFLICT DO UPDATE SET name = ⟦u⟧.name WHERE ⟦u⟧.id',
  ],
  [
    'SELECT sum(id) OVER w, sum(id) OVER (¦w) FROM emp WINDOW w AS (ORDER BY id)',
    'SELECT sum(id) OVER ⟦w⟧, sum(id) OVER (⟦w⟧) FROM emp WINDOW ⟦w⟧ AS (ORDER BY id)',
  ],
  ['SELECT ¦id FROM users NATURAL JOIN posts', 'SELECT ⟦id⟧ FROM users ⟦NATURAL JOIN⟧ posts'],
];

for (const [marked, expected] of same) {
  test(`the same name: ${expected}`, () => {
    const { occurrences, name } = namesIn(marked);
    const key = name?.symbols[0]?.key;
    const uses = occurrences.filter(({ symbols }) => symbols.some(symbol => symbol.key === key));
    const marks = uses.flatMap(({ start, end }) => [
      { start, end: start, text: '⟦' },
      { start: end, end, text: '⟧' },
    ]);
    assert.equal(editedText(marked.replace('¦', ''), marks), expected);
  });
}

test('a name stays in one place, and names of the corpus do not overlap', () => {
  for (const sql of everyStatement) {
    const { ast } = parseStatement(sql);
    if (!ast) continue;
    let end = 0;
    for (const occurrence of occurrencesIn(ast, corpusSchema)) {
      if (occurrence.isImplied) continue;
      assert.ok(occurrence.start >= end && occurrence.end <= sql.length, sql);
      ({ end } = occurrence);
    }
  }
});

const wideTable = `CREATE TABLE wide(${Array.from({ length: 2000 }, (_, n) => `c${n}`).join()})`;
for (const [name, sql] of [
  ['many columns of many wide tables', `SELECT ${'c1999, '.repeat(2000)}1 FROM wide${', wide'.repeat(63)}`],
  ['a long sum', `SELECT ${'c1 + '.repeat(20_000)}1 FROM wide`],
  ['nested queries', `${'SELECT c1, ('.repeat(200)}SELECT 1${' FROM wide)'.repeat(200)} FROM wide`],
  ['many natural joins', `SELECT 1 FROM wide${' NATURAL JOIN wide'.repeat(500)}`],
] as const) {
  test(`names are found in ${name}`, async () => {
    const { ast } = parseStatement(sql);
    assert.ok(ast);
    await assertWithin(1000, () => cpuMs(() => occurrencesIn(ast, Schema.of(wideTable))));
  });
}
