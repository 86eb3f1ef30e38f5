import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TextCache } from '../../../src/sql/text/textCache.ts';

const value = { isValue: true };
const longText = (number: number): string => `${number} `.padEnd(10_000, 'x');

test('a cache returns its values until it is cleared', () => {
  const cache = new TextCache<object>();
  cache.set('a', value);
  assert.equal(cache.get('a'), value);
  assert.equal(cache.get('b'), undefined);
  cache.clear();
  assert.equal(cache.get('a'), undefined);
});

test('a cache holds a few megabytes of text and evicts the least recently used', () => {
  const cache = new TextCache<object>();
  for (let number = 0; number < 2000; number++) {
    cache.set(longText(number), value);
    assert.equal(cache.get(longText(0)), value);
  }
  const cached = Array.from({ length: 2000 }, (_, number) => number).filter(number => cache.get(longText(number)));
  assert.ok(cached.length > 300 && cached.length <= 800, `${cached.length} cached`);
  assert.deepEqual([cached[0], cached.at(-1)], [0, 1999]);
});

test('each entry counts more than its text, so that the number of short texts is bounded as well', () => {
  const cache = new TextCache<object>();
  for (let number = 0; number < 100_000; number++) cache.set(`${number}`, value);
  const cached = Array.from({ length: 100_000 }, (_, number) => number).filter(number => cache.get(`${number}`));
  assert.ok(cached.length > 5000 && cached.length < 25_000, `${cached.length} cached`);
});

test('a cache does not hold a text that is too long', () => {
  const cache = new TextCache<object>();
  const text = 'x'.repeat(100_000);
  cache.set(text, value);
  assert.equal(cache.get(text), undefined);
});
