import assert from 'node:assert/strict';
import { test } from 'node:test';
import { highlightsOf } from '../../../src/sql/highlighting/highlights.ts';
import { CoarseScanner } from '../../../src/sql/text/tokens.ts';
import { everyStatement } from '../corpus.ts';

/** The tokens of each kind. `!` marks a declaration, `*` a function of SQLite itself. */
function kindsOf(statement: string): Record<string, string> {
  const kinds: Record<string, string> = {};
  for (const { start, end, kind, isDeclaration, isBuiltIn } of highlightsOf(statement)) {
    const text = statement.slice(start, end) + (isDeclaration ? '!' : '') + (isBuiltIn ? '*' : '');
    kinds[kind] = kinds[kind] === undefined ? text : `${kinds[kind]} ${text}`;
  }
  return kinds;
}

const cases: readonly (readonly [description: string, statement: string, kinds: Readonly<Record<string, string>>])[] = [
  [
    'quoted names are names, and only apostrophes quote strings',
    `SELECT "a ""b", [c d], \`e\`, 'f ''g', x'00'`,
    { keyword: 'SELECT', column: '"a ""b" [c d] `e`', string: "'f ''g' x'00'" },
  ],
  [
    'numbers, parameters and operators',
    "SELECT 1.5e3, .5, 0xFF, ?, ?1, :a, @b, $c, a ->> '$' || -b",
    {
      keyword: 'SELECT',
      number: '1.5e3 .5 0xFF',
      parameter: '? ?1 :a @b $c',
      column: 'a b',
      operator: '->> || -',
      string: "'$'",
    },
  ],
  [
    'keywords that are used as names',
    'SELECT key, t.left, replace(desc, 1, 2) FROM row AS t ORDER BY desc DESC',
    {
      keyword: 'SELECT FROM AS ORDER BY DESC',
      column: 'key left desc desc',
      alias: 't t!',
      function: 'replace*',
      number: '1 2',
      table: 'row',
    },
  ],
  [
    'tables, aliases and databases, also before the FROM that declares them',
    'SELECT u.id, posts.id, n AS m FROM main.users u, posts, (SELECT 1) AS s',
    {
      keyword: 'SELECT AS FROM SELECT AS',
      alias: 'u u! s!',
      column: 'id id n m!',
      table: 'posts users posts',
      database: 'main',
      number: '1',
    },
  ],
  [
    'common tables and windows',
    'WITH RECURSIVE c(x) AS (SELECT 1) SELECT row_number() OVER w FROM c WINDOW w AS (PARTITION BY x)',
    {
      keyword: 'WITH RECURSIVE AS SELECT SELECT OVER FROM WINDOW AS PARTITION BY',
      table: 'c! c',
      column: 'x x',
      number: '1',
      function: 'row_number*',
      object: 'w w',
    },
  ],
  [
    'types of columns and casts',
    'CREATE TABLE t (a UNSIGNED BIG INT NOT NULL, b VARCHAR(9) COLLATE NOCASE, c INT GENERATED ALWAYS AS (CAST(a AS "x")) STORED) STRICT',
    {
      keyword: 'CREATE TABLE NOT NULL COLLATE GENERATED ALWAYS AS CAST AS STORED STRICT',
      table: 't!',
      column: 'a! b! c! a',
      type: 'UNSIGNED BIG INT VARCHAR INT "x"',
      number: '9',
      object: 'NOCASE',
    },
  ],
  [
    'table functions and functions of the project',
    "SELECT my_function(value) FROM json_each('[]')",
    { keyword: 'SELECT FROM', function: 'my_function json_each*', column: 'value', string: "'[]'" },
  ],
  [
    'the rows of a trigger and of an upsert',
    'CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO u VALUES (new.a) ON CONFLICT (b) DO UPDATE SET b = excluded.b; END',
    {
      keyword: 'CREATE TRIGGER AFTER INSERT ON BEGIN INSERT INTO VALUES ON CONFLICT DO UPDATE SET END',
      object: 'r!',
      table: 't u',
      alias: 'new excluded',
      column: 'a b b b',
      operator: '=',
    },
  ],
  [
    'arguments of a virtual table',
    "CREATE VIRTUAL TABLE d USING fts5(title, key, tokenize = 'porter')",
    {
      keyword: 'CREATE VIRTUAL TABLE USING',
      table: 'd!',
      type: 'fts5',
      column: 'title key tokenize',
      operator: '=',
      string: "'porter'",
    },
  ],
  [
    'TRUE, FALSE and the words that only their place makes keywords',
    'CREATE TABLE t (rowid INT DEFAULT true, strict) WITHOUT ROWID, STRICT',
    {
      keyword: 'CREATE TABLE DEFAULT true WITHOUT ROWID STRICT',
      table: 't!',
      column: 'rowid! strict!',
      type: 'INT',
    },
  ],
  [
    'comments',
    'SELECT -- one\n /* two\n */ 1 --',
    { keyword: 'SELECT', comment: '-- one /* two\n */ --', number: '1' },
  ],
  [
    'half-typed text with an open string',
    "SELECT a FROM t WHERE b = 'c",
    {
      keyword: 'SELECT FROM WHERE',
      column: 'a b',
      table: 't',
      operator: '=',
      string: "'c",
    },
  ],
  [
    'a text without a tree, by its tokens',
    `) ) ) ) ) ) ) ) ) ) ) ) ) ) ) ) ) ) select abs (a), t.key, 'b' from "c" -- d`,
    { keyword: 'select from', function: 'abs*', column: 'a t key "c"', string: "'b'", comment: '-- d' },
  ],
];

for (const [description, statement, kinds] of cases) {
  test(`highlighting knows ${description}`, () => assert.deepEqual(kindsOf(statement), kinds));
}

test('highlights are in order, and every word, string, number, parameter and comment has one', () => {
  for (const statement of everyStatement) {
    const highlighted = new Map<number, number>();
    let previousEnd = 0;
    for (const { start, end } of highlightsOf(statement)) {
      assert.ok(start >= previousEnd && end > start && end <= statement.length, statement);
      highlighted.set(start, end);
      previousEnd = end;
    }
    const scanner = new CoarseScanner(statement);
    while (scanner.next()) {
      const { kind, start, end } = scanner;
      if (kind === 'space' || kind === 'semicolon' || kind === 'other') continue;
      // The tree ends at a NUL character.
      if (statement.slice(0, end).includes('\0')) break;
      assert.equal(highlighted.get(start), end, `${statement.slice(start, end)} in ${statement}`);
    }
  }
});
