import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkStatement, parseStatement } from '../../../src/sql/parser/parser.ts';
import { agreement } from '../../support/judgesAsSqlite.ts';
import { openSqliteOracle } from '../../support/sqliteOracle.ts';
import { sqlMutants } from '../../support/sqlMutants.ts';
import { ddl, everyStatement, invalid, midEdit, unmark, valid } from '../corpus.ts';
import { heldSyntax, heldValid } from '../heldOutCases.ts';

const oracle = await openSqliteOracle(ddl);
const everyValid = [...Object.values(valid).flat(), ...heldValid];
const everyInvalid = [...invalid.syntax, ...heldSyntax].map(marked => unmark(marked).sql);

const check = (statements: Iterable<string>): void => {
  for (const sql of statements) {
    const { accepts, position } = agreement(oracle, sql);
    assert.ok(accepts, `${JSON.stringify(sql)}: ${oracle.judge(sql).message || 'SQLite takes it'}`);
    assert.notEqual(position, false, `${JSON.stringify(sql)}: ${checkStatement(sql)?.offset}`);
  }
};

test('takes and refuses what SQLite takes and refuses, at the same place', () => {
  check([...everyStatement, ...everyValid, ...everyInvalid]);
});

test('judges statements that were damaged at each token as SQLite does', () => {
  for (const sql of everyValid) check(sqlMutants(sql));
});

test('sees the fault where the held apart cases have their mark', () => {
  for (const marked of heldSyntax) {
    const { sql, fault } = unmark(marked);
    const found = checkStatement(sql);
    assert.deepEqual(found, { ...fault, token: sql.slice(found?.offset, (found?.offset ?? 0) + (found?.length ?? 0)) });
  }
});

test('makes a tree of each valid statement, of nearly all broken ones and of every half-typed text', () => {
  for (const sql of everyValid) {
    const { ast, fault, repaired } = parseStatement(sql);
    assert.ok(ast && !fault && !repaired, sql);
  }
  for (const [text] of midEdit) assert.ok(parseStatement(text.replace('¦', '')).ast, text);
  const lost = everyInvalid.filter(sql => !parseStatement(sql).ast);
  assert.ok(lost.length <= 3, lost.join('\n'));
});

const repairs: readonly (readonly [text: string, type: string])[] = [
  ['SELECT u. FROM users u', 'SelectStmt'],
  ['SELECT FROM users', 'SelectStmt'],
  ['INSERT INTO users(', 'InsertStmt'],
  ['UPDATE users SET name = ?, WHERE id = 1', 'UpdateStmt'],
  ['DELETE FROM users WHERE id IN (1, 2', 'DeleteStmt'],
  ["SELECT * FROM users WHERE name = 'open", 'SelectStmt'],
  ['CREATE TRIGGER t AFTER INSERT ON users BEGIN UPDATE users SET', 'CreateTriggerStmt'],
];
for (const [text, type] of repairs) {
  test(`repairs ${text}`, () => {
    const { ast, fault, repaired } = parseStatement(text);
    assert.ok(repaired && fault);
    assert.equal(ast?.type, type);
  });
}

test('offsets are those of the whole text', () => {
  const text = 'SELECT 1;  DELETE FROM users WHERE';
  const { ast, fault } = parseStatement(text, 11);
  assert.deepEqual(fault, { offset: text.length, length: 0, token: '' });
  assert.ok(ast?.type === 'DeleteStmt');
  const { offset, length } = ast.tblName.span;
  assert.equal(text.slice(offset, offset + length), 'users');
});

test('a statement at the beginning of a line is another one, when its semicolon is not typed yet', () => {
  const text = 'SELECT u.\n\nSELECT p.title FROM posts p';
  const { ast, end } = parseStatement(text);
  assert.equal(ast?.type, 'SelectStmt');
  assert.equal(end, text.lastIndexOf('SELECT'));
});

test('what SQLite would silently leave out behind a NUL is a fault', () => {
  assert.equal(checkStatement('SELECT 1\0 FROM users')?.offset, 8);
});

test('nothing, and only comments, have neither tree nor fault', () => {
  for (const text of ['', '  ', '-- none', '/* none']) {
    assert.deepEqual(parseStatement(text), { ast: undefined, repaired: false, tokens: [], end: text.length });
  }
});

const deep: readonly (readonly [name: string, text: string])[] = [
  ['open parentheses', `SELECT ${'('.repeat(20_000)}`],
  ['nested parentheses', `SELECT ${'('.repeat(20_000)}1${')'.repeat(20_000)}`],
  ['a long sum', `SELECT 1${'+1'.repeat(20_000)}`],
  ['open CASEs', `SELECT ${'CASE '.repeat(20_000)}`],
  ['faults all along', `SELECT ${'((, '.repeat(20_000)}`],
];
for (const [name, text] of deep) {
  test(`comes to an end with ${name}`, () => {
    const started = performance.now();
    assert.equal(parseStatement(text).end, text.length);
    assert.ok(performance.now() - started < 2000);
  });
}
