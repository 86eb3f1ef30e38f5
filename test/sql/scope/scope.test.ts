import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseStatement } from '../../../src/sql/parser/parser.ts';
import { scopeAt, type Scope } from '../../../src/sql/scope/scope.ts';
import { nodesIn, type Visited } from '../../../src/sql/parser/walk.ts';
import { corpusSchema } from '../../support/completeMarked.ts';

/** The scope at the name `here`. */
function scopeOf(sql: string): Scope {
  const { ast } = parseStatement(sql);
  let visitedName: Visited | undefined;
  for (const visited of ast ? nodesIn(ast) : []) {
    if (visited.node.type === 'Id' && visited.node.name === 'here') visitedName = visited;
  }
  assert.ok(visitedName, sql);
  return scopeAt(visitedName, corpusSchema);
}

const aliases = (sql: string): string[][] => scopeOf(sql).levels.map(level => level.map(({ alias }) => alias));
const results = (sql: string): readonly string[] => scopeOf(sql).results;
const mergedColumns = (sql: string): string[] => [...(scopeOf(sql).levels[0]?.[1]?.mergedColumns ?? [])];
const hiddenTableColumns = (from: string): number =>
  scopeOf(`WITH users AS (SELECT 1 AS one) SELECT here FROM ${from}`).levels[0]?.[0]?.columns.length ?? 0;
const triggerRows = (event: string): string[] | undefined =>
  aliases(`CREATE TRIGGER t AFTER ${event} ON posts BEGIN DELETE FROM tags WHERE here; END`)[1];

test('a query sees its own tables first, then those of the queries around it', () => {
  assert.deepEqual(aliases('SELECT 1 FROM users u WHERE EXISTS (SELECT here FROM posts p, tags)'), [
    ['p', 'tags'],
    ['u'],
  ]);
});

test('in FROM, function arguments and join conditions see other sources, subqueries do not', () => {
  assert.deepEqual(aliases('SELECT * FROM users u, (SELECT here FROM posts p) s'), [['p'], []]);
  assert.deepEqual(aliases('SELECT * FROM users u, json_each(here) j'), [['u']]);
  assert.deepEqual(aliases('SELECT * FROM users u JOIN (posts p JOIN tags t ON here) ON 1'), [['u', 'p', 't']]);
});

test('aliases of results are visible in WHERE, GROUP BY, HAVING and ORDER BY, but not in the results', () => {
  assert.deepEqual(results('SELECT id AS a, here FROM users'), []);
  assert.deepEqual(results('SELECT id AS a FROM users WHERE here'), ['a']);
  assert.deepEqual(results('SELECT id AS a FROM users GROUP BY here'), ['a']);
  assert.deepEqual(results('SELECT id AS a FROM users ORDER BY here'), ['a']);
  assert.deepEqual(results('SELECT id AS a, name FROM users UNION SELECT 1, 2 ORDER BY here'), ['a', 'name']);
  assert.deepEqual(aliases('SELECT id AS a, name FROM users UNION SELECT 1, 2 ORDER BY here'), []);
});

test('common tables have columns, in the statement and in other common tables', () => {
  const { levels } = scopeOf('WITH a AS (SELECT x FROM b), b(x) AS (SELECT 1) SELECT here FROM a, b AS c');
  assert.deepEqual(
    levels[0]?.map(({ alias, kind, columns }) => [alias, kind, columns.map(({ name }) => name).join()]),
    [
      ['a', 'common', 'x'],
      ['c', 'common', 'x'],
    ],
  );
});

test('a common table hides a table of the schema, unless the database is named', () => {
  assert.equal(hiddenTableColumns('users'), 1);
  assert.equal(hiddenTableColumns('main.users'), 6);
});

test('INSERT, UPDATE and DELETE see their table; RETURNING does not see FROM, and VALUES sees nothing', () => {
  assert.deepEqual(aliases('UPDATE posts SET title = here FROM users u'), [['posts', 'u']]);
  assert.deepEqual(aliases('UPDATE posts SET title = 1 FROM users u RETURNING here'), [['posts']]);
  assert.deepEqual(aliases('DELETE FROM posts AS p WHERE here'), [['p']]);
  assert.deepEqual(aliases('INSERT INTO posts(id) VALUES (here)'), []);
  assert.deepEqual(aliases('INSERT INTO posts(id) VALUES (1) RETURNING here'), [['posts']]);
  assert.deepEqual(aliases('INSERT INTO posts(id) VALUES (1) ON CONFLICT (here) DO NOTHING'), [['posts']]);
  assert.deepEqual(aliases('INSERT INTO posts(id) VALUES (1) ON CONFLICT DO UPDATE SET id = here'), [
    ['posts', 'excluded'],
  ]);
});

test('a trigger has NEW and OLD by its event', () => {
  assert.deepEqual(triggerRows('INSERT'), ['NEW']);
  assert.deepEqual(triggerRows('DELETE'), ['OLD']);
  assert.deepEqual(triggerRows('UPDATE OF title'), ['NEW', 'OLD']);
});

test('constraints of a table see its columns, defaults do not', () => {
  assert.deepEqual(aliases('CREATE TABLE t(a, b CHECK (here))'), [['t']]);
  assert.deepEqual(aliases('CREATE TABLE t(a, b AS (here))'), [['t']]);
  assert.deepEqual(aliases('CREATE TABLE t(a, b DEFAULT (here))'), []);
  assert.deepEqual(aliases('CREATE INDEX i ON posts(lower(here)) WHERE 1'), [['posts']]);
});

test('a query sees its named windows', () => {
  assert.deepEqual(scopeOf('SELECT here FROM emp WINDOW w AS (), v AS ()').windows, ['w', 'v']);
});

test('columns that a join merges are marked, because they are not ambiguous', () => {
  assert.deepEqual(mergedColumns('SELECT here FROM users JOIN posts USING (id)'), ['id']);
  assert.deepEqual(mergedColumns('SELECT here FROM users NATURAL JOIN posts'), ['id', 'created_at']);
  assert.deepEqual(mergedColumns('SELECT here FROM users JOIN posts ON 1'), []);
});
