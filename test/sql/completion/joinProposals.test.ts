import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completeMarked } from '../../support/completeMarked.ts';

for (const [marked, ...expected] of [
  ['SELECT * FROM posts p JOIN ¦', 'users AS u ON p.user_id = u.id', 'users ON p.user_id = users.id'],
  ['select * from users left join ¦', 'posts as p on p.user_id = users.id', 'posts on posts.user_id = users.id'],
  ['SELECT * FROM posts u JOIN ¦ WHERE 1', 'users AS u2 ON u.user_id = u2.id', 'users ON u.user_id = users.id'],
  ['SELECT users.name FROM posts p JOIN ¦', 'users ON p.user_id = users.id', 'users AS u ON p.user_id = u.id'],
  [
    'SELECT * FROM tags u WHERE EXISTS (SELECT 1 FROM posts p JOIN ¦)',
    'users AS u2 ON p.user_id = u2.id',
    'users ON p.user_id = users.id',
  ],
  ['SELECT * FROM posts p JOIN ¦ ON 1'],
  ['SELECT * FROM posts JOIN users JOIN ¦'],
  ['SELECT * FROM posts p, ¦'],
  ['SELECT * FROM users u JOIN posts p ON ¦', 'p.user_id = u.id'],
  ['SELECT * FROM users u JOIN tags t ON ¦'],
] as const) {
  test(`a join proposes what its foreign keys say: ${marked}`, () => {
    const joins = completeMarked(marked).proposals.filter(({ kind }) => kind === 'join');
    assert.deepEqual(
      joins.map(({ insert }) => insert),
      expected,
    );
  });
}
