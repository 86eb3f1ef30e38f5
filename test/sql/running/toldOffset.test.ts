import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toldOffset } from '../../../src/sql/running/toldOffset.ts';

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
  test(`${offset} in ${sql} with "${message}" is at its word`, () => {
    const wanted = sql.includes('nope') ? sql.indexOf('nope') : sql.lastIndexOf('FROM');
    assert.equal(toldOffset(sql, message, offset), wanted);
  });
}

test('an offset behind the end stays within the text', () => {
  assert.equal(toldOffset('SELECT é', 'x', 99), 8);
});
