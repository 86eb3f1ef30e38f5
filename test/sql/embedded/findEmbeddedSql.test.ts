import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EmbeddingSyntax } from '../../../src/sql/embedded/embeddingLanguages.ts';
import { findEmbeddedSql } from '../../../src/sql/embedded/findEmbeddedSql.ts';
import { assertWithin, cpuMs } from '../../support/cpuTime.ts';

type Case = readonly [name: string, file: string, sql: readonly string[]];

const script: readonly Case[] = [
  ['a tagged template', 'const a = sql`SELECT 1`;', ['SELECT 1']],
  ['a tag of an object', 'db.sql`SELECT 1`', ['SELECT 1']],
  ['a tag in capitals, with a space after it', 'SQL `SELECT 1`', ['SELECT 1']],
  ['a tag with type arguments', 'sql<{ a: () => Array<string> }>`SELECT 1`', ['SELECT 1']],
  ['a comparison with sql', 'if (sql < b) c(`SELECT 1`)', []],
  ['other tags and names', 'css`SELECT 1`; mysql`SELECT 2`; sql(`SELECT 3`); const sql = `SELECT 4`', []],
  ['a comment before each kind of literal', `/* sql */ 'a' /*sql*/ "b" /* SQL */\n \`c\``, ['a', 'b', 'c']],
  ['a comment before no literal', `/* sql */ f('a'); /* mysql */ 'b'`, []],
  ['literals in comments', '// sql`a`\n/* sql`b` */ sql`c`', ['c']],
  ['literals in literals', '"sql`a`"; \'sql`b`\'; `sql\\`c\\``; sql`d`', ['d']],
  ['an interpolation', 'sql`SELECT * FROM t WHERE id = ${id} AND b`', ['SELECT * FROM t WHERE id = ? AND b']],
  ['an interpolation before a digit', 'sql`SELECT ${a}1`', ['SELECT ? 1']],
  ['interpolations with braces and literals', 'sql`a ${ { b: `}${"}"}` } } c`', ['a ? c']],
  ['SQL within an interpolation', 'sql`SELECT ${x ? sql`1` : sql``} FROM t`; sql`b`', ['SELECT ? FROM t', 'b']],
  ['SQL within an interpolation of other text', 'html`<p>${sql`SELECT 1`}</p>`', ['SELECT 1']],
  [
    'escapes',
    String.raw`/* sql */ 'SELECT \'it\', "\x41\u0042\u{43}" -- \\\n, 1\
 , 2'`,
    [`SELECT 'it', "ABC" -- \\\n, 1 , 2`],
  ],
  ['escaped quotes of a name', String.raw`/* sql */ "SELECT \"a\", \"b c\" FROM t"`, ['SELECT "a", "b c" FROM t']],
  ['joined literals', `x = /* sql */ 'SELECT a, ' +\n  "b " + // why\n \`FROM t\`; y = 'z'`, ['SELECT a, b FROM t']],
  ['words that joined literals share', `/* sql */ 'SEL' + 'ECT 1'`, ['SELECT 1']],
  ['an open string', `/* sql */ 'SELECT 1\nsql\`b\``, ['b']],
  ['an open template', 'sql`SELECT 1', []],
  ['quotes in regular expressions', 'a = /[`/]`/g; if (b) /`/.test(c); return /`/; sql`d`', ['d']],
  ['divisions', 'a = b / c; d = (e) / f; g[0] / h++ / i / 2; sql`j`', ['j']],
  ['a property that is called return', 'a.return / b; sql`c` / d; x! / y', ['c']],
  ['brackets that do not close', 'sql`a ${ f( [ } b`; ) ] } } sql`c`', ['a ? b', 'c']],
];

