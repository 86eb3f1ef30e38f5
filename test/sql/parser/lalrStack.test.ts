import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endOfInput, tokenId } from '../../../src/sql/parser/grammar.ts';
import { type FeedResult, LalrStack } from '../../../src/sql/parser/lalrStack.ts';

const feed = (stack: LalrStack, names: string): FeedResult[] =>
  names.split(' ').map(name => stack.feed(name === '$' ? endOfInput : tokenId(name)));

const cases: readonly (readonly [names: string, last: FeedResult])[] = [
  ['SELECT INTEGER SEMI $', 'accept'],
  ['SELECT INTEGER SEMI', 'shift'],
  ['SELECT FROM', 'error'],
  ['SEMI $', 'accept'],
  ['SELECT ABORT', 'shift'],
  ['SELECT ID FROM ORDER', 'error'],
];
for (const [names, last] of cases) {
  test(`the last token of ${names} gives ${last}`, () => assert.equal(feed(LalrStack.atStart(), names).at(-1), last));
}

test('feeding a fork does not change the stack', () => {
  const stack = LalrStack.atStart();
  feed(stack, 'SELECT LP INTEGER PLUS INTEGER');
  const fork = stack.fork();
  assert.deepEqual(feed(fork, 'RP SEMI $'), ['shift', 'shift', 'accept']);
  assert.deepEqual(feed(stack.fork(), 'SEMI'), ['error']);
  assert.deepEqual(feed(stack, 'STAR INTEGER RP SEMI $').at(-1), 'accept');
});
