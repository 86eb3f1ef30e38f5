/*
 * SQL in SQLite's dialect: valid, invalid with the position of the fault, and half-typed. Tests compare the parser, the
 * splitter and the effects with SQLite on each of these.
 */

/** The schema of the statements. */
export const ddl = String.raw`
CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT UNIQUE, active INT DEFAULT 1, created_at TEXT DEFAULT CURRENT_TIMESTAMP, meta TEXT);
CREATE TABLE posts(id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES users(id) ON DELETE CASCADE, title TEXT, body TEXT, published INT, created_at TEXT);
CREATE TABLE tags(post_id INT, tag TEXT, PRIMARY KEY(post_id, tag)) WITHOUT ROWID;
CREATE TABLE "order"("id" INTEGER PRIMARY KEY, "group" TEXT, "total price" REAL, [from date] TEXT, ${'`back`'} INT);
CREATE TABLE strict_t(a INT, b TEXT, c REAL, d BLOB, e ANY) STRICT;
CREATE TABLE gen(a INT, b INT AS (a*2) STORED, c INT GENERATED ALWAYS AS (a+1) VIRTUAL);
CREATE TABLE emp(id INTEGER PRIMARY KEY, mgr INT, name TEXT, salary REAL, dept TEXT);
CREATE TABLE "таблица"("имя" TEXT, größe INT);
CREATE VIEW active_users AS SELECT id, name, email FROM users WHERE active=1;
CREATE VIRTUAL TABLE docs USING fts5(title, body);
CREATE INDEX idx_posts_user ON posts(user_id);
CREATE TRIGGER posts_ai AFTER INSERT ON posts BEGIN UPDATE users SET active=1 WHERE id=NEW.user_id; END;
`;

