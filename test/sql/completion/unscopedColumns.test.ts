import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Schema } from '../../../src/sql/schema/schema.ts';
import { choose, completeMarked, corpusSchema } from '../../support/completeMarked.ts';

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
  ['SELECT u.¦', 'email', 'users', 'SELECT u.email¦ FROM users AS u'],
  ['select us.ema¦;', 'email', 'users', 'select us.email¦ from users as us;'],
  ['SELECT U2.¦, 1', 'email', 'users', 'SELECT U2.email¦, 1 FROM users AS U2'],
  ['SELECT "or".¦', 'total price', 'order', 'SELECT "or"."total price"¦ FROM "order" AS "or"'],
  ['SELECT au.¦', 'email', 'active_users', 'SELECT au.email¦ FROM active_users AS au'],
  ['SELECT (SELECT u.¦) AS e', 'email', 'users', 'SELECT (SELECT u.email¦ FROM users AS u) AS e'],
  ['SELECT 1\n\nSELECT\n  u.¦', 'email', 'users', 'SELECT 1\n\nSELECT\n  u.email¦\nFROM users AS u'],
] as const) {
  test(`a column that is chosen before FROM adds its table: ${JSON.stringify(marked)}`, () => {
    assert.equal(choose(marked, label, origin), expected);
  });
}

test('the tables of an alias that FROM lacks are those with its initials, then those that begin with it', () => {
  const schema = Schema.of(
    'CREATE TABLE olives (id); CREATE TABLE order_lines (id, price); CREATE TABLE other (id); CREATE TABLE tool (id);',
  );
  const tables = (marked: string): string[] => origins(marked, 'id', schema);
  assert.deepEqual(tables('SELECT ol.¦'), ['order_lines', 'olives']);
  assert.deepEqual(tables('SELECT o.¦'), ['olives', 'other', 'order_lines']);
  assert.deepEqual(tables('SELECT o.price, o.¦'), ['order_lines', 'olives', 'other']);
  assert.deepEqual(tables('SELECT 1 FROM other; SELECT o.¦'), ['other', 'olives', 'order_lines']);
  for (const marked of ['SELECT x.¦', 'SELECT o.¦ FROM tool', 'SELECT 1 WHERE o.¦', 'SELECT aux.o.¦', 'SELECT ""."¦']) {
    assert.deepEqual(tables(marked), [], marked);
  }
});

for (const [marked, ...expected] of [
  ['SELECT id FROM users WHERE id IN (SELECT ¦', 'user_id FROM posts', 'id FROM users'],
  ['SELECT id FROM users u WHERE u.id = (SELECT ¦)', 'user_id FROM posts', 'id FROM users'],
  ['SELECT id FROM posts WHERE user_id IN (SELECT u.¦)', 'id FROM users AS u', 'name FROM users AS u'],
  ['SELECT id FROM posts WHERE EXISTS (SELECT ¦)', 'id FROM users', 'name FROM users'],
  ['SELECT (SELECT ¦) FROM posts', 'id FROM users', 'name FROM users'],
  ['UPDATE posts SET title = (SELECT ¦)', 'id FROM users', 'name FROM users'],
] as const) {
  test(`in a subquery without FROM, columns of all tables come before those of the query around: ${marked}`, () => {
    const inserts = completeMarked(marked).proposals.map(({ insert }) => insert);
    assert.deepEqual(inserts.slice(0, expected.length), expected);
    const outer = inserts.indexOf(marked.startsWith('SELECT id FROM users') ? 'email' : 'body');
    assert.ok(outer > inserts.findLastIndex(insert => insert.includes(' FROM ')) || outer === -1);
  });
}

test('names with signs of snippets are inserted as they are', () => {
  const schema = Schema.of('CREATE TABLE "$1}\\"("${2:c}" INT)');
  assert.equal(choose('SELECT ¦', '${2:c}', undefined, schema), 'SELECT "${2:c}"¦ FROM "$1}\\"');
});

const origins = (marked: string, label: string, schema = corpusSchema): string[] =>
  completeMarked(marked, schema)
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

test('the columns that match are proposed from very many, and the list is incomplete', () => {
  const tables = Array.from({ length: 5000 }, (_, n) => `CREATE TABLE t${n}(id, c${n});`);
  const schema = Schema.of(tables.join(''));
  const many = completeMarked('SELECT ¦', schema);
  assert.ok(many.isIncomplete && many.proposals.length <= 500);
  const few = completeMarked('SELECT c4999¦', schema);
  assert.ok(!few.isIncomplete);
  assert.equal(few.proposals[0]?.insert, 'c4999 FROM t4999');
});
