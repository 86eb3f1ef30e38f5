import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorRange, errorOffset } from '../../../src/sql/errors/errorRange.ts';
import { unmark } from '../corpus.ts';

const unequal = 'SELECTs to the left and right of UNION do not have the same number of result columns';

const cases: readonly (readonly [marked: string, message: string, offset?: number])[] = [
  ['SELECT ⟦a.b.c⟧ FROM t', 'no such column: a.b.c', 7],
  ['SELECT a FROM ⟦"my t"⟧', 'no such table: my t'],
  ['SELECT a FROM ⟦[my t]⟧', 'no such table: my t'],
  ['SELECT a FROM MAIN.⟦Nope⟧', 'no such table: main.nope'],
  ["SELECT 'nope' FROM x /* nope */ JOIN ⟦nope⟧", 'no such table: nope'],
  ["SELECT t.a, 't' FROM ⟦t⟧", 'no such table: t'],
  ['CREATE TABLE t (a, b, ⟦a⟧)', 'duplicate column name: a'],
  ['DROP INDEX ⟦missing⟧', 'no such index: missing'],
  ['SELECT 1 ⟦HAVING⟧ 2', 'a GROUP BY clause is required before HAVING'],
  ['CREATE TABLE t (id INT PRIMARY KEY ⟦AUTOINCREMENT⟧)', 'AUTOINCREMENT is only allowed on an INTEGER PRIMARY KEY'],
  ['CREATE TABLE t (a INT, ⟦b⟧) STRICT', 'missing datatype for t.b'],
  ['CREATE TABLE ⟦t⟧ (a INT) WITHOUT ROWID', 'PRIMARY KEY missing on table t'],
  ['INSERT INTO t ⟦VALUES⟧ (1), (2, 3)', 'all VALUES must have the same number of terms'],
  ['SELECT 1 UNION SELECT a, ⟦f⟧(b, c), d', unequal],
  ['SELECT a, ⟦b⟧ FROM t UNION ALL SELECT c FROM u', unequal],
  ['SELECT * FROM t ⟦UNION⟧ SELECT 1', unequal],
  ['SELECT 1 UNION SELECT 2 ⟦UNION⟧ SELECT 3, 4', unequal],
  ['SELECT a ⟦::⟧ b', 'unrecognized token: "::"', 9],
  ['SELECT (⟦1⟧ -- c', 'incomplete input'],
  ['SELECT (⟦1⟧;', 'incomplete input'],
  ['⟦SELECT⟧ 1', 'an unknown message'],
  ['SELECT ⟦1⟧', 'near the end', 8],
];

for (const [marked, message, offset = -1] of cases) {
  test(`the range of "${message}" is ${marked}`, () => {
    const { sql, fault } = unmark(marked);
    const { start, end } = errorRange(sql, message, offset);
    assert.deepEqual({ offset: start, length: end - start }, fault);
  });
}

test('the range in a text without tokens is the whole text', () => {
  assert.deepEqual(errorRange(' -- x', 'anything', -1), { start: 0, end: 5 });
  assert.deepEqual(errorRange('', 'incomplete input', 0), { start: 0, end: 0 });
});

const plain = "SELECT 'ou', nope";
const accented = "SELECT 'où', nope";
const column = 'no such column: nope';

const offsetCases: readonly (readonly [sql: string, message: string, offset: number])[] = [
  [plain, column, plain.indexOf('nope')],
  [accented, column, Buffer.from(accented).indexOf('nope')],
  [accented, column, accented.indexOf('nope')],
  ["SELECT '😀' FROM FROM a", 'near "FROM": syntax error', Buffer.from("SELECT '😀' FROM ").length],
  ["SELECT '😀' FROM FROM a", 'something else', Buffer.from("SELECT '😀' FROM ").length],
];

for (const [sql, message, offset] of offsetCases) {
  test(`the service's offset ${offset} in ${sql} points to the word of "${message}"`, () => {
    const expected = sql.includes('nope') ? sql.indexOf('nope') : sql.lastIndexOf('FROM');
    assert.equal(errorOffset(sql, message, offset), expected);
  });
}

test('where both units lead to a token, the named word decides, and otherwise the unit of the interface', () => {
  const sql = "SELECT 'é',a+b,c";
  const offset = sql.indexOf('+');
  assert.equal(errorOffset(sql, 'no such column: a', offset), sql.indexOf('a'));
  assert.equal(errorOffset(sql, 'no such column: +', offset), offset);
  assert.equal(errorOffset(sql, 'something else', offset), offset);
});

test('an offset at the end of the text stays there', () => {
  assert.equal(errorOffset("SELECT 'é' +", 'incomplete input', 12), 12);
});

test('an offset past the end of the text becomes its end', () => {
  assert.equal(errorOffset('SELECT é', 'x', 99), 8);
});
