import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TextChunks } from '../../../src/sql/text/statementIndex.ts';
import { seeded } from '../../fuzz/random.ts';

const check = (chunks: TextChunks, text: string, start: number): void => {
  assert.equal(chunks.length, text.length);
  assert.equal(chunks.slice(start, start + 70_000), text.slice(start, start + 70_000));
  assert.ok(chunks.toString() === text, 'the whole text');
};

test('any sequence of replacements leads to the same text as a string', () => {
  const random = seeded(1);
  const upTo = (count: number): number => Math.floor(random() * count);
  let text = Array.from({ length: 40_000 }, (_, number) => `${number} é`).join('');
  let chunks = TextChunks.of(text);
  for (let step = 0; step < 200; step++) {
    const start = upTo(text.length + 1);
    const end = Math.min(text.length, start + (step % 10 === 0 ? upTo(150_000) : upTo(5)));
    const piece = step % 20 === 0 ? text.slice(0, upTo(200_000)) : 'ab'.repeat(upTo(3));
    const before = chunks;
    chunks = before.replaced(start, end, piece);
    check(before, text, start);
    text = text.slice(0, start) + piece + text.slice(end);
    check(chunks, text, upTo(text.length + 1));
  }
});

test('a text may become empty and grow again', () => {
  const empty = TextChunks.of('abc').replaced(0, 3, '');
  check(empty, '', 0);
  check(empty.replaced(0, 0, 'x').replaced(1, 1, 'y'), 'xy', 0);
});
