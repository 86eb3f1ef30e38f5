import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keywordList } from '../../src/sql/text/keywordList.ts';
import { openGrammars } from '../support/workbench/grammars.ts';

const sqlScope = 'meta.embedded.inline.sql';

/** A file, the text in it that is SQL, and some pieces with a scope that they must have. */
type GrammarCase = readonly [
  name: string,
  scope: string,
  file: string,
  sql: string,
  scopes: readonly (readonly [text: string, scope: string])[],
];

const cases: readonly GrammarCase[] = [
  [
    'a tagged template',
    'source.ts',
    "const a = sql`SELECT ${b.c} FROM t -- it's`; const d = `SELECT`;",
    "SELECT ${b.c} FROM t -- it's",
    [
      ['SELECT', 'keyword.other.DML.sql'],
      ['b', 'variable.other.object.ts'],
      ["-- it's", 'comment.line.double-dash.sql'],
      ['const', 'storage.type.ts'],
    ],
  ],
  [
    'a template over several lines',
    'source.tsx',
    "return this.db.sql<User>`\n  SELECT 'a`;\nconst b = 'c';",
    "\n  SELECT 'a",
    [
      ["'", 'string.quoted.single.sql'],
      ['const', 'storage.type.tsx'],
    ],
  ],
  [
    'a tag after a call, which stays a template of the program',
    'source.ts',
    'db().sql`SELECT`;\nconst a = 1;',
    '',
    [
      ['SELECT', 'string.template.ts'],
      ['const', 'storage.type.ts'],
    ],
  ],
  [
    'a literal after a comment',
    'source.js',
    `f(/* sql */ "SELECT 'a' FROM t", /* sql */ 'SELECT "b"', 'SELECT');`,
    `SELECT 'a' FROM tSELECT "b"`,
    [['a', 'string.quoted.single.sql']],
  ],
  ['a literal without a mark', 'source.ts', "css`SELECT`; // sql`SELECT`\nconst a = 'sql`SELECT`';", '', []],
  [
    'the string below a comment',
    'source.python',
    '# sql\nq = f"""SELECT {a["b"]}\nFROM t"""\nr = "SELECT"',
    'SELECT {a["b"]}\nFROM t',
    [
      ['FROM', 'keyword.other.DML.sql'],
      ['r ', 'source.python'],
    ],
  ],
  ['a string without a mark', 'source.python', '# sql\n\nq = "SELECT"', '', []],
];

test('SQL in programs has the scopes of SQL, and the program keeps its own', async context => {
  const scopesOf = await openGrammars();
  for (const [name, scope, file, sql, expected] of cases) {
    await context.test(name, async () => {
      const lines = await scopesOf(scope, file);
      const inSql = lines.map(line => line.filter(({ scopes }) => scopes.includes(sqlScope)));
      assert.equal(
        inSql
          .map(line => line.map(({ text }) => text).join(''))
          .join('\n')
          .trim(),
        sql.trim(),
      );
      const pieces = lines.flat();
      for (const [text, expectedScope] of expected) {
        const piece = pieces.find(found => found.text.trim() === text.trim());
        assert.ok(piece?.scopes.includes(expectedScope), `${text}: ${piece?.scopes.join(' ')}`);
      }
    });
  }
});

test('code in hovers has a color for each keyword of SQLite, its types, functions and values', async () => {
  const scopesOf = await openGrammars();
  const definition = `date TEXT NOT NULL DEFAULT (date('now')) CHECK ("a b" > 1.5) -- day`;
  const lines = await scopesOf('source.sqlite', [...keywordList, definition].join('\n'));
  const words = lines.slice(0, keywordList.size).flat();
  const plain = words.filter(({ scopes }) => !scopes.includes('keyword.other.DML.sql'));
  assert.deepEqual(plain, []);
  const pieces = lines.at(-1)!.filter(({ text, scopes }) => scopes.length > 1 && !/^\W*$/.test(text));
  assert.deepEqual(
    pieces.map(({ text, scopes }) => `${text}: ${scopes.at(-1)}`),
    [
      'TEXT: storage.type.sql',
      'NOT: keyword.other.DML.sql',
      'NULL: keyword.other.DML.sql',
      'DEFAULT: keyword.other.DML.sql',
      'date: support.function.sql',
      'now: string.quoted.single.sql',
      'CHECK: keyword.other.DML.sql',
      '"a b": variable.other.property.column.sql',
      '1.5: constant.numeric.sql',
      '-- day: comment.line.double-dash.sql',
    ],
  );
});