const jsx: readonly Case[] = [
  ['text of an element', "const a = <p>Don't `do` that</p>; sql`b`", ['b']],
  ['an expression in an element', '<p a="`" b={sql`c`} d>{sql`e`} `</p>', ['c', 'e']],
  ['nested elements', 'f(<><A.B x={() => <i>`</i>} /> ` <br/> `</>, sql`a`)', ['a']],
  ['type parameters of a function', 'const f = <T,>(a: T) => a; const g = <T extends U>(a: T) => sql`b`', ['b']],
  ['comparisons and shifts', 'if (a < b) sql`c`; x = y<<z|1<<2<3; sql`d`', ['c', 'd']],
  ['elements in a condition', 'return a && <p>`</p> || sql`b`', ['b']],
];

const python: readonly Case[] = [
  ['a comment on the line above', '# sql\nq = "SELECT 1"\nr = "SELECT 2"', ['SELECT 1']],
  ['a comment at the end of the line above', 'db.run(  # SQL\n  """SELECT 1""", ["a"])', ['SELECT 1']],
  ['a call over several lines', '# sql\ndb.run(\n    "SELECT ?",\n    ("a",),\n)\nb = "c"', ['SELECT ?']],
  ['other comments', '# sql is fun\nq = "a"\n#sqlite\nq = "b"\n# sql\n\nq = "c"\n# sql\nx\ny = "d"', []],
  ['no comment', 'sql = "SELECT 1"', []],
  ['comments in strings', '"""\n# sql\n"""\na = "b"\n\'# sql\'\nc = "d"', []],
  ['three quotes', `# sql\nq = '''SELECT 'a',\n "b" ""'''`, [`SELECT 'a',\n "b" ""`]],
  [
    'escapes',
    String.raw`# sql
q = "SELECT \"a\", '\x41\u0042\103\U0001F600\N{DASH}' \d \
FROM t"`,
    [String.raw`SELECT "a", 'ABC😀�' \d FROM t`],
  ],
  [
    'a raw string',
    String.raw`# sql
q = r"SELECT '\n\"'"`,
    [String.raw`SELECT '\n\"'`],
  ],
  ['an f-string', '# sql\nq = f"SELECT {a[\'b\']!r:>{c}} + {{1}}"', ['SELECT ? + {1}']],
  ['quotes of the f-string within it', '# sql\nq = f"SELECT {a["b"]} FROM t"', ['SELECT ? FROM t']],
  ['braces without an f', '# sql\nq = "SELECT {a}"', ['SELECT {a}']],
  ['joined strings', '# sql\nq = ("SELECT a, "  # b\n  f"{c} "\n  R\'FROM t\')', ['SELECT a, ? FROM t']],
  ['strings on two lines without brackets', '# sql\nq = "SELECT 1"\n"SELECT 2"', ['SELECT 1']],
  ['strings joined with a backslash', '# sql\nq = "SELECT 1" \\\n  " + 2"', ['SELECT 1 + 2']],
  ['a name that ends with a prefix', '# sql\nself"SELECT 1"', ['SELECT 1']],
  ['an open string', '# sql\nq = "SELECT 1\n# sql\nq = "SELECT 2"', ['SELECT 2']],
  ['an open interpolation', '# sql\nq = f"SELECT {a\n# sql\nq = "SELECT 2"', ['SELECT 2']],
];

/** Another test checks where the padding is. */
const withoutSpaces = (text: string): string => text.replaceAll(' ', '');

function check(syntax: EmbeddingSyntax, [name, file, sql]: Case): void {
  test(`finds the SQL of a file in ${syntax} with ${name}`, () => {
    const found = findEmbeddedSql(file, syntax);
    assert.deepEqual(
      found.map(({ text }) => withoutSpaces(text)),
      sql.map(withoutSpaces),
    );
    for (const { start, end, text } of found) assert.equal(text.length, end - start);
  });
}

for (const one of [...script, ...jsx]) check('scriptWithJsx', one);
for (const one of script) check('script', one);
for (const one of python) check('python', one);

