import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { formatStatement, type SqlFormatOptions, isSameTree } from '../../../src/sql/formatter/formatter.ts';
import { parseStatement } from '../../../src/sql/parser/parser.ts';
import { coarseTokens } from '../../../src/sql/text/tokens.ts';
import { oneOf, seeded, upTo } from '../../fuzz/random.ts';
import { assertWithin, cpuMs } from '../../support/cpuTime.ts';
import { formatDocument } from '../../support/formatDocument.ts';
import { brokenStatements, ddl, validStatements } from '../corpus.ts';

const cases: readonly (readonly [description: string, text: string, formatted: string, options?: SqlFormatOptions])[] =
  [
    ['a statement that fits on a line', 'select  a ,b from\n t where a=1', 'SELECT a, b FROM t WHERE a = 1'],
    [
      'clauses, lists and conditions that do not fit',
      'select alpha, beta from t where alpha = 1 and beta between 2 and 3 or gamma',
      'SELECT alpha, beta\nFROM t\nWHERE\n  alpha = 1'.replace('\n  alpha', ' alpha') +
        '\n  AND beta BETWEEN 2 AND 3\n  OR gamma',
      { lineWidth: 30 },
    ],
    ['a list that does not fit', 'select alpha, beta, gamma', 'SELECT\n  alpha,\n  beta,\n  gamma', { lineWidth: 20 }],
    [
      'commas before items',
      'select alpha, -- first\nbeta, gamma',
      'SELECT\n\talpha -- first\n\t, beta\n\t, gamma',
      { commas: 'before', indent: '\t' },
    ],
    [
      'commas after items',
      'select alpha -- first\n, beta -- second\n, gamma',
      'SELECT\n  alpha, -- first\n  beta, -- second\n  gamma',
    ],
    [
      'a list after a literal with line breaks, whose last line is short',
      "select 'a long first line\nend' || coalesce(a, b) from t",
      "SELECT 'a long first line\nend' || coalesce(a, b)\nFROM t",
      { lineWidth: 30 },
    ],
    ['keywords in lower case', 'SELECT A FROM T', 'select A from T', { keywordCase: 'lower' }],
    ['keywords as they are', 'Select a From t', 'Select a From t', { keywordCase: 'keep' }],
    [
      'names that are spelled like keywords',
      'select key, desc, t.left, end from t as row order by desc desc',
      'SELECT key, desc, t.left, end FROM t AS row ORDER BY desc DESC',
    ],
    [
      'generated columns and virtual tables, whose arguments are not keywords',
      'create table t(a int as (1) virtual);create virtual table d using fts5(content,order)',
      'CREATE TABLE t (a int AS (1) virtual);\nCREATE VIRTUAL TABLE d USING fts5(content, order)',
    ],
    [
      'a trigger',
      'create trigger r after update of a, b on t when new.a > 1 begin select case when 1 then 2 end; delete from t; end;',
      'CREATE TRIGGER r AFTER UPDATE OF a, b ON t WHEN new.a > 1\nBEGIN\n  SELECT CASE WHEN 1 THEN 2 END;\n  DELETE FROM t;\nEND;',
    ],
    [
      'CASE that does not fit',
      "select case a when 1 then 'one' when 2 then 'two' else 'many' end",
      "SELECT CASE a\n  WHEN 1 THEN 'one'\n  WHEN 2 THEN 'two'\n  ELSE 'many'\nEND",
      { lineWidth: 30 },
    ],
    [
      'common tables',
      'with a as (select 1 as x), b(y) as (select 2) select x, y from a join b on x = y',
      'WITH\n  a AS (SELECT 1 AS x),\n  b(y) AS (SELECT 2)\nSELECT x, y\nFROM a\nJOIN b ON x = y',
      { lineWidth: 40 },
    ],
    [
      'comments in odd places',
      '-- top\nselect /* one */ 1 -- two\n  , /* three */ 2\n-- four\nfrom t -- five\n;-- six\n/* seven */',
      '-- top\nSELECT /* one */\n  1, -- two\n  /* three */\n  2\n-- four\nFROM t -- five\n; -- six\n/* seven */',
    ],
    [
      'statements with lines and comments between them',
      'select 1;select 2; -- two\n\n\n\n-- three\nselect 3;;  \n',
      'SELECT 1;\nSELECT 2; -- two\n\n-- three\nSELECT 3;;\n',
    ],
    ['signs that must not meet', 'select - -1, 1 - -2, +-3, -a', 'SELECT - -1, 1 - -2, + -3, -a'],
    ['line ends of Windows', 'select 1;\r\nselect 2;\r\n', 'SELECT 1;\r\nSELECT 2;\r\n'],
    ['strings and quoted names', `select 'a  ''b', "C  d", [e  f], x'0a'`, `SELECT 'a  ''b', "C  d", [e  f], x'0a'`],
    ['an empty text', '', ''],
    ['only space', ' \n\n', ''],
  ];

