import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completeMarked } from '../../support/completeMarked.ts';

for (const [marked, ...expected] of [
  ['PRAGMA foreign_keys = ¦', 'ON', 'OFF'],
  ['PRAGMA main.FOREIGN_KEYS(¦)', 'ON', 'OFF'],
  ['PRAGMA synchronous = n¦', 'off', 'normal', 'full', 'extra'],
  ['PRAGMA journal_mode=¦', 'DELETE', 'TRUNCATE', 'PERSIST', 'MEMORY', 'WAL', 'OFF'],
  ['PRAGMA user_version = ¦'],
  ['PRAGMA index_list(¦', 'idx_posts_user'],
  ['DROP TABLE users; DROP TABLE tags; PRAGMA table_info(¦)', 'posts', 'order', 'strict_t', 'gen', 'emp', 'таблица'],
] as const) {
  test(`a PRAGMA proposes the values that it takes: ${marked}`, () => {
    const labels = completeMarked(marked).proposals.map(({ label }) => label);
    assert.deepEqual(labels.slice(0, expected.length || 1), expected);
  });
}
