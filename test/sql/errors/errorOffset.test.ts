import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorOffset } from '../../../src/sql/errors/errorRange.ts';

const plain = "SELECT 'ou', nope";
const accented = "SELECT 'où', nope";
const column = 'no such column: nope';

const cases: readonly (readonly [sql: string, message: string, offset: number])[] = [
  [plain, column, plain.indexOf('nope')],
  [accented, column, Buffer.from(accented).indexOf('nope')],
  [accented, column, accented.indexOf('nope')],
  ["SELECT '😀' FROM FROM a", 'near "FROM": syntax error', Buffer.from("SELECT '😀' FROM ").length],
  ["SELECT '😀' FROM FROM a", 'something else', Buffer.from("SELECT '😀' FROM ").length],
];

for (const [sql, message, offset] of cases) {
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
