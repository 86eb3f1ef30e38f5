import assert from 'node:assert/strict';
import { test } from 'node:test';
import { doAtOnce } from '../../../src/base/turns.ts';
import { schemaFactsOf } from '../../../src/sql/masks/schemaFacts.ts';

const columns = (count: number): string => Array.from({ length: count }, (_, nth) => `c${nth}`).join();

test('a statement that the parser would read for long has no facts, and its table counts as unreadable', () => {
  const { tables, unreadable } = doAtOnce(
    schemaFactsOf([`CREATE TABLE wide (${columns(20_000)})`, `CREATE TABLE usual (${columns(20)})`]),
  );
  assert.deepEqual([...unreadable], ['wide']);
  assert.deepEqual([...tables.keys()], ['usual']);
});