for (const [description, text, formatted, options] of cases) {
  test(`the formatter lays out ${description}`, () => {
    assert.equal(formatDocument(text, options), formatted);
    assert.equal(formatDocument(formatted, options), formatted, 'a second time');
  });
}

const invalid = [
  'select (1',
  'select 1) x',
  "select 'open",
  'select 12ab',
  "select x'0'",
  'select #',
  'select 1; ) select 2',
  'select $a(b',
];

test('the formatter does not change an invalid statement, but those around it', () => {
  for (const text of invalid) assert.equal(formatStatement(text), text);
  const text = 'select   1;\nselect   (  2;\nselect   3;';
  assert.equal(formatDocument(text), 'SELECT 1;\nselect   (  2;\nSELECT 3;');
});

test('the formatter keeps a vertical tab before a statement, because it makes the statement invalid', () => {
  for (const text of ['SELECT 1;\vselect   2;', 'SELECT 1; /* a */\vselect   2;'])
    assert.equal(formatDocument(text), text);
});

/** The text of an expression names a column that these or later statements may use. */
const namedByText = [
  'create view v as select id+1 from orders;',
  'create table t as select count( * ) from orders;',
  'create view v as select * from (select id+1 from orders)',
  'select "id+1" from (select id+1 from orders)',
  'select "id + 1" from (select id+1 from orders)',
  'with c as (select id+1, id+1 from orders) select "id+1:1" from c',
  'select 1 from (select id+1 from orders) natural join (select id + 1 from orders)',
  'update t set a = "id+1" from (select id+1 from orders)',
  'SELECT [id+1 /* a */] FROM (SELECT id+1 /* a */  FROM orders)',
];

test('the formatter does not change the names of columns that are used', () => {
  for (const text of namedByText) {
    for (const keywordCase of ['upper', 'keep'] as const) assert.equal(formatStatement(text, { keywordCase }), text);
  }
});

test('the formatter lays out a query whose columns have names, or names that nothing uses', () => {
  for (const [text, formatted] of [
    ['create view v(a) as select id+1 from orders', 'CREATE VIEW v (a) AS SELECT id + 1 FROM orders'],
    [
      'create view v as select id+1 as a, o.id from orders o',
      'CREATE VIEW v AS SELECT id + 1 AS a, o.id FROM orders o',
    ],
    ['create view v as select  id from t where (select a+1)', 'CREATE VIEW v AS SELECT id FROM t WHERE (SELECT a + 1)'],
    ['select 1 from (select id+1 from orders)', 'SELECT 1 FROM (SELECT id + 1 FROM orders)'],
    ['select "a" from (select a, id+1 from b)', 'SELECT "a" FROM (SELECT a, id + 1 FROM b)'],
    ['select id+1 from orders', 'SELECT id + 1 FROM orders'],
  ] as const) {
    assert.equal(formatStatement(text), formatted);
  }
});

/** SQLite's message or the columns of a statement. A column without an alias is named by its text, compared without space. */
function prepareResult(sql: string): unknown {
  const database = new DatabaseSync(':memory:');
  try {
    database.exec(ddl);
    const columns = database.prepare(sql).columns();
    return columns.map(({ name, column, table }) => [
      column ? name : name.replaceAll(/--[^\n]*|\/\*[^]*?\*\/|\s/g, '').toLowerCase(),
      column,
      table,
    ]);
  } catch (thrown) {
    return (thrown as Error).message.replace(/near "(.*)"/, (_, near: string) => near.toLowerCase());
  } finally {
    database.close();
  }
}

test('the formatter does not change a statement that the grammar refuses', () => {
  for (const text of brokenStatements) assert.equal(formatStatement(text), text);
});

const styles: readonly SqlFormatOptions[] = [
  {},
  { lineWidth: 0 },
  { lineWidth: 30, keywordCase: 'lower', indent: '\t' },
  { lineWidth: 50, keywordCase: 'keep', commas: 'before' },
];

const tokensOf = (text: string): string[] =>
  [...coarseTokens(text)]
    .filter(({ kind }) => kind !== 'space' && kind !== 'comment')
    .map(({ start, end }) => text.slice(start, end).toLowerCase());
