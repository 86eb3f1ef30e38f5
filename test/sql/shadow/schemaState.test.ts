import assert from 'node:assert/strict';
import { test } from 'node:test';
import { doAtOnce } from '../../../src/base/turns.ts';
import { schemaObjectOf, ddlStatementOf } from '../../../src/sql/shadow/ddlStatement.ts';
import { objectInDatabase, creation, projectObjects, removal } from '../../../src/sql/shadow/schemaChange.ts';
import { SchemaState } from '../../../src/sql/shadow/schemaState.ts';

const schema = [
  'CREATE TABLE a (x)',
  'CREATE INDEX a_x ON a (x)',
  'CREATE TRIGGER a_t AFTER INSERT ON a BEGIN DELETE FROM b; END',
  'CREATE TABLE b (x REFERENCES c)',
  'CREATE TABLE c (x)',
  'CREATE VIEW v AS SELECT x FROM a',
  'CREATE VIRTUAL TABLE docs USING fts5(text)',
  "CREATE TABLE 'docs_content'(id INTEGER PRIMARY KEY, c0)",
];

const stateOf = (ddl: readonly string[]): SchemaState =>
  doAtOnce(SchemaState.of(doAtOnce(projectObjects(ddl.map(sql => schemaObjectOf(sql)!)))));

/** The state after some statements that SQLite accepts. */
const stateAfter = (statements: readonly string[], ddl = schema): SchemaState => {
  let state = stateOf(ddl);
  for (const sql of statements) {
    const change = ddlStatementOf(sql);
    if (change?.kind === 'create') state = state.with(creation(objectInDatabase(change, state), state));
    if (change?.kind === 'drop') state = state.with(removal(change, state));
  }
  return state;
};

const dependencies = (state: SchemaState, ...names: string[]): string[] =>
  state.dependenciesOf(names).objects.map(({ database, name }) => (database === 'temp' ? `temp.${name}` : name));

const mentioning = (state: SchemaState, name: string): string[] => state.mentioning(name).map(object => object.name);

const cases: readonly (readonly [mentioned: string, ...expected: string[]])[] = [
  ['c', 'c'],
  ['b', 'b'],
  ['a', 'a', 'b', 'a_x', 'a_t'],
  ['v', 'a', 'b', 'v', 'a_x', 'a_t'],
  ['a_x', 'a', 'b', 'a_x', 'a_t'],
  ['docs_content', 'docs'],
  ['nothing'],
];
for (const [mentioned, ...expected] of cases) {
  test(`the dependencies of ${mentioned} are ${expected.join(', ') || 'none'}`, () => {
    assert.deepEqual(dependencies(stateOf(schema), mentioned), expected);
  });
}

const changes: readonly (readonly [statements: readonly string[], mentioned: string, ...expected: string[]])[] = [
  [['CREATE TABLE new (a)'], 'new', 'new'],
  [['DROP TABLE a'], 'v', 'v'],
  [['DROP TRIGGER a_t'], 'a', 'a', 'a_x'],
  [['CREATE TABLE IF NOT EXISTS c (y)'], 'c', 'c'],
  [['CREATE TEMP TABLE c (y)'], 'c', 'c', 'temp.c'],
  [['CREATE TEMP TABLE c (y)', 'DROP TABLE c'], 'c', 'c'],
  [['CREATE TEMP TABLE c (y)', 'DROP TABLE main.c'], 'c', 'temp.c'],
  [['CREATE TEMP TABLE c (y)', 'CREATE INDEX c_y ON c (y)', 'DROP TABLE main.c'], 'c', 'temp.c', 'temp.c_y'],
  [['DROP TABLE nothing'], 'c', 'c'],
  [['CREATE TRIGGER c AFTER INSERT ON c BEGIN SELECT 1; END'], 'c', 'c', 'c'],
  [['CREATE TABLE n (i INTEGER PRIMARY KEY AUTOINCREMENT)'], 'sqlite_sequence', 'sqlite_sequence'],
];
for (const [statements, mentioned, ...expected] of changes) {
  test(`after ${statements.join('; ')} the dependencies of ${mentioned} are ${expected.join(', ')}`, () => {
    assert.deepEqual(dependencies(stateAfter(statements), mentioned), expected);
  });
}

test('a state does not change when others are derived from it', () => {
  const before = stateOf(schema);
  let state = before;
  for (let round = 0; round < 300; round++) {
    state = state.with({ removed: state.named('c'), added: [schemaObjectOf(`CREATE TABLE c (x${round})`)!] });
    state = state.with({ removed: [], added: [schemaObjectOf(`CREATE TABLE t${round} (x)`)!] });
  }
  assert.equal(state.named('c')[0]?.sql, 'CREATE TABLE c (x299)');
  assert.deepEqual(mentioning(state, 'x299'), ['c']);
  assert.deepEqual(mentioning(state, 'x7'), []);
  assert.deepEqual(mentioning(before, 'c'), ['b', 'c']);
  assert.deepEqual(dependencies(state, 't0', 't150', 't299'), ['t299', 't150', 't0']);
  assert.deepEqual(dependencies(before, 'c', 't0'), ['c']);
});