/** Statements that SQLite prepares on that schema. */
export const valid: Readonly<Record<string, readonly string[]>> = {
  select: [
    'SELECT 1',
    'SELECT * FROM users',
    'select u.id, u.name AS n from users u where u.active = ? and u.email like ?',
    'SELECT DISTINCT name FROM users ORDER BY name COLLATE NOCASE DESC NULLS LAST LIMIT 10 OFFSET 5',
    'SELECT u.*, count(*) AS posts FROM users AS u LEFT JOIN posts AS p ON p.user_id = u.id GROUP BY u.id HAVING count(*) > 2',
    'SELECT * FROM users NATURAL JOIN emp',
    'SELECT * FROM users a CROSS JOIN posts b, tags c',
    'SELECT * FROM users u FULL OUTER JOIN emp e USING (id, name)',
    'SELECT * FROM users RIGHT JOIN posts ON users.id = posts.user_id',
    'SELECT * FROM (users u JOIN posts p ON u.id = p.user_id) LEFT JOIN tags t ON t.post_id = p.id',
    "SELECT CASE WHEN active THEN 'y' WHEN active IS NULL THEN '?' ELSE 'n' END st FROM users",
    "SELECT CASE active WHEN 1 THEN 'a' END FROM users",
    'SELECT id FROM users WHERE id IN (SELECT user_id FROM posts WHERE published)',
    'SELECT id FROM users WHERE id IN ()',
    'SELECT id FROM users WHERE id NOT IN (1,2,3)',
    'SELECT 1 WHERE (1,2) IN (VALUES (1,2),(3,4))',
    "SELECT * FROM users WHERE (id, name) = (SELECT 1, 'x')",
    'SELECT EXISTS (SELECT 1 FROM posts) AS e, NOT EXISTS (SELECT 1)',
    "SELECT name FROM users UNION SELECT name FROM emp UNION ALL SELECT 'z' EXCEPT SELECT 'q' INTERSECT SELECT 'r' ORDER BY 1",
    "SELECT * FROM users INDEXED BY sqlite_autoindex_users_1 WHERE email = 'a'",
    'SELECT * FROM posts NOT INDEXED WHERE user_id = 1',
    "SELECT a.id FROM users a WHERE a.name GLOB 'x*' AND a.email NOT LIKE '%!_%' ESCAPE '!' OR a.id BETWEEN 1 AND 10",
    'SELECT id IS NOT DISTINCT FROM 3, id IS NOT NULL, id NOTNULL, id ISNULL, id IS 3 FROM users',
    'SELECT CAST(id AS VARCHAR(20)), CAST(id AS UNSIGNED BIG INT) FROM users',
    "SELECT -1, +2, ~3, NOT 4, 1<<2, 8>>1, 5&3, 5|3, 5%3, 'a'||'b'",
    'SELECT 1 == 1, 1 <> 2, 1 != 2',
    "SELECT x'ab12', X'', 1e10, .5, 5., 0xFF, 1_000_000, 1.5e-3",
    'SELECT TRUE, FALSE, NULL, CURRENT_TIMESTAMP, CURRENT_DATE, CURRENT_TIME',
    "SELECT max(id), min(id), total(id), group_concat(name, '; ') FROM users",
    'SELECT group_concat(DISTINCT name) FROM users',
    "SELECT group_concat(name, ',' ORDER BY id DESC) FROM users",
    "SELECT string_agg(name, ',') FROM users",
    'SELECT count(*) FILTER (WHERE active) FROM users',
    "SELECT coalesce(a.email, 'none;') FROM users a",
    'SELECT rowid, _rowid_, oid FROM users',
    'SELECT main.users.id FROM main.users',
    'SELECT users.id FROM users GROUP BY 1 ORDER BY 1 ASC',
    'SELECT iif(1,2,3), ifnull(null,1), nullif(1,1), typeof(1)',
    "SELECT date('now','start of month','+1 month'), strftime('%Y', 'now'), unixepoch()",
    'SELECT u.name FROM users u LIMIT 5, 10',
    "SELECT * FROM users WHERE name MATCH 'x' IS NULL OR 1",
    'SELECT ALL id FROM users',
    'SELECT (SELECT max(id) FROM posts p WHERE p.user_id = u.id) FROM users u',
    "SELECT * FROM json_each('[1,2]') je",
    'SELECT "RAISE" FROM (SELECT 1 AS "RAISE")',
  ],
  with: [
    'WITH a AS (SELECT 1 AS x) SELECT x FROM a',
    'WITH RECURSIVE cnt(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM cnt WHERE x<10) SELECT x FROM cnt',
    "WITH RECURSIVE under(id, lvl) AS (VALUES(1,0) UNION ALL SELECT emp.id, under.lvl+1 FROM emp JOIN under ON emp.mgr=under.id ORDER BY 2 DESC) SELECT substr('..........',1,lvl*3) || id FROM under",
    'WITH a AS MATERIALIZED (SELECT * FROM users), b AS NOT MATERIALIZED (SELECT * FROM a) SELECT a.id, b.name FROM a, b',
    'WITH x AS (SELECT id FROM users) DELETE FROM posts WHERE user_id IN (SELECT id FROM x)',
    "WITH s AS (SELECT 1 AS i, 'n' AS n) INSERT INTO users(id, name) SELECT i, n FROM s",
    'WITH t(a) AS (SELECT 1) UPDATE users SET name = (SELECT a FROM t)',
  ],
  window: [
    'SELECT id, row_number() OVER (PARTITION BY dept ORDER BY salary DESC) AS rn FROM emp',
    'SELECT sum(salary) OVER w, rank() OVER w FROM emp WINDOW w AS (PARTITION BY dept ORDER BY id)',
    'SELECT sum(salary) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW EXCLUDE TIES) FROM emp',
    'SELECT avg(salary) FILTER (WHERE salary > 0) OVER (ORDER BY id RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM emp',
    'SELECT lag(salary, 1, 0) OVER (w ROWS 3 PRECEDING) FROM emp WINDOW w AS (ORDER BY id), w2 AS (PARTITION BY dept)',
    'SELECT count(*) OVER (ORDER BY id GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM emp',
  ],
  dml: [
    'INSERT INTO gen DEFAULT VALUES',
    'INSERT INTO users(name, email) VALUES (?, ?), (?3, ?4)',
    "INSERT OR REPLACE INTO users VALUES (1,'a','b',1,NULL,'{}')",
    "REPLACE INTO tags VALUES (1, 'x')",
    "INSERT INTO users(id,name) VALUES (1,'x') ON CONFLICT(id) DO UPDATE SET name = excluded.name, active = active + 1 WHERE excluded.name <> users.name",
    "INSERT INTO users(id,name) VALUES (1,'x') ON CONFLICT DO NOTHING RETURNING id, name AS n, *",
    'INSERT INTO users(name,email) SELECT name, title FROM posts JOIN emp USING(id) WHERE true ON CONFLICT(email) DO UPDATE SET name=excluded.name ON CONFLICT DO NOTHING',
    'INSERT INTO users AS u (id,name) VALUES (:id, @name) ON CONFLICT (id) DO UPDATE SET name = u.name',
    'UPDATE users SET name = ?1, email = $email WHERE id = ?2',
    'UPDATE users SET (name, email) = (SELECT name, dept FROM emp WHERE emp.id = users.id) WHERE active',
    'UPDATE OR IGNORE users AS u SET active = p.published FROM posts p WHERE p.user_id = u.id RETURNING id',
    'DELETE FROM posts WHERE id = ? RETURNING *',
    'DELETE FROM users',
    'DELETE FROM posts AS p WHERE p.id NOT IN (SELECT post_id FROM tags)',
    "UPDATE strict_t SET a = a + 1, b = b || 'x' WHERE rowid = 1",
    "INSERT INTO docs(docs) VALUES('optimize')",
    'VALUES (1, 2), (3, 4)',
    "VALUES ('a;b')",
  ],
  ddl: [
    'CREATE TABLE t1(a, b, c)',
    'CREATE TABLE IF NOT EXISTS main.t2(id INTEGER PRIMARY KEY AUTOINCREMENT, x TEXT NOT NULL ON CONFLICT IGNORE CHECK (length(x) > 0) COLLATE RTRIM, UNIQUE(x) ON CONFLICT REPLACE)',
    'CREATE TEMP TABLE t3 AS SELECT * FROM users',
    'CREATE TABLE t4(a INT PRIMARY KEY, b TEXT, c ANY, d BLOB) STRICT, WITHOUT ROWID',
    'CREATE TABLE t5(w INT, h INT, area INT GENERATED ALWAYS AS (w*h) STORED, d REAL AS (sqrt(w*w+h*h)))',
    'CREATE TABLE t6(a REFERENCES users(id) ON DELETE SET NULL ON UPDATE CASCADE DEFERRABLE INITIALLY DEFERRED, CONSTRAINT fk FOREIGN KEY (a) REFERENCES users DEFERRABLE)',
    "CREATE TABLE t7(a INT DEFAULT (1+2), b TEXT DEFAULT 'x', c DEFAULT -1.5, d DEFAULT CURRENT_TIMESTAMP, e DOUBLE PRECISION(10,2))",
    'CREATE TABLE "t 8"("a b" TEXT, [c d] INT, `e f` REAL, \'g\' INT)',
    'CREATE UNIQUE INDEX IF NOT EXISTS i1 ON users(lower(name), email DESC) WHERE active = 1',
    'CREATE VIEW v1(a,b) AS SELECT id, name FROM users',
    'CREATE TEMPORARY VIEW IF NOT EXISTS v2 AS VALUES (1)',
    "CREATE VIRTUAL TABLE f1 USING fts5(a, b UNINDEXED, content='posts', content_rowid='id', tokenize = 'porter unicode61')",
    'CREATE VIRTUAL TABLE IF NOT EXISTS r1 USING rtree(id, minX, maxX, minY, maxY)',
    'DROP TABLE IF EXISTS posts',
    'DROP VIEW active_users',
    'DROP INDEX idx_posts_user',
    'DROP TRIGGER IF EXISTS posts_ai',
    'ALTER TABLE users RENAME TO people',
    'ALTER TABLE users RENAME COLUMN name TO full_name',
    'ALTER TABLE users ADD COLUMN age INT DEFAULT 0 CHECK (age >= 0)',
    'ALTER TABLE posts DROP COLUMN body',
    'ALTER TABLE posts DROP body',
    'ANALYZE',
    'ANALYZE main.users',
    'REINDEX',
    'REINDEX idx_posts_user',
    'VACUUM',
    "VACUUM INTO 'x.db'",
  ],
  trigger: [
    'CREATE TRIGGER t1 AFTER INSERT ON posts BEGIN SELECT 1; END',
    "CREATE TEMP TRIGGER IF NOT EXISTS t2 BEFORE UPDATE OF title, body ON posts FOR EACH ROW WHEN new.title <> old.title BEGIN UPDATE users SET active = CASE WHEN new.published THEN 1 ELSE 0 END WHERE id = new.user_id; INSERT INTO tags VALUES (new.id, ';end;'); DELETE FROM tags WHERE post_id = old.id; END",
    'CREATE TRIGGER t3 INSTEAD OF DELETE ON active_users BEGIN DELETE FROM users WHERE id = old.id; /* ; END; */ END',
    "CREATE TRIGGER t4 BEFORE INSERT ON users WHEN NEW.name IS NULL BEGIN SELECT RAISE(ABORT, 'no; name'); SELECT RAISE(IGNORE); END",
    `CREATE TRIGGER "end" AFTER DELETE ON users BEGIN INSERT INTO tags(post_id, tag) VALUES (old.id, 'x') ON CONFLICT DO NOTHING; END`,
    'CREATE TRIGGER t5 AFTER UPDATE ON emp\nBEGIN\n  -- end; of comment\n  SELECT * FROM users;\nEND',
  ],
  json: [
    "SELECT meta -> '$.a', meta ->> 'b', json_extract(meta, '$.c[0]') FROM users",
    "SELECT j.key, j.value FROM users, json_each(users.meta, '$.tags') AS j WHERE j.type = 'text'",
    "SELECT json_group_array(json_object('id', id, 'n', name)) FROM users",
    `SELECT value ->> '$.x' FROM json_tree('{"a":[1,2]}') WHERE atom IS NOT NULL`,
    "UPDATE users SET meta = json_set(meta, '$.k', json('[1]')) WHERE meta ->> '$.k' IS NULL",
    "SELECT jsonb('{}')",
  ],
  fts: [
    "SELECT highlight(docs, 0, '<b>', '</b>'), bm25(docs) FROM docs WHERE docs MATCH 'a NEAR b' ORDER BY rank",
    "SELECT * FROM docs('query') LIMIT 5",
    'SELECT rowid, title FROM docs WHERE title MATCH ?',
  ],
  pragma: [
    'PRAGMA foreign_keys',
    'PRAGMA foreign_keys = ON',
    "PRAGMA main.table_info('users')",
    'PRAGMA journal_mode=WAL',
    'PRAGMA table_xinfo("order")',
    'PRAGMA cache_size = -2000',
    "SELECT * FROM pragma_table_info('users') WHERE pk",
  ],
  tx: [
    'BEGIN',
    'BEGIN IMMEDIATE TRANSACTION',
    'COMMIT',
    'END TRANSACTION',
    'ROLLBACK',
    'SAVEPOINT sp1',
    'ROLLBACK TO SAVEPOINT sp1',
    'RELEASE sp1',
    "ATTACH DATABASE ':memory:' AS aux1",
    'DETACH DATABASE aux1',
    'EXPLAIN QUERY PLAN SELECT * FROM users WHERE id=1',
    'EXPLAIN SELECT 1',
  ],
  ident: [
    'SELECT "group", "total price", [from date], `back` FROM "order" AS o',
    'SELECT "order".id FROM "order"',
    `SELECT o."total price" * 2 FROM "order" o WHERE o."group" = 'x'`,
    'SELECT "имя", größe FROM таблица',
    'SELECT t.größe AS 🎉 FROM "таблица" t',
    `SELECT 'it''s', "id" FROM users WHERE name = 'a"b'`,
    'SELECT id AS "a""b" FROM users',
    `SELECT id "alias", name 'lit' FROM users`,
    'SELECT key, value FROM (SELECT 1 key, 2 value)',
    'SELECT abort, action, before, cascade, conflict, end FROM (SELECT 1 abort, 2 action, 3 before, 4 cascade, 5 conflict, 6 AS end)',
    'SELECT $a, :b, @c, ?, ?5, $ns::x(y) ',
    "SELECT replace(name,'a','b'), glob('a','b'), like('a','b') FROM users",
    'SELECT first, last, current, row, rows FROM (SELECT 1 first, 2 last, 3 current, 4 row, 5 rows)',
    "SELECT id FROM users WHERE name IN ('a', 'b')-- trailing",
  ],
  comment: [
    '-- leading\nSELECT 1 /* mid ; */ + 2 -- end',
    '/* a /* not nested */ SELECT 1',
    'SELECT 1 /* unterminated ok at eof',
    'SELECT\n\t1,\r\n  2',
    '/**/SELECT/**/1',
    'SELECT 1--',
  ],
};