const commentsOf = (text: string): string[] =>
  [...coarseTokens(text)]
    .filter(({ kind }) => kind === 'comment')
    .map(({ start, end }) => text.slice(start, end).trim());

for (const style of styles) {
  test(`formatting with ${JSON.stringify(style)} keeps meaning, tokens and comments, and is stable`, () => {
    for (const sql of validStatements) {
      const formatted = formatDocument(sql, style);
      assert.equal(formatDocument(formatted, style), formatted, sql);
      assert.deepEqual(tokensOf(formatted), tokensOf(sql));
      assert.deepEqual(commentsOf(formatted), commentsOf(sql));
      assert.deepEqual(prepareResult(formatted), prepareResult(sql), formatted);
    }
  });
}

test('formatting random pieces of statements does not throw and is stable', () => {
  const random = seeded(4);
  const pieces = validStatements.flatMap(sql => sql.match(/\s+|\w+|--|\/\*|\*\/|./gs) ?? []);
  for (let round = 0; round < 5000; round++) {
    const style = styles[round % styles.length] ?? {};
    const text = Array.from({ length: upTo(random, 30) }, () => oneOf(random, pieces)).join(oneOf(random, ['', ' ']));
    const formatted = formatDocument(text, style);
    assert.equal(formatDocument(formatted, style), formatted, JSON.stringify(text));
    assert.equal(tokensOf(formatted).join(''), tokensOf(text).join(''), JSON.stringify(text));
  }
});

test('formatting keeps comments between any two tokens', () => {
  const random = seeded(5);
  const inserts = [' /* a */ ', ' -- b\n', '\n-- c\n', '\n/* d\n d */\n', '/**/'];
  for (const sql of validStatements.filter(text => !/--|\/\*/.test(text))) {
    const text = [...coarseTokens(sql)]
      .map(
        ({ start, end, kind }) => sql.slice(start, end) + (kind === 'space' ? (inserts[upTo(random, 12)] ?? '') : ''),
      )
      .join('');
    for (const style of styles) {
      const formatted = formatDocument(text, style);
      assert.equal(formatDocument(formatted, style), formatted, JSON.stringify(text));
      assert.deepEqual(tokensOf(formatted), tokensOf(text));
      assert.deepEqual(commentsOf(formatted), commentsOf(text));
      assert.deepEqual(prepareResult(formatted), prepareResult(sql), formatted);
    }
  }
});

test('formatting deep nesting does not exhaust the call stack', () => {
  for (const piece of ['(', 'case ', 'select (', '()', '- ', 'a,']) assert.ok(formatDocument(piece.repeat(50_000)));
});

test('10,000 lines are formatted within a second of CPU time', async () => {
  const lines = formatDocument(`${validStatements.slice(0, 120).join(';\n')};\n`, { lineWidth: 40 });
  const text = lines.repeat(Math.ceil(10_000 / lines.split('\n').length));
  // The first run compiles the code.
  await assertWithin(1000, () => cpuMs(() => assert.ok(formatDocument(text).length > 100_000)));
});

const treeCases: readonly (readonly [left: string, right: string, expected: boolean])[] = [
  ['select  a from t', 'SELECT a\nFROM t', true],
  ['SELECT a FROM t', 'SELECT A FROM t', false],
  ['SELECT a, b', 'SELECT a', false],
  ['SELECT 1', "SELECT '1'", false],
  ["SELECT x'00'", "SELECT x'01'", false],
  ['SELECT -1', 'SELECT - 1', true],
  ['SELECT a AND b OR c', 'SELECT a AND (b OR c)', false],
  ['PRAGMA x = on', 'PRAGMA x = ON', true],
  ['CREATE TABLE t (a int generated always as (1))', 'CREATE TABLE t (a int GENERATED ALWAYS AS (1))', true],
  ['CREATE TABLE t (a int)', 'CREATE TABLE t (a INT)', false],
];

for (const [left, right, expected] of treeCases) {
  test(`${left} and ${right} ${expected ? 'mean the same' : 'differ'}`, () =>
    assert.equal(isSameTree(parseStatement(left).ast!, parseStatement(right).ast!), expected));
}

test('a sum of 10,000 terms is compared without exhausting the call stack', () => {
  const sum = `SELECT ${'1 + '.repeat(10_000)}1`;
  assert.ok(isSameTree(parseStatement(sum).ast!, parseStatement(sum.replaceAll(' ', '\n')).ast!));
});
