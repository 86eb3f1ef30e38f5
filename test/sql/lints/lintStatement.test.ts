import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lintStatement } from '../../../src/sql/lints/lintStatement.ts';
import { parseStatement } from '../../../src/sql/parser/parser.ts';
import { Schema } from '../../../src/sql/schema/schema.ts';
import type { TableLookup } from '../../../src/sql/tables/schemaTable.ts';
import { seeded } from '../../fuzz/random.ts';
import { damaged, randomScript } from '../../fuzz/sqlTexts.ts';
import { openSqliteOracle } from '../../support/sqliteOracle.ts';
import { ddl } from '../corpus.ts';

const schema = Schema.of(ddl);
const oracle = await openSqliteOracle(ddl);

const lintsOf = (text: string): string[] =>
  lintStatement({ text, parsed: parseStatement(text), schema }).map(
    ({ code, start, end }) => `${code} ${text.slice(start, end)}`,
  );

type Case = readonly [text: string, ...lints: string[]];

const cases: Readonly<Record<string, readonly Case[]>> = {
  missing_where: [
    ['DELETE FROM users', 'missing_where DELETE'],
    ['WITH x AS (SELECT 1 AS i) UPDATE users SET id = (SELECT i FROM x)', 'missing_where UPDATE'],
    ['UPDATE users SET name = 1 WHERE 1 = 1', 'missing_where 1 = 1'],
    ['DELETE FROM users WHERE id = id OR name', 'missing_where id = id OR name'],
    ['DELETE FROM users WHERE id = 1'],
    ['EXPLAIN DELETE FROM users'],
  ],
  needs_session: [
    ['BEGIN', 'needs_session BEGIN'],
    ['/* begin */ ROLLBACK TO x', 'needs_session ROLLBACK'],
    ['CREATE TEMP TABLE temporary (x)', 'needs_session TEMP'],
    ['CREATE VIEW temp.v AS SELECT 1', 'needs_session temp'],
    ["ATTACH 'x' AS y", 'needs_session ATTACH'],
    ['PRAGMA foreign_keys = ON', 'needs_session PRAGMA'],
    ['PRAGMA table_info(users)'],
    ['EXPLAIN BEGIN'],
  ],
  equals_null: [
    ['SELECT id FROM users WHERE email = NULL', 'equals_null = NULL'],
    ['SELECT id FROM users WHERE email<>NULL OR NULL == name', 'equals_null <>NULL', 'equals_null NULL =='],
    ['SELECT id FROM users WHERE email IS NULL AND name IS NOT NULL'],
    ['UPDATE users SET email = NULL WHERE id = 1'],
  ],
  never_matches: [
    ["SELECT name FROM users WHERE id = 'abc'", "never_matches 'abc'"],
    ["SELECT name FROM users u WHERE '' = u.id OR (u.id) IN (1, 'x', '2')", "never_matches ''", "never_matches 'x'"],
    ["SELECT name FROM emp WHERE salary > 'a' OR salary BETWEEN 'b' AND 3", "never_matches 'a'", "never_matches 'b'"],
    ["SELECT name FROM users WHERE id = x'00'", "never_matches x'00'"],
    ["DELETE FROM users WHERE id = 'abc' RETURNING name", "never_matches 'abc'"],
    ["SELECT 1 FROM posts WHERE EXISTS (SELECT 1 FROM users WHERE user_id = 'a')", "never_matches 'a'"],
    ["SELECT name FROM users WHERE id = '12' OR id = ' -1.5e3 ' OR id <> 'abc' OR id < 'abc' OR id NOT IN ('a')"],
    ["SELECT name FROM users WHERE +id = 'abc' OR name = 'abc' OR name = 12 OR id || '' = 'abc'"],
    ["SELECT 1 FROM active_users WHERE id = 'abc'"],
    ["SELECT 1 FROM (SELECT id FROM users UNION SELECT name FROM emp) WHERE id = 'abc'"],
    ["SELECT 1 FROM nowhere WHERE id = 'abc'"],
  ],
  missing_comma: [
    ['SELECT id name FROM users', 'missing_comma name'],
    ['SELECT u.id\n  "NAME", email FROM users u', 'missing_comma "NAME"'],
    ['SELECT id AS name, email mail, id id, lower(id) email FROM users'],
  ],
  implicit_cross_join: [
    ['SELECT u.id FROM users u, posts p', 'implicit_cross_join posts'],
    ['SELECT u.id FROM users u JOIN posts p', 'implicit_cross_join posts'],
    ['SELECT u.id FROM users u LEFT JOIN posts p ON p.published = 1', 'implicit_cross_join posts'],
    ['SELECT u.id FROM users u JOIN posts p ON user_id = u.id JOIN (SELECT tag FROM tags) t', 'implicit_cross_join t'],
    ['SELECT 1 FROM users, (posts JOIN tags ON posts.id = post_id)', 'implicit_cross_join posts'],
    ['SELECT 1 FROM users, (SELECT tag FROM tags)', 'implicit_cross_join SELECT tag FROM tags'],
    ['UPDATE users SET name = title FROM posts WHERE users.id = 3', 'implicit_cross_join posts'],
    ['SELECT 1 FROM users WHERE id IN (SELECT p.id FROM posts p, tags)', 'implicit_cross_join tags'],
    ['WITH a AS (SELECT id FROM users) SELECT e.id FROM emp e, a', 'implicit_cross_join a'],
    ['SELECT u.id FROM users u, posts p WHERE (u.id = p.user_id AND p.id = 1)'],
    ['SELECT u.id FROM users u, posts WHERE user_id + 1 > abs(email)'],
    ['SELECT u.id FROM users u JOIN posts p ON u.id = u.id', 'implicit_cross_join posts'],
    ['SELECT u.id FROM users u CROSS JOIN posts p'],
    ['SELECT u.id FROM users u LEFT JOIN posts p ON TRUE JOIN tags ON 1'],
    ['SELECT 1 FROM users NATURAL JOIN emp JOIN posts USING (id)'],
    ['SELECT j.key FROM users u, json_each(u.meta) j, (SELECT max(id) AS m FROM posts) x'],
    ['WITH t AS (SELECT count(*) AS n FROM posts) SELECT u.id, n FROM t, users u'],
    ['SELECT 1 FROM users u, posts p, tags t WHERE u.id = p.user_id AND t.post_id = p.id'],
    ['SELECT 1 FROM users u, posts p WHERE EXISTS (SELECT 1 FROM tags WHERE post_id = u.id AND tag = p.title)'],
    ['SELECT 1 FROM users, nowhere'],
    ['UPDATE users SET name = title FROM posts WHERE user_id = users.id'],
  ],
  duplicate_result_columns: [
    ['SELECT id, name, ID FROM users', 'duplicate_result_columns ID'],
    ['SELECT *, u.email FROM users u', 'duplicate_result_columns u.email'],
    ['SELECT u.*, p.* FROM users u JOIN posts p ON user_id = u.id', 'duplicate_result_columns p.*'],
    ['SELECT count(*), count(*) FROM users', 'duplicate_result_columns count(*)'],
    ['CREATE VIEW v AS SELECT id, email AS id FROM users', 'duplicate_result_columns email AS id'],
    ['CREATE VIEW v (a, b) AS SELECT id, id FROM users'],
    ['SELECT * FROM users JOIN emp USING (id, name)'],
    ['INSERT INTO posts (id, user_id) SELECT id, id FROM users'],
  ],
  star_in_view: [
    ['CREATE VIEW v AS SELECT * FROM users UNION SELECT u.* FROM users u', 'star_in_view *', 'star_in_view u.*'],
    ['CREATE VIEW v AS SELECT count(*) AS n FROM (SELECT * FROM users)'],
  ],
  limit_without_order: [
    ['SELECT id FROM users LIMIT 5', 'limit_without_order LIMIT'],
    ['SELECT id FROM users WHERE id IN (SELECT id FROM emp LIMIT 1 OFFSET 1)', 'limit_without_order LIMIT'],
    ['WITH t AS (SELECT 1 UNION SELECT id FROM users LIMIT 5) SELECT * FROM t', 'limit_without_order LIMIT'],
    ['WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t LIMIT 5) SELECT n FROM t'],
    ['SELECT id FROM users ORDER BY id LIMIT 5'],
    ['SELECT count(*) FROM users LIMIT 1'],
    ['SELECT EXISTS (SELECT 1 FROM users LIMIT 1)'],
  ],
  unused_common_table: [
    ['WITH a AS (SELECT 1), b (x) AS (SELECT 2) SELECT x FROM b', 'unused_common_table a AS (SELECT 1)'],
    [
      'WITH RECURSIVE n (i) AS (SELECT 1 UNION SELECT i + 1 FROM n) SELECT 1',
      'unused_common_table n (i) AS (SELECT 1 UNION SELECT i + 1 FROM n)',
    ],
    [
      'WITH a AS (SELECT 1) SELECT x FROM (WITH A AS (SELECT 2 AS x) SELECT x FROM a)',
      'unused_common_table a AS (SELECT 1)',
    ],
    ['WITH users AS (SELECT 1) SELECT id FROM main.users', 'unused_common_table users AS (SELECT 1)'],
    ['WITH recent AS (SELECT 1) SELECT * FROM nowhere'],
    ['WITH a AS (SELECT 1 AS x), b AS (SELECT x FROM a) DELETE FROM users WHERE id IN b'],
  ],
};