/** Statements that SQLite refuses, because of its grammar or because of the schema. `⟦…⟧` marks the token at fault. */
export const invalid: Readonly<Record<'syntax' | 'semantic', readonly string[]>> = {
  syntax: [
    '⟦SELEC⟧ * FROM users',
    'SELECT * ⟦FORM⟧ users',
    'SELECT id, name, ⟦FROM⟧ users',
    "SELECT id FROM users WHERE name = 'a' ⟦WHERE⟧ id = 1",
    'SELECT (1 + 2 ⟦⟧',
    'SELECT 1 + 2⟦)⟧',
    "INSERT INTO users(name) ⟦VALUE⟧ ('x')",
    "UPDATE users ⟦name⟧ = 'x'",
    'DELETE ⟦users⟧',
    'CREATE TABLE t(a INT b (⟦TEXT⟧ x y))',
    'CREATE TABLE t(a INT,⟦)⟧',
    "SELECT ⟦'unterminated⟧",
    'SELECT * FROM users LIMIT 5 OFFSET 2 ⟦LIMIT⟧ 3',
    'SELECT * FROM users ORDER BY id ⟦WHERE⟧ id = 1',
    'SELECT TOP ⟦10⟧ * FROM users',
    'SELECT * FROM users u INNER u2 ⟦ON⟧ 1',
    'SELECT ⟦group⟧ FROM "order"',
    'SELECT * FROM ⟦order⟧',
    'ALTER TABLE users ADD ⟦INDEX⟧ ix (name) x',
    'SELECT id⟦::int⟧ FROM users',
    'SELECT * FROM users WHERE id = ⟦#1⟧',
    "SELECT ⟦x'abc⟧",
    'SELECT ⟦12abc⟧',
    'CREATE TRIGGER tr AFTER INSERT ON posts BEGIN SELECT 1 ⟦END⟧',
    '⟦CASE⟧ WHEN 1 THEN 2 END',
    '⟦MERGE⟧ INTO users USING emp',
    '⟦SHOW⟧ TABLES',
    '⟦TRUNCATE⟧ TABLE users',
    'SELECT row_number() OVER PARTITION BY ⟦x⟧ FROM emp',
    'SELECT * FROM users FOR ⟦UPDATE⟧',
  ],
  semantic: [
    'SELECT ⟦nme⟧ FROM users',
    'SELECT id FROM ⟦usres⟧',
    'SELECT ⟦u.nope⟧ FROM users u',
    'SELECT ⟦x.id⟧ FROM users u',
    'SELECT ⟦id⟧ FROM users, posts',
    'SELECT ⟦nosuchfn⟧(1)',
    'SELECT ⟦abs⟧(1,2)',
    'INSERT INTO users(name, ⟦zzz⟧) VALUES (1,2)',
    'INSERT INTO ⟦users⟧(name) VALUES (1,2)',
    'UPDATE users SET ⟦nope⟧ = 1',
    'DELETE FROM ⟦missing⟧',
    'SELECT name FROM users WHERE id = (SELECT max(⟦idd⟧) FROM posts)',
    'SELECT * FROM users JOIN posts USING (⟦title⟧)',
    'CREATE INDEX ii ON users(⟦nocol⟧)',
    'CREATE TABLE ⟦users⟧(a)',
    'SELECT id FROM users GROUP BY ⟦count(*)⟧',
    'SELECT 1 UNION SELECT 1, ⟦2⟧',
    'SELECT id FROM users ORDER BY ⟦9⟧',
    'SELECT sum(⟦max⟧(id)) FROM users',
    'UPDATE gen SET ⟦b⟧ = 1',
    'WITH a(x,y) AS (SELECT 1) SELECT * FROM ⟦a⟧',
    'SELECT * FROM users WHERE email = ⟦"nobody"⟧',
  ],
};

