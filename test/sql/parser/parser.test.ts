import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findSyntaxFault, parseStatement } from '../../../src/sql/parser/parser.ts';
import { assertWithin, cpuMs } from '../../support/cpuTime.ts';
import { agreement } from '../../support/syntaxAgreement.ts';
import { openSqliteOracle } from '../../support/sqliteOracle.ts';
import { sqlMutants } from '../../support/sqlMutants.ts';
import { ddl, everyStatement, invalid, midEdit, unmark, valid } from '../corpus.ts';
import { heldOutSyntax, heldOutValid } from '../heldOutCases.ts';

const oracle = await openSqliteOracle(ddl);
const everyValid = [...Object.values(valid).flat(), ...heldOutValid];
const everyInvalid = [...invalid.syntax, ...heldOutSyntax].map(marked => unmark(marked).sql);

const check = (statements: Iterable<string>): void => {
  for (const sql of statements) {
    const { accepts, position } = agreement(oracle, sql);
    assert.ok(accepts, `${JSON.stringify(sql)}: ${oracle.prepare(sql).message || 'SQLite accepts it'}`);
    assert.notEqual(position, false, `${JSON.stringify(sql)}: ${findSyntaxFault(sql)?.offset}`);
  }
};

test('the parser accepts and refuses what SQLite does, at the same position', () => {
  check([...everyStatement, ...everyValid, ...everyInvalid]);
});

test('the parser agrees with SQLite on statements with one token damaged', () => {
  for (const sql of everyValid) check(sqlMutants(sql));
});

test('the parser finds the marked fault of each held-out case', () => {
  for (const marked of heldOutSyntax) {
    const { sql, fault } = unmark(marked);
    const found = findSyntaxFault(sql);
    assert.deepEqual(found, { ...fault, token: sql.slice(found?.offset, (found?.offset ?? 0) + (found?.length ?? 0)) });
  }
});

test('there is a tree for each valid statement, most invalid ones and all half-typed text', () => {
  for (const sql of everyValid) {
    const { ast, fault, repairedTokens } = parseStatement(sql);
    assert.ok(ast && !fault && !repairedTokens, sql);
  }
  for (const [text] of midEdit) assert.ok(parseStatement(text.replace('¦', '')).ast, text);
  const withoutTree = everyInvalid.filter(sql => !parseStatement(sql).ast);
  assert.ok(withoutTree.length <= 3, withoutTree.join('\n'));
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
  test(`the repaired tree of ${text} is a ${type}`, () => {
    const { ast, fault, repairedTokens } = parseStatement(text);
    assert.ok(repairedTokens && fault);
    assert.equal(ast?.type, type);
  });
}

test('the tree and the fault have offsets of the whole text', () => {
  const text = 'SELECT 1;  DELETE FROM users WHERE';
  const { ast, fault } = parseStatement(text, 11);
  assert.deepEqual(fault, { offset: text.length, length: 0, token: '' });
  assert.ok(ast?.type === 'DeleteStmt');
  const { offset, length } = ast.tblName.span;
  assert.equal(text.slice(offset, offset + length), 'users');
});

test('a statement ends before a line that begins another one without a semicolon', () => {
  const text = 'SELECT u.\n\nSELECT p.title FROM posts p';
  const { ast, end } = parseStatement(text);
  assert.equal(ast?.type, 'SelectStmt');
  assert.equal(end, text.lastIndexOf('SELECT'));
});

test('text after a NUL character is a fault, although SQLite ignores it', () => {
  assert.equal(findSyntaxFault('SELECT 1\0 FROM users')?.offset, 8);
});

test('an empty text and comments have neither tree nor fault', () => {
  for (const text of ['', '  ', '-- none', '/* none']) {
    assert.deepEqual(parseStatement(text), { ast: undefined, tokens: [], end: text.length });
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
  test(`parsing ${name} ends in time`, async () => {
    await assertWithin(2000, () => cpuMs(() => assert.equal(parseStatement(text).end, text.length)));
  });
}
