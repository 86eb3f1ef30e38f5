import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameAt, type NamedDocument } from '../../../src/sql/symbols/documentNames.ts';
import { checkRename, renameEdits } from '../../../src/sql/symbols/rename.ts';
import { editedText } from '../../../src/sql/text/statementIndex.ts';
import { assertWithin, cpuMs } from '../../support/cpuTime.ts';
import { longScript } from '../../support/longScript.ts';
import { namedDocument } from '../../support/namedDocument.ts';

/** The document after a rename at the `¦`, or why there is none. */
function renamed(marked: string, newName: string): string {
  const document = namedDocument(marked.replace('¦', ''));
  const name = nameAt(document, marked.indexOf('¦'));
  if (!name) return 'no name';
  const result = renameEdits(document, name, newName);
  return 'refusal' in result ? `refused: ${result.refusal}` : editedText(document.statements.text, result.edits);
}

const cases: readonly (readonly [marked: string, newName: string, expected: string])[] = [
  // Aliases, common tables, results and windows: within the statement
  [
    'SELECT ¦u.id, "u".name FROM users u; SELECT u.id FROM users u',
    'x',
    'SELECT x.id, "x".name FROM users x; SELECT u.id FROM users u',
  ],
  ['SELECT ¦u.id, [u].id, `u`.id FROM users u', 'a b', 'SELECT "a b".id, [a b].id, `a b`.id FROM users "a b"'],
  ['SELECT ¦u.id FROM users u', 'order', 'SELECT "order".id FROM users "order"'],
  ['SELECT ¦u.id FROM users u', '"a ""b"', 'SELECT "a ""b".id FROM users "a ""b"'],
  ['SELECT ¦u.id FROM users u', 'users', 'SELECT users.id FROM users users'],
  ['WITH ¦a AS (SELECT 1 AS x) SELECT a.x FROM a', 'b', 'WITH b AS (SELECT 1 AS x) SELECT b.x FROM b'],
  [
    'WITH RECURSIVE c(¦n) AS (SELECT 1 UNION SELECT n + 1 FROM c) SELECT c.n FROM c',
    'm',
    'WITH RECURSIVE c(m) AS (SELECT 1 UNION SELECT m + 1 FROM c) SELECT c.m FROM c',
  ],
  [
    'SELECT s.¦n FROM (SELECT name AS n FROM users) s ORDER BY n',
    'm',
    'SELECT s.m FROM (SELECT name AS m FROM users) s ORDER BY m',
  ],
  ['SELECT sum(id) OVER ¦w FROM users WINDOW w AS ()', 'v', 'SELECT sum(id) OVER v FROM users WINDOW v AS ()'],
  ["SELECT 1 AS 'n' ORDER BY ¦n", "it's", `SELECT 1 AS 'it''s' ORDER BY "it's"`],
  // Tables and columns that the document creates: in all statements
  [
    'CREATE TABLE t(a, CHECK (a > 0)); CREATE INDEX i ON t(a); SELECT T.A FROM ¦t; DROP TABLE t',
    'T2',
    'CREATE TABLE T2(a, CHECK (a > 0)); CREATE INDEX i ON T2(a); SELECT T2.A FROM T2; DROP TABLE T2',
  ],
  [
    `CREATE TABLE ¦t(a); SELECT name FROM pragma_table_info('T') p, pragma_table_xinfo("t"), pragma_function_list; PRAGMA table_info("t")`,
    'x',
    `CREATE TABLE x(a); SELECT name FROM pragma_table_info('x') p, pragma_table_xinfo("t"), pragma_function_list; PRAGMA table_info("x")`,
  ],
  [
    `CREATE TABLE t(a); SELECT 1 WHERE 'a' IN pragma_foreign_key_list('¦t') OR 't' = upper('t'); SELECT * FROM json_each('t')`,
    "it's",
    `CREATE TABLE "it's"(a); SELECT 1 WHERE 'a' IN pragma_foreign_key_list('it''s') OR 't' = upper('t'); SELECT * FROM json_each('t')`,
  ],
  [
    `CREATE INDEX ¦i ON users(id); SELECT * FROM pragma_index_info('i', 'main'); PRAGMA index_xinfo(i)`,
    'j',
    `CREATE INDEX j ON users(id); SELECT * FROM pragma_index_info('j', 'main'); PRAGMA index_xinfo(j)`,
  ],
  [
    'CREATE TABLE t(a); CREATE VIEW v AS SELECT a FROM t; SELECT ¦a FROM v; INSERT INTO t(a) VALUES (1)',
    'b',
    'CREATE TABLE t(b); CREATE VIEW v AS SELECT b FROM t; SELECT b FROM v; INSERT INTO t(b) VALUES (1)',
  ],
  [
    'CREATE TABLE t(¦a REFERENCES t(a)); CREATE TRIGGER x AFTER UPDATE OF a ON t BEGIN SELECT NEW.a; END',
    'b',
    'CREATE TABLE t(b REFERENCES t(b)); CREATE TRIGGER x AFTER UPDATE OF b ON t BEGIN SELECT NEW.b; END',
  ],
  [
    'CREATE VIEW v AS SELECT id AS ¦a FROM users; SELECT a FROM v',
    'b',
    'CREATE VIEW v AS SELECT id AS b FROM users; SELECT b FROM v',
  ],
  ['CREATE TABLE ¦t(a); SELECT a FROM t', 'T', 'CREATE TABLE T(a); SELECT a FROM T'],
  [
    'ALTER TABLE users ADD COLUMN ¦age; SELECT age FROM users',
    'years',
    'ALTER TABLE users ADD COLUMN years; SELECT years FROM users',
  ],
  [
    'CREATE TABLE a(x); ALTER TABLE a RENAME TO ¦b; SELECT x FROM b',
    'c',
    'CREATE TABLE a(x); ALTER TABLE a RENAME TO c; SELECT x FROM c',
  ],
  ['CREATE INDEX ¦i ON users(id); DROP INDEX i', 'j', 'CREATE INDEX j ON users(id); DROP INDEX j'],
  ['CREATE TABLE t(a); SELECT ¦a, "b" FROM t', 'c', 'CREATE TABLE t(c); SELECT c, "b" FROM t'],
];