test('each token of the text is at the offset of its source', () => {
  const cases: readonly (readonly [syntax: EmbeddingSyntax, file: string])[] = [
    ['script', String.raw`/* sql */ "SELECT a, \"b\", 'c' FROM " + 'd WHERE e = ' + ${'`${f(1)} AND g`'}`],
    ['python', '# sql\nq = (f"SELECT a, {b} FROM " \'d WHERE \\\'c\\\' = \' "g")'],
  ];
  for (const [syntax, file] of cases) {
    const [sql] = findEmbeddedSql(file, syntax);
    assert.ok(sql);
    for (const word of sql.text.match(/[a-z]+/gi) ?? []) {
      const offset = sql.text.search(new RegExp(`\\b${word}\\b`));
      // Within escaped quotes, the text is one character before its source.
      const source = file.slice(sql.start + offset).replace(/^["']/, '');
      assert.ok(source.startsWith(word), `${word} in ${sql.text}`);
    }
    for (const { start, end } of sql.programParts) assert.doesNotMatch(sql.text.slice(start, end), /\w/);
  }
});

const isFragment = (file: string, syntax: EmbeddingSyntax = 'script'): (boolean | undefined)[] =>
  findEmbeddedSql(file, syntax).map(sql => sql.isFragment);

test('a statement that the program completes is a fragment', () => {
  assert.deepEqual(isFragment('sql`SELECT 1`; sql` /* a */ -- b\n;with x as (select 1) select 2`'), [false, false]);
  assert.deepEqual(isFragment('sql`a = ${b}`; sql`${a} FROM t`; sql``; sql`)`'), [true, true, true, true]);
  assert.deepEqual(isFragment("/* sql */ 'SELECT ' + a; /* sql */ 'SELECT 1' + 'a';"), [true, false]);
  assert.deepEqual(isFragment('# sql\na = "SELECT %s" % b\n# sql\nc = "SELECT {}".format(d)', 'python'), [true, true]);
});

test('the text distinguishes parameters of the statement from text within quotes', () => {
  const [sql] = findEmbeddedSql('sql`SELECT ${a}, \'${b}\', "${c}" /* ${d} */`', 'script');
  assert.deepEqual(
    sql?.programParts.map(({ kind }) => kind),
    ['interpolation', 'quotedInterpolation', 'quotedInterpolation', 'interpolation'],
  );
  assert.deepEqual(
    [7, 8, 10, 11].map(offset => sql.isSqlAt(offset)),
    [true, false, false, true],
  );
});

const inserted = (file: string, syntax: EmbeddingSyntax): string | undefined => {
  const [sql] = findEmbeddedSql(file, syntax);
  return sql?.escape('"a\\b`${c}"\n\'', sql.text.length);
};

test('inserted SQL is written as the literal needs it', () => {
  assert.equal(inserted('sql`SELECT `', 'script'), '"a\\\\b\\`\\${c}"\n\'');
  assert.equal(inserted('/* sql */ "SELECT "', 'script'), '\\"a\\\\b`${c}\\"\\n\'');
  assert.equal(inserted("/* sql */ 'a' + 'b'", 'script'), '"a\\\\b`${c}"\\n\\\'');
  assert.equal(inserted('# sql\nq = f"""SELECT """', 'python'), '"a\\\\b`${{c}}"\n\\\'');
  assert.equal(inserted('# sql\nq = r"""SELECT """', 'python'), '"a\\b`${c}"\n\'');
});

test('a long file takes time in proportion to its length, whatever is in it', async () => {
  const pieces = [...'( [ { } `${ ` <a> </ " \' / /* \\ f"{ sql` sql<'.split(' '), '# sql\n"', '"\n"', '+ "a"'];
  for (const piece of pieces) {
    for (const syntax of ['scriptWithJsx', 'python'] as const) {
      const file = `sql ${piece.repeat(200_000 / piece.length)}`;
      await assertWithin(150, () => cpuMs(() => findEmbeddedSql(file, syntax)));
    }
  }
});