for (const [code, rows] of Object.entries(cases)) {
  test(`${code} is reported where it should be, and only there`, () => {
    for (const [text, ...lints] of rows) {
      assert.deepEqual(
        lintsOf(text).filter(lint => lint.startsWith(code)),
        lints,
        text,
      );
    }
  });
}

test('a message fits on a line of the Problems view, and says last what to do', () => {
  for (const [text] of Object.values(cases).flat()) {
    for (const { message } of lintStatement({ text, parsed: parseStatement(text), schema })) {
      assert.match(message, /^.{20,90}$/, message);
      assert.match(message, /\. [A-Z][^.]*\.$/, message);
    }
  }
});

test('every case is a statement that SQLite accepts, but those with unknown tables', () => {
  for (const [text] of Object.values(cases).flat()) {
    const { kind, message } = oracle.prepare(text);
    assert.ok(kind === 'statement' || /^no such table: nowhere$|^not authorized$/.test(message), `${text}: ${message}`);
  }
});

test('a statement has no lints if its syntax is invalid or it is longer than people write', () => {
  assert.deepEqual(lintsOf('DELETE FROM users; x'), []);
  assert.deepEqual(lintsOf('DELETE FROM'), []);
  assert.deepEqual(lintsOf(`DELETE FROM users /* ${'x'.repeat(260 * 1024)} */`), []);
});

test('the lookups for one statement and its lints are bounded', () => {
  const comparisons = Array.from({ length: 8000 }, () => "id = 'abc'").join(' OR ');
  const tables = Array.from({ length: 64 }, (_, index) => `users u${index}`).join(', ');
  const nested = `${'SELECT name FROM users, ('.repeat(40)}SELECT title FROM posts${')'.repeat(40)}`;
  for (const text of [`SELECT 1 FROM users WHERE ${comparisons}`, `SELECT * FROM ${tables}`, nested]) {
    let lookups = 0;
    const counting: TableLookup = {
      table(name) {
        lookups++;
        return schema.table(name);
      },
    };
    const lints = lintStatement({ text, parsed: parseStatement(text), schema: counting });
    assert.ok(lints.length > 0 && lints.length <= 100, `${lints.length} lints of ${text.slice(0, 80)}`);
    assert.ok(lookups <= 30_000, `${lookups} lookups for ${text.slice(0, 80)}`);
  }
});

test('linting damaged statements does not throw', () => {
  const random = seeded(7);
  for (let round = 0; round < 2000; round++) lintsOf(damaged(random, randomScript(random)));
});
