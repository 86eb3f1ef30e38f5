import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseStatement } from '../../../src/sql/parser/parser.ts';
import { scopeAt, type Scope } from '../../../src/sql/scope/scope.ts';
import { walk, type Visited } from '../../../src/sql/parser/walk.ts';
import { corpusSchema } from '../../support/proposedAt.ts';

/** What is visible where the statement names `here`. */
function scopeOf(sql: string): Scope {
  const { ast } = parseStatement(sql);
  let found: Visited | undefined;
  if (ast) {
    walk(ast, visited => {
      if (visited.node.type === 'Id' && visited.node.name === 'here') found = visited;
      return true;
    });
  }
  assert.ok(found, sql);
  return scopeAt(found, corpusSchema);
}

const aliases = (sql: string): string[][] => scopeOf(sql).levels.map(level => level.map(({ alias }) => alias));
const results = (sql: string): readonly string[] => scopeOf(sql).results;
const merged = (sql: string): string[] => [...(scopeOf(sql).levels[0]?.[1]?.merged ?? [])];
const coveredColumns = (from: string): number =>
  scopeOf(`WITH users AS (SELECT 1 AS one) SELECT here FROM ${from}`).levels[0]?.[0]?.columns.length ?? 0;
const rowsOn = (event: string): string[] | undefined =>
  aliases(`CREATE TRIGGER t AFTER ${event} ON posts BEGIN DELETE FROM tags WHERE here; END`)[1];

test('a query sees its own tables first and those of the queries around it behind them', () => {
  assert.deepEqual(aliases('SELECT 1 FROM users u WHERE EXISTS (SELECT here FROM posts p, tags)'), [
    ['p', 'tags'],
    ['u'],
  ]);
});

test('a subquery in FROM sees nothing of its siblings, the arguments of a function and the condition of a join do', () => {
  assert.deepEqual(aliases('SELECT * FROM users u, (SELECT here FROM posts p) s'), [['p'], []]);
  assert.deepEqual(aliases('SELECT * FROM users u, json_each(here) j'), [['u']]);
  assert.deepEqual(aliases('SELECT * FROM users u JOIN (posts p JOIN tags t ON here) ON 1'), [['u', 'p', 't']]);
});

test('names that a query gives its results are there behind WHERE, GROUP BY, HAVING and ORDER BY, not among the results', () => {
  assert.deepEqual(results('SELECT id AS a, here FROM users'), []);
  assert.deepEqual(results('SELECT id AS a FROM users WHERE here'), ['a']);
  assert.deepEqual(results('SELECT id AS a FROM users GROUP BY here'), ['a']);
  assert.deepEqual(results('SELECT id AS a FROM users ORDER BY here'), ['a']);
  assert.deepEqual(results('SELECT id AS a, name FROM users UNION SELECT 1, 2 ORDER BY here'), ['a', 'name']);
  assert.deepEqual(aliases('SELECT id AS a, name FROM users UNION SELECT 1, 2 ORDER BY here'), []);
});

test('what WITH gives is known by its columns, in the statement and in the other tables of the WITH', () => {
  const { levels } = scopeOf('WITH a AS (SELECT x FROM b), b(x) AS (SELECT 1) SELECT here FROM a, b AS c');
  assert.deepEqual(
    levels[0]?.map(({ alias, kind, columns }) => [alias, kind, columns.map(({ name }) => name).join()]),
    [
      ['a', 'common', 'x'],
      ['c', 'common', 'x'],
    ],
  );
});

test('a name of WITH covers a table of the schema, but not one with its database before it', () => {
  assert.equal(coveredColumns('users'), 1);
  assert.equal(coveredColumns('main.users'), 6);
});

test('changes see their table; RETURNING sees nothing of FROM, VALUES nothing at all', () => {
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

test('a trigger has NEW and OLD as its event has them', () => {
  assert.deepEqual(rowsOn('INSERT'), ['NEW']);
  assert.deepEqual(rowsOn('DELETE'), ['OLD']);
  assert.deepEqual(rowsOn('UPDATE OF title'), ['NEW', 'OLD']);
});

test("a table's checks and keys see its own columns, its defaults see none", () => {
  assert.deepEqual(aliases('CREATE TABLE t(a, b CHECK (here))'), [['t']]);
  assert.deepEqual(aliases('CREATE TABLE t(a, b AS (here))'), [['t']]);
  assert.deepEqual(aliases('CREATE TABLE t(a, b DEFAULT (here))'), []);
  assert.deepEqual(aliases('CREATE INDEX i ON posts(lower(here)) WHERE 1'), [['posts']]);
});

test('the windows that a query names are known in it', () => {
  assert.deepEqual(scopeOf('SELECT here FROM emp WINDOW w AS (), v AS ()').windows, ['w', 'v']);
});

test('columns that a join makes one are marked, so that nobody takes them for ambiguous', () => {
  assert.deepEqual(merged('SELECT here FROM users JOIN posts USING (id)'), ['id']);
  assert.deepEqual(merged('SELECT here FROM users NATURAL JOIN posts'), ['id', 'created_at']);
  assert.deepEqual(merged('SELECT here FROM users JOIN posts ON 1'), []);
});
