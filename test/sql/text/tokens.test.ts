import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coarseTokens } from '../../../src/sql/text/tokens.ts';

const check = (sql: string, expected: readonly string[]): void => {
  const tokens = [...coarseTokens(sql)]
    .filter(({ kind }) => kind !== 'space')
    .map(({ kind, start, end }) => `${kind} ${sql.slice(start, end)}`);
  assert.deepEqual(tokens, expected);
};

const cases: readonly (readonly [sql: string, expected: readonly string[]])[] = [
  ['a$1 名前', ['word a$1', 'word 名前']],
  ["x'ab' X''", ["quoted x'ab'", "quoted X''"]],
  [`'it''s' "a""b" [c]]`, [`quoted 'it''s'`, `quoted "a""b"`, 'quoted [c]', 'other ]']],
  ["'open; --", ["quoted 'open; --"]],
  ['-- a;\n/* b; */ /* c;', ['comment -- a;', 'comment /* b; */', 'comment /* c;']],
  ['a/*', ['word a', 'other /', 'other *']],
  ['? ?12 :a', ['parameter ?', 'parameter ?12', 'parameter :a']],
  ['@b #c $d::e(f;g)h', ['parameter @b', 'parameter #c', 'parameter $d::e(f;g)', 'word h']],
  ['$(a) : $a(b c', ['other $', 'other (', 'word a', 'other )', 'other :', 'other $a(b', 'word c']],
  ['1_000.5;', ['number 1_000.5', 'semicolon ;']],
  ['.5e-3a.b 0x1f.5 1.e', ['number .5e-3a', 'other .', 'word b', 'number 0x1f', 'number .5', 'number 1.e']],
];
for (const [sql, expected] of cases) {
  test(`the tokens of ${sql} are ${expected.join(', ')}`, () => check(sql, expected));
}

test('a byte order mark is space before a word and a letter within it', () => {
  check('\ufeffa\ufeffb', ['word a\ufeffb']);
});
