import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parameterHints, type ColumnsOf } from '../../../src/sql/parameters/parameterHints.ts';
import { placeholders } from '../../../src/sql/parameters/placeholders.ts';
import { everyStatement } from '../corpus.ts';
import { heldOutValid } from '../heldOutCases.ts';

const schema: ColumnsOf = table =>
  ({
    users: [
      { name: 'id', type: 'INTEGER' },
      { name: 'name', type: 'TEXT' },
      { name: 'note', type: '' },
    ],
    posts: [
      { name: 'title', type: 'VARCHAR(20)' },
      { name: 'user_id', type: 'INT' },
    ],
  })[table.toLowerCase()];

const check = (sql: string, expected: readonly string[]): void => {
  const hints = parameterHints(sql, schema).map(({ start, end, positional, name = '-', table, type }) =>
    [
      sql.slice(start, end) + (positional ? '' : '!'),
      table === undefined ? name : `${table}.${name}`,
      ...(type === undefined ? [] : [type]),
    ].join(' '),
  );
  assert.deepEqual(hints, expected);
};

const cases: readonly (readonly [sql: string, expected: readonly string[]])[] = [
  ['SELECT ?', ['? -']],
  ['SELECT ? AS total', ['? total']],
  ['SELECT * FROM users WHERE id = ? AND "name" <> ?', ['? users.id INTEGER', '? users.name TEXT']],
  ['SELECT * FROM users u JOIN posts AS p ON p.user_id = u.id WHERE p.title LIKE ?', ['? posts.title VARCHAR(20)']],
  ['SELECT * FROM users, posts WHERE title = ? AND other = ?', ['? posts.title VARCHAR(20)', '? other']],
  ["SELECT * FROM users WHERE name LIKE '%' || ? || '%'", ['? users.name TEXT']],
  ['SELECT * FROM users WHERE id BETWEEN ? AND ?', ['? users.id INTEGER', '? users.id INTEGER']],
  ['SELECT * FROM users WHERE id IN (?, ?)', ['? users.id INTEGER', '? users.id INTEGER']],
  ['SELECT * FROM users WHERE (id, name) = (?, ?)', ['? users.id INTEGER', '? users.name TEXT']],
  ['SELECT * FROM users WHERE lower(name) = lower(?)', ['? users.name']],
  ['SELECT * FROM users WHERE ? = id COLLATE nocase', ['? users.id INTEGER']],
  ['SELECT * FROM users WHERE id > CAST(? AS REAL)', ['? users.id REAL']],
  ['SELECT * FROM users ORDER BY id LIMIT ? OFFSET ?', ['? limit INTEGER', '? offset INTEGER']],
  ['SELECT * FROM users WHERE note ->> ? = name AND (id OR ?)', ['? -', '? -']],
  ['SELECT substr(?, 2)', ['? substr']],
  ['SELECT * FROM (SELECT 1 AS a) s WHERE s.a = ?', ['? a']],
  [
    'SELECT * FROM users WHERE EXISTS (SELECT 1 FROM posts WHERE title = ? AND users.id = ?)',
    ['? posts.title VARCHAR(20)', '? users.id INTEGER'],
  ],
  [
    'INSERT INTO users(name, id) VALUES (?, ?), (?, 1)',
    ['? users.name TEXT', '? users.id INTEGER', '? users.name TEXT'],
  ],
  ['INSERT INTO users VALUES (?, ?, ?)', ['? users.id INTEGER', '? users.name TEXT', '? users.note']],
  [
    'INSERT INTO users(id, name) SELECT ?, title FROM posts WHERE user_id = ?',
    ['? users.id INTEGER', '? posts.user_id INT'],
  ],
  ['INSERT INTO unknown VALUES (?)', ['? unknown.-']],
  [
    'INSERT INTO users(id) VALUES (1) ON CONFLICT DO UPDATE SET name = ? WHERE excluded.id = ?',
    ['? users.name TEXT', '? users.id INTEGER'],
  ],
  [
    'UPDATE users SET name = ?, (id, note) = (?, ?) WHERE id IS ?',
    ['? users.name TEXT', '? users.id INTEGER', '? users.note', '? users.id INTEGER'],
  ],
  ['UPDATE users SET id = id + ?', ['? users.id INTEGER']],
  ['DELETE FROM users AS u WHERE u.name = ?', ['? users.name TEXT']],
  ['SELECT ?1, :a, $b FROM users WHERE id = @c', ['?1! -', ':a! -', '$b! -', '@c! users.id INTEGER']],
  ['SELECT * FROM users WHERE id = ? AND', ['? users.id INTEGER']],
  ['?', ['? -']],
];
for (const [sql, expected] of cases) {
  test(`the hints of ${sql} are ${expected.join(', ')}`, () => check(sql, expected));
}

test('the parameters of the corpus are its placeholders', () => {
  for (const sql of [...everyStatement, ...heldOutValid]) {
    const parameters = parameterHints(sql).map(({ start, end, positional, number }) => ({
      start,
      end,
      positional,
      number,
    }));
    assert.deepEqual(parameters, placeholders(sql), sql);
  }
});