for (const [marked, newName, expected] of cases) {
  test(`${marked} with ${newName} is ${expected}`, () => assert.equal(renamed(marked, newName), expected));
}

const meansElse = /With the name '.*', a statement would have another meaning/;
const isTaken = /There is already something else with the name '.*' here/;
const isProject = /This document does not create '.*'\. A rename here would break its statements/;
const isMerged = /A join merges this column/;

const refusals: readonly (readonly [marked: string, newName: string, reason: RegExp])[] = [
  ['SELECT * FROM ¦users', 'x', isProject],
  ['SELECT ¦name FROM users', 'x', isProject],
  ['CREATE VIEW v AS SELECT name FROM users; SELECT ¦name FROM v', 'x', isProject],
  ['SELECT ¦rowid FROM users', 'x', isProject],
  ['SELECT ¦abs(1)', 'x', /Functions cannot be renamed/],
  ['SELECT ¦:p', 'x', /Parameters cannot be renamed/],
  ['SELECT ¦nope FROM users', 'x', /meaning of this name is not known/],
  ['INSERT INTO users(id) VALUES (1) ON CONFLICT DO UPDATE SET id = ¦excluded.id', 'x', /is a name of SQLite/],
  ['SELECT ¦u.id FROM users u', '', /The name is empty/],
  ['SELECT ¦u.id FROM users u', 'a\0b', /character that no name may have/],
  ['CREATE TABLE ¦t(a)', 'sqlite_t', /SQLite reserves/],
  ['CREATE TABLE t(¦id); SELECT 1 FROM t JOIN users USING (id)', 'x', isMerged],
  ['CREATE TABLE t(¦id); SELECT 1 FROM t NATURAL JOIN users', 'x', isMerged],
  ['CREATE TABLE t(¦a); SELECT 1 FROM t NATURAL JOIN users', 'id', meansElse],
  // The new name belongs to something else
  ['SELECT ¦u.id FROM users u JOIN posts p ON 1', 'P', isTaken],
  ['SELECT ¦u.id FROM users u JOIN posts ON 1', 'posts', isTaken],
  ['UPDATE users AS ¦u SET id = p.id FROM posts p', 'p', isTaken],
  ['UPDATE users AS u SET id = p.id FROM posts ¦p', 'u', isTaken],
  ['WITH ¦a AS (SELECT 1), b AS (SELECT 2) SELECT * FROM a', 'b', isTaken],
  ['CREATE TABLE ¦t(a)', 'users', isTaken],
  ['CREATE TABLE t(a); CREATE TABLE ¦t2(b); SELECT * FROM t', 't', isTaken],
  ['CREATE TABLE ¦t(a); CREATE TABLE t2(b); SELECT * FROM t2', 't2', meansElse],
  ['CREATE TABLE t(¦a, b)', 'b', meansElse],
  ['CREATE TABLE t(a, b); SELECT ¦a FROM t', 'b', isTaken],
  ['CREATE INDEX ¦i ON users(id)', 'idx_posts_user', isTaken],
  ['CREATE TRIGGER ¦i AFTER INSERT ON posts BEGIN SELECT 1; END', 'posts_ai', isTaken],
  // The new name would hide something else
  ['SELECT (SELECT p.id FROM posts p WHERE p.user_id = ¦u.id) FROM users u', 'p', meansElse],
  ['WITH ¦a AS (SELECT 1) SELECT * FROM a, users', 'users', meansElse],
  ['SELECT name AS ¦n, id FROM users ORDER BY n, id', 'id', meansElse],
  ['SELECT id, name AS ¦n FROM users WHERE n', 'id', meansElse],
  ['CREATE TABLE t(¦a); SELECT a, id FROM t, users', 'id', meansElse],
  ['CREATE TABLE t(¦a); SELECT a, "x" FROM t', 'x', meansElse],
  ['CREATE TABLE ¦t(x); WITH c AS (SELECT 1) SELECT * FROM c, t', 'c', meansElse],
  ['CREATE VIRTUAL TABLE ¦f USING fts5(a); INSERT INTO f(f) VALUES (1)', 'g', meansElse],
  // The name is also in a text that only its module reads
  [
    "CREATE TABLE ¦t(a); CREATE VIRTUAL TABLE f USING fts5(a, content='t')",
    'x',
    /arguments of the virtual table 'f' may contain 't'/,
  ],
];

for (const [marked, newName, reason] of refusals) {
  test(`${marked} is not renamed to ${newName}: ${reason.source}`, () => {
    assert.match(renamed(marked, newName), new RegExp(`^refused: .*${reason.source}`));
  });
}

test('the present name has no quotes', () => {
  const document = namedDocument('SELECT 1 AS "a ""b"');
  assert.deepEqual(checkRename(document, nameAt(document, 12)!), { present: 'a "b' });
});

test('a table of a script of 10,000 lines is renamed within a second', async () => {
  const text = `CREATE TABLE own(id INTEGER PRIMARY KEY, name TEXT);\n${longScript(10_000)}${'SELECT id FROM own;\n'.repeat(1000)}`;
  const document: NamedDocument = namedDocument(text);
  const name = nameAt(document, text.indexOf('own'))!;
  renameEdits(document, name, 'x');
  await assertWithin(1000, () => cpuMs(() => assert.ok('edits' in renameEdits(document, name, 'other'))));
});
