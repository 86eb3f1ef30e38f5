import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Schema } from '../../../src/sql/schema/schema.ts';
import { choose, completeMarked } from '../../support/completeMarked.ts';

for (const [marked, label, origin, expected] of [
  ['SELECT na¦', 'name', 'users', 'SELECT name¦ FROM users'],
  ['SELECT na¦', 'name', 'emp', 'SELECT name¦ FROM emp'],
  ['SELECT ¦', 'total price', 'order', 'SELECT "total price"¦ FROM "order"'],
  ['select na¦;', 'name', 'users', 'select name¦ from users;'],
  ['SELECT "na¦', 'name', 'users', 'SELECT "name"¦ FROM users'],
  ['SELECT ema¦, name', 'email', 'users', 'SELECT email¦, name FROM users'],
  ['SELECT ema¦, name WHERE active;', 'email', 'users', 'SELECT email¦, name FROM users WHERE active;'],
  ['SELECT upper(ema¦) LIMIT 1', 'email', 'users', 'SELECT upper(email¦) FROM users LIMIT 1'],
  ['SELECT (SELECT ema¦) AS e', 'email', 'users', 'SELECT (SELECT email¦ FROM users) AS e'],
  ['SELECT 1 UNION SELECT ema¦', 'email', 'users', 'SELECT 1 UNION SELECT email¦ FROM users'],
  ['SELECT ema¦ UNION SELECT 1', 'email', 'users', 'SELECT email¦ FROM users UNION SELECT 1'],
  ['SELECT users.ema¦', 'email', 'users', 'SELECT users.email¦ FROM users'],
  ['  SELECT\n    id,\n    ema¦', 'email', 'users', '  SELECT\n    id,\n    email¦\n  FROM users'],
  ['  SELECT\n    ema¦,\n    id', 'email', 'users', '  SELECT\n    email¦,\n    id\n  FROM users'],
  ['SELECT ema¦\n\nSELECT title FROM posts', 'email', 'users', 'SELECT email¦ FROM users\n\nSELECT title FROM posts'],
  ['INSERT INTO tags(tag) SELECT ema¦', 'email', 'users', 'INSERT INTO tags(tag) SELECT email¦ FROM users'],
  ['SELECT upper(ema¦', 'email', 'users', 'SELECT upper(email¦'],
] as const) {
  test(`a column that is chosen before FROM adds its table: ${JSON.stringify(marked)}`, () => {
    assert.equal(choose(marked, label, origin), expected);
  });
}

test('names with signs of snippets are inserted as they are', () => {
  const schema = Schema.of('CREATE TABLE "$1}\\"("${2:c}" INT)');
  assert.equal(choose('SELECT ¦', '${2:c}', undefined, schema), 'SELECT "${2:c}"¦ FROM "$1}\\"');
});

const origins = (marked: string, label: string): string[] =>
  completeMarked(marked)
    .proposals.filter(proposal => proposal.label === label)
    .map(({ origin }) => origin);

test('tables with the other columns of the query come first, then those that statements nearby mention', () => {
  assert.deepEqual(origins('SELECT salary, na¦', 'name'), ['emp', 'users', 'active_users']);
  assert.deepEqual(origins('SELECT * FROM emp;\nSELECT na¦', 'name'), ['emp', 'users', 'active_users']);
});

test('a second column adds no second FROM, and columns of other tables are not proposed then', () => {
  const afterFirst = choose('SELECT na¦', 'name', 'users').replace('¦', ', ema¦');
  assert.equal(choose(afterFirst, 'email'), 'SELECT name, email¦ FROM users');
  assert.deepEqual(origins(afterFirst, 'title'), []);
});

test('columns of all tables are proposed only in the results of a query without FROM', () => {
  for (const marked of [
    'SELECT ¦ FROM emp',
    'SELECT 1 WHERE ¦',
    'VALUES (¦)',
    'SELECT 1 ORDER BY ¦',
    'SELECT id AS ¦',
  ]) {
    assert.deepEqual(origins(marked, 'email'), [], marked);
  }
});

test('of very many columns those that match are proposed, and the list is incomplete', () => {
  const tables = Array.from({ length: 5000 }, (_, n) => `CREATE TABLE t${n}(id, c${n});`);
  const schema = Schema.of(tables.join(''));
  const many = completeMarked('SELECT ¦', schema);
  assert.ok(many.isIncomplete && many.proposals.length <= 500);
  const few = completeMarked('SELECT c4999¦', schema);
  assert.ok(!few.isIncomplete);
  assert.equal(few.proposals[0]?.insert, 'c4999 FROM t4999');
});