/** Half-typed text with the cursor at `¦`, the labels that must be proposed, and those that must not. */
export const midEdit: readonly (readonly [text: string, wanted: string, wrong: string])[] = [
  ['SELECT ¦ FROM users', 'name, email, count', 'title'],
  ['SELECT u.¦ FROM users u', 'name, email', 'title, salary, users'],
  ['SELECT u.na¦ FROM users u JOIN posts p ON p.user_id = u.id', 'name', 'title'],
  ['SELECT p.¦, u.name FROM users u, posts p WHERE p.id = 1', 'title, body', 'email'],
  ['SELECT * FROM ¦', 'users, posts, active_users, docs', 'title'],
  ['SELECT * FROM us¦', 'users', ''],
  ['SELECT * FROM users u WHERE ¦', 'name, email', 'title'],
  ['SELECT * FROM users u WHERE u.¦', 'name, email', 'title, users'],
  ['SELECT * FROM users u JOIN posts p ON ¦', 'user_id, email', 'salary'],
  ['SELECT * FROM users u JOIN posts p ON u.id = p.¦', 'user_id, title', 'email'],
  ['SELECT * FROM users u JOIN ¦', 'posts, tags', 'title'],
  ['SELECT * FROM users WHERE name = ? AND ¦ ORDER BY id', 'email', 'title'],
  ['SELECT * FROM users ORDER BY ¦', 'name, email', 'title'],
  ['SELECT name, count(¦) FROM users GROUP BY ', 'email', 'title'],
  ['SELECT name FROM users GROUP BY ¦', 'name, email', 'title'],
  ['WITH a AS (SELECT id AS aid, name FROM users) SELECT ¦ FROM a', 'aid, name', 'email'],
  ['WITH a AS (SELECT id AS aid, name FROM users) SELECT * FROM ¦', 'a, users', ''],
  ['WITH a AS (SELECT id AS aid FROM users) SELECT x.¦ FROM a x', 'aid', 'email'],
  ['WITH a AS (SELECT ¦ FROM users) SELECT * FROM a', 'email, name', 'title'],
  ['SELECT s.¦ FROM (SELECT id AS sid, title FROM posts) s', 'sid, title', 'body'],
  ['SELECT (SELECT p.¦ FROM posts p WHERE p.user_id = u.id) FROM users u', 'title', 'email'],
  ['SELECT (SELECT max(id) FROM posts p WHERE p.user_id = u.¦) FROM users u', 'email', 'title'],
  ['INSERT INTO ¦', 'users, posts', ''],
  ['INSERT INTO users(¦', 'name, email', 'title'],
  ['INSERT INTO users(id, ¦) VALUES (1, 2)', 'name, email', 'title'],
  ['UPDATE ¦', 'users, posts', ''],
  ['UPDATE users SET ¦', 'name, email', 'title'],
  ['UPDATE users SET name = ?, ¦ WHERE id = 1', 'email', 'title'],
  ['UPDATE users SET name = 1 WHERE ¦', 'email', 'title'],
  ['DELETE FROM posts WHERE ¦', 'title', 'email'],
  ['DELETE FROM ¦', 'users', ''],
  ['INSERT INTO users(id,name) VALUES (1,2) ON CONFLICT(id) DO UPDATE SET name = excluded.¦', 'name, email', 'title'],
  ['INSERT INTO users(id,name) VALUES (1,2) RETURNING ¦', 'email', 'title'],
  [
    'CREATE TRIGGER t AFTER UPDATE ON posts BEGIN UPDATE users SET active = 1 WHERE id = NEW.¦',
    'user_id, title',
    'email',
  ],
  ['CREATE INDEX i ON users(¦', 'email', 'title'],
  ['SELECT "order".¦ FROM "order"', 'id, group', 'email'],
  ['SELECT o.¦ FROM "order" o', 'group', 'email'],
  ['SELECT u.¦\n\nSELECT p.title FROM posts p', '', 'title'],
  ['SELECT u.¦ FROM users u;\nSELECT p.title FROM posts p', 'email', 'title'],
  ['SELECT 1 +; SELECT ¦ FROM posts', 'title', 'email'],
  ["SELECT 'it¦ FROM users", '', 'users, name'],
  [
    'SELECT e.name, m.¦ FROM emp e LEFT JOIN emp m ON m.id = e.mgr WHERE e.salary > (SELECT avg(salary) FROM emp',
    'salary, dept',
    'email',
  ],
  ['SELECT j.¦ FROM users, json_each(users.meta) j', 'value, key', 'email'],
  ['SELECT * FROM users u WHERE EXISTS (SELECT 1 FROM posts p WHERE p.user_id = u.id AND ¦)', 'title, email', 'salary'],
  ['PRAGMA ¦', 'foreign_keys, table_info', 'users'],
  ['SEL¦', 'SELECT', ''],
  ['SELECT * FROM users u WH¦', 'WHERE', ''],
  ['SELECT * FROM users ORDER ¦', 'BY', ''],
  ['SELECT row_number() OVER (¦ FROM emp', 'PARTITION, ORDER', ''],
  ['CREATE ¦', 'TABLE, INDEX, TRIGGER', 'users'],
  ['ALTER TABLE users ¦', 'RENAME, ADD, DROP', ''],
  ['SELECT row_nu¦ FROM emp', 'row_number', ''],
  ['SELECT json_ex¦ FROM users', 'json_extract', ''],
  ['WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM c WHERE n < 5) SELECT ¦ FROM c', 'n', 'email'],
  ['SELECT a.name FROM active_users a WHERE a.¦', 'email, id', 'active, created_at'],
];

export interface Marked {
  readonly sql: string;
  /** The token at fault. It is empty where the text ends too early, and undefined without a mark. */
  readonly fault?: { readonly offset: number; readonly length: number };
}

/** Removes the marks from a statement and returns their position. */
export function unmark(marked: string): Marked {
  const sql = marked.replaceAll(/[⟦⟧]/g, '');
  const offset = marked.indexOf('⟦');
  return offset === -1 ? { sql } : { sql, fault: { offset, length: marked.indexOf('⟧') - 1 - offset } };
}

/** Every statement of the corpus, without marks. */
export const everyStatement: readonly string[] = [
  ...Object.values(valid).flat(),
  ...Object.values(invalid)
    .flat()
    .map(marked => unmark(marked).sql),
  ...midEdit.map(([text]) => text.replace('¦', '')),
];

/** The statements that SQLite prepares on the schema, and those that its grammar refuses, without marks. */
export const validStatements: readonly string[] = Object.values(valid).flat();
export const brokenStatements: readonly string[] = invalid.syntax.map(marked => unmark(marked).sql);
