import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sqlite, tokenId, grammarTokens, endOfInput } from '../../../src/sql/parser/grammar.ts';
import { type FeedResult, LalrStack } from '../../../src/sql/parser/lalrStack.ts';

const check = (sql: string, expected: string, start = 0): void => {
  const tokens = grammarTokens(sql, start, sql.length);
  assert.equal(tokens.map(({ type }) => sqlite.tokenName(type)).join(' '), expected);
  for (const { text, span } of tokens) assert.equal(sql.slice(span.offset, span.offset + span.length), text);
};

const cases: readonly (readonly [sql: string, tokens: string])[] = [
  ['window w as', 'WINDOW ID AS'],
  ['window as', 'ID AS'],
  ['f() over (', 'ID LP RP OVER LP'],
  ['f() over w', 'ID LP RP OVER ID'],
  ['f over (', 'ID ID LP'],
  ['f() over ,', 'ID LP RP ID COMMA'],
  ['f() filter (', 'ID LP RP FILTER LP'],
  ['f() filter', 'ID LP RP ID'],
  ['1_000 -- c\n /* c */ ;', 'QNUMBER SEMI'],
  ['\ufeffSELECT a\ufeffb \ufeff', 'SELECT ID'],
  ['ï»¿ x', 'ID ID'],
  ['a \0 b', 'ID ILLEGAL'],
];
for (const [sql, tokens] of cases) test(`the tokens of ${JSON.stringify(sql)} are ${tokens}`, () => check(sql, tokens));

test('the tokens of a piece have offsets of the whole text', () => check('SELECT 1; DELETE \ufeffx', 'DELETE ID', 9));

test('tokenId() throws for a token that the grammar does not have', () =>
  assert.throws(() => tokenId('NOPE'), /no token NOPE/));

const feed = (stack: LalrStack, names: string): FeedResult[] =>
  names.split(' ').map(name => stack.feed(name === '$' ? endOfInput : tokenId(name)));

const stackCases: readonly (readonly [names: string, last: FeedResult])[] = [
  ['SELECT INTEGER SEMI $', 'accept'],
  ['SELECT INTEGER SEMI', 'shift'],
  ['SELECT FROM', 'error'],
  ['SEMI $', 'accept'],
  ['SELECT ABORT', 'shift'],
  ['SELECT ID FROM ORDER', 'error'],
];
for (const [names, last] of stackCases) {
  test(`the last token of ${names} gives ${last}`, () => assert.equal(feed(new LalrStack(), names).at(-1), last));
}

test('feeding a fork does not change the stack', () => {
  const stack = new LalrStack();
  feed(stack, 'SELECT LP INTEGER PLUS INTEGER');
  const fork = stack.fork();
  assert.deepEqual(feed(fork, 'RP SEMI $'), ['shift', 'shift', 'accept']);
  assert.deepEqual(feed(stack.fork(), 'SEMI'), ['error']);
  assert.deepEqual(feed(stack, 'STAR INTEGER RP SEMI $').at(-1), 'accept');
});
