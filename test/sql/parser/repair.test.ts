import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sqlite, grammarTokens } from '../../../src/sql/parser/grammar.ts';
import { repair } from '../../../src/sql/parser/repair.ts';

/** The repaired tokens as text, with inserted ones in `‹…›`. */
function repairedText(sql: string): string | undefined {
  const endSpan = { offset: sql.length, length: 0, line: 1, col: 0 };
  const repaired = repair(sql, grammarTokens(sql, 0, sql.length), endSpan);
  return repaired?.tokens
    .map(({ type, text, synthetic }) => (synthetic ? `‹${sqlite.tokenName(type)}›` : text))
    .join(' ');
}

const cases: readonly (readonly [sql: string, repaired: string])[] = [
  ['SELECT 1;', 'SELECT 1 ;'],
  ['SELECT u. FROM users u', 'SELECT u . ‹ID› FROM users u ‹SEMI›'],
  ['SELECT a, FROM t', 'SELECT a , ‹ID› FROM t ‹SEMI›'],
  ['SELECT f(a FROM t', 'SELECT f ( a ‹RP› FROM t ‹SEMI›'],
  ['SELECT a) FROM t', 'SELECT a ‹LP› ) FROM t ‹SEMI›'],
  ['SELECT * FROM t WHERE', 'SELECT * FROM t WHERE ‹ID› ‹SEMI›'],
  ['SELECT * FROM t JOIN u ON', 'SELECT * FROM t JOIN u ON ‹ID› ‹SEMI›'],
  ["SELECT 'open", "SELECT 'open ‹SEMI›"],
  ['SELECT 1\nSELECT 2', 'SELECT 1 ‹SEMI›'],
];
for (const [sql, repaired] of cases) {
  test(`${JSON.stringify(sql)} is repaired to ${repaired}`, () => assert.equal(repairedText(sql), repaired));
}

test('a text that needs too many edits is not repaired', () =>
  assert.equal(repairedText(`SELECT ${'( '.repeat(100)}`), undefined));
