import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitStatements } from '../../../src/sql/text/splitter.ts';
import { checkSplit } from '../../support/checkSplit.ts';
import { openSqliteOracle } from '../../support/sqliteOracle.ts';
import { ddl, everyStatement, unmark, valid } from '../corpus.ts';
import { heldOutSyntax, heldOutValid } from '../heldOutCases.ts';

const trigger = 'CREATE TEMP TRIGGER t AFTER INSERT ON a BEGIN SELECT CASE WHEN 1 THEN 2 END; DELETE FROM b; END;';

const cases: readonly (readonly [name: string, text: string, statements: readonly string[]])[] = [
  ['no characters', '', []],
  ['only space and comments', ' -- a;\n/* ; */ ', []],
  ['empty statements', ';; SELECT 1;;', ['SELECT 1;']],
  ['no semicolon at the end', 'SELECT 1; SELECT 2', ['SELECT 1;', 'SELECT 2']],
  [
    'semicolons in strings',
    `SELECT ';', "a;""b", [c;], \`d;\`; SELECT 2`,
    [`SELECT ';', "a;""b", [c;], \`d;\`;`, 'SELECT 2'],
  ],
  ['doubled quotes', `SELECT 'it''s; fine'; SELECT 2`, [`SELECT 'it''s; fine';`, 'SELECT 2']],
  ['semicolons in comments', 'SELECT 1 -- ;\n, 2 /* ; */; SELECT 3', ['SELECT 1 -- ;\n, 2 /* ; */;', 'SELECT 3']],
  ['an unclosed string', `SELECT 'a; SELECT 2`, [`SELECT 'a; SELECT 2`]],
  ['an unclosed comment', 'SELECT 1; /* SELECT 2;', ['SELECT 1;']],
  ['a trigger', `${trigger} SELECT 2`, [trigger, 'SELECT 2']],
  ['an explained trigger', `EXPLAIN QUERY PLAN ${trigger}`, [`EXPLAIN QUERY PLAN ${trigger}`]],
  ['a table called trigger', 'CREATE TABLE trigger (a); SELECT 2', ['CREATE TABLE trigger (a);', 'SELECT 2']],
  [
    'a virtual table with semicolons between its parentheses',
    'CREATE VIRTUAL TABLE v USING m(a; (b;) c); SELECT 2',
    ['CREATE VIRTUAL TABLE v USING m(a; (b;) c);', 'SELECT 2'],
  ],
  ['a transaction', 'BEGIN; SELECT 1; END;', ['BEGIN;', 'SELECT 1;', 'END;']],
  ['names beyond ASCII', 'SELECT größe, 名前; SELECT 2', ['SELECT größe, 名前;', 'SELECT 2']],
];

for (const [name, text, statements] of cases) {
  test(`splits a text with ${name}`, () => {
    assert.deepEqual(
      splitStatements(text).map(({ start, end }) => text.slice(start, end)),
      statements,
    );
  });
}

test('statements end where SQLite ends them, alone and in one script', async () => {
  const oracle = await openSqliteOracle(ddl);
  const statements = [...everyStatement, ...heldOutValid, ...heldOutSyntax.map(marked => unmark(marked).sql)];
  for (const sql of statements) checkSplit(oracle, `${sql}; SELECT 2`);
  const whole = [...Object.values(valid).flat(), ...heldOutValid].filter(sql => !/\/\* unt|--/.test(sql)).join(';\n');
  assert.ok(checkSplit(oracle, whole).prepared > 150);
});

const texts = (sql: string): string[] =>
  splitStatements(sql, 'blankLine').map(({ start, end }) => sql.slice(start, end));

test('a blank line ends a statement if the setting says so, but not within parentheses, strings, comments and triggers', () => {
  assert.deepEqual(texts('SELECT 1\n  \r\n\nSELECT 2\nFROM t -- a\n\n-- b\nSELECT 3;\n\n;'), [
    'SELECT 1',
    'SELECT 2\nFROM t',
    'SELECT 3;',
  ]);
  for (const whole of [
    'CREATE TABLE t (\n  a,\n\n  b CHECK (\n\n b > 0)\n)',
    'SELECT \'a\n\nb\', "c\n\nd" /* e\n\nf */ FROM t',
    'CREATE TRIGGER x AFTER INSERT ON t BEGIN\n\n  SELECT 1;\n\n  SELECT 2;\n\nEND;',
    'CREATE VIRTUAL TABLE v USING m(a\n\n; b);',
  ]) {
    assert.deepEqual(texts(`${whole}\n\nSELECT 9`), [whole, 'SELECT 9'], whole);
  }
  assert.deepEqual(texts('SELECT 1)\n\nSELECT 2'), ['SELECT 1)', 'SELECT 2']);
});
