import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { type FormatOptions, formatDocument, formatStatement } from '../../../src/sql/formatter/formatter.ts';
import { coarseTokens } from '../../../src/sql/text/tokens.ts';
import { brokenStatements, ddl as schema, validStatements } from '../corpus.ts';

const cases: readonly (readonly [name: string, from: string, to: string, options?: FormatOptions])[] = [
  ['what fits on a line', 'select  a ,b from\n t where a=1', 'SELECT a, b FROM t WHERE a = 1'],
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
    'commas behind items',
    'select alpha -- first\n, beta -- second\n, gamma',
    'SELECT\n  alpha, -- first\n  beta, -- second\n  gamma',
  ],
  ['keywords in lower case', 'SELECT A FROM T', 'select A from T', { keywordCase: 'lower' }],
  ['keywords as they are', 'Select a From t', 'Select a From t', { keywordCase: 'keep' }],
  [
    'names that are spelled like keywords',
    'select key, desc, t.left, end from t as row order by desc desc',
    'SELECT key, desc, t.left, end FROM t AS row ORDER BY desc DESC',
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

for (const [name, from, to, options] of cases) {
  test(`formats ${name}`, () => {
    assert.equal(formatDocument(from, options), to);
    assert.equal(formatDocument(to, options), to, 'again');
  });
}

const broken = [
  'select (1',
  'select 1) x',
  "select 'open",
  'select 12ab',
  "select x'0'",
  'select #',
  'select 1; ) select 2',
  'select $a(b',
];

test('leaves what is broken exactly as it is, and formats what is around it', () => {
  for (const text of broken) assert.equal(formatStatement(text), text);
  const text = 'select   1;\nselect   (  2;\nselect   3;';
  assert.equal(formatDocument(text), 'SELECT 1;\nselect   (  2;\nSELECT 3;');
});

test('does not make a statement of one that begins with a vertical tab, which is space only behind other space', () => {
  for (const text of ['SELECT 1;\vselect   2;', 'SELECT 1; /* a */\vselect   2;'])
    assert.equal(formatDocument(text), text);
});

/** What SQLite says of a statement and the names of its columns; an unnamed column bears its text, so without space. */
function prepared(sql: string): unknown {
  const database = new DatabaseSync(':memory:');
  try {
    database.exec(schema);
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

const isWellFormed = (sql: string): boolean =>
  !/syntax error|incomplete|unrecognized/.test(JSON.stringify(prepared(sql)));

test('leaves statements that the grammar refuses exactly as they are', () => {
  for (const text of brokenStatements) assert.equal(formatStatement(text, { isWellFormed }), text);
});

const styles: readonly FormatOptions[] = [
  {},
  { lineWidth: 0 },
  { lineWidth: 30, keywordCase: 'lower', indent: '\t' },
  { lineWidth: 50, keywordCase: 'keep', commas: 'before' },
];

const significant = (text: string): string[] =>
  [...coarseTokens(text)]
    .filter(({ kind }) => kind !== 'space' && kind !== 'comment')
    .map(({ start, end }) => text.slice(start, end).toLowerCase());
const comments = (text: string): string[] =>
  [...coarseTokens(text)]
    .filter(({ kind }) => kind === 'comment')
    .map(({ start, end }) => text.slice(start, end).trim());

for (const style of styles) {
  test(`keeps meaning, tokens and comments with ${JSON.stringify(style)}, and formats a second time to the same`, () => {
    for (const sql of validStatements) {
      const formatted = formatDocument(sql, style);
      assert.equal(formatDocument(formatted, style), formatted, sql);
      assert.deepEqual(significant(formatted), significant(sql));
      assert.deepEqual(comments(formatted), comments(sql));
      assert.deepEqual(prepared(formatted), prepared(sql), formatted);
    }
  });
}

/** Deterministic, so that a failure can be seen again. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test('takes random pieces of statements without throwing, and is content with what it wrote', () => {
  const random = randomOf(4);
  const pieces = validStatements.flatMap(sql => sql.match(/\s+|\w+|--|\/\*|\*\/|./gs) ?? []);
  for (let round = 0; round < 5000; round++) {
    const style = styles[round % styles.length] ?? {};
    const text = Array.from({ length: random(30) }, () => pieces[random(pieces.length)]).join(random(2) ? ' ' : '');
    const formatted = formatDocument(text, style);
    assert.equal(formatDocument(formatted, style), formatted, JSON.stringify(text));
    assert.equal(significant(formatted).join(''), significant(text).join(''), JSON.stringify(text));
  }
});

test('takes statements with comments between any two tokens', () => {
  const random = randomOf(5);
  const inserts = [' /* a */ ', ' -- b\n', '\n-- c\n', '\n/* d\n d */\n', '/**/'];
  for (const sql of validStatements.filter(text => !/--|\/\*/.test(text))) {
    const text = [...coarseTokens(sql)]
      .map(({ start, end, kind }) => sql.slice(start, end) + (kind === 'space' ? (inserts[random(12)] ?? '') : ''))
      .join('');
    for (const style of styles) {
      const formatted = formatDocument(text, style);
      assert.equal(formatDocument(formatted, style), formatted, JSON.stringify(text));
      assert.deepEqual(significant(formatted), significant(text));
      assert.deepEqual(comments(formatted), comments(text));
      assert.deepEqual(prepared(formatted), prepared(sql), formatted);
    }
  }
});

test('nesting without end does not exhaust the stack', () => {
  for (const piece of ['(', 'case ', 'select (', '()', '- ', 'a,']) assert.ok(formatDocument(piece.repeat(50_000)));
});

test('formats 10,000 lines within a second', () => {
  const lines = formatDocument(`${validStatements.slice(0, 120).join(';\n')};\n`, { lineWidth: 40 });
  const text = lines.repeat(Math.ceil(10_000 / lines.split('\n').length));
  // The best of some runs, because the tests beside it want the processor too.
  const runs = Array.from({ length: 5 }, () => {
    const start = performance.now();
    assert.ok(formatDocument(text).length > 100_000);
    return performance.now() - start;
  });
  const took = Math.min(...runs);
  console.log(`${text.split('\n').length} lines formatted in ${Math.round(took)} ms`);
  assert.ok(took < 1000, `${Math.round(took)} ms`);
});
