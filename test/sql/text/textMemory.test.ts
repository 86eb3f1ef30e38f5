import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TextMemory } from '../../../src/sql/text/textMemory.ts';

const found = { found: true };
const text = (number: number): string => `${number} `.padEnd(10_000, 'x');

test('knows what it was told, and forgets it when it is told to', () => {
  const memory = new TextMemory<object>();
  memory.set('a', found);
  assert.equal(memory.get('a'), found);
  assert.equal(memory.get('b'), undefined);
  memory.clear();
  assert.equal(memory.get('a'), undefined);
});

test('keeps a few megabytes of text, and what was asked for last the longest', () => {
  const memory = new TextMemory<object>();
  for (let number = 0; number < 2000; number++) {
    memory.set(text(number), found);
    assert.equal(memory.get(text(0)), found);
  }
  const kept = Array.from({ length: 2000 }, (_, number) => number).filter(number => memory.get(text(number)));
  assert.ok(kept.length > 300 && kept.length <= 800, `${kept.length} kept`);
  assert.deepEqual([kept[0], kept.at(-1)], [0, 1999]);
});

test('keeps no more short texts than it has room for what was found out', () => {
  const memory = new TextMemory<object>();
  for (let number = 0; number < 100_000; number++) memory.set(`${number}`, found);
  const kept = Array.from({ length: 100_000 }, (_, number) => number).filter(number => memory.get(`${number}`));
  assert.ok(kept.length > 5000 && kept.length < 25_000, `${kept.length} kept`);
});

test('does not keep a text that is long, of which each key makes another', () => {
  const memory = new TextMemory<object>();
  const long = 'x'.repeat(100_000);
  memory.set(long, found);
  assert.equal(memory.get(long), undefined);
});
