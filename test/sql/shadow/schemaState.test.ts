import assert from 'node:assert/strict';
import { test } from 'node:test';
import { definitionOf, schemaChangeOf } from '../../../src/sql/shadow/definition.ts';
import { creation, placed, projectDefinitions, removal } from '../../../src/sql/shadow/definitionChange.ts';
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
  SchemaState.of(projectDefinitions(ddl.map(sql => definitionOf(sql)!)));

/** The state behind some statements, each of which is taken to be one that SQLite takes. */
const behind = (statements: readonly string[], ddl = schema): SchemaState => {
  let state = stateOf(ddl);
  for (const sql of statements) {
    const change = schemaChangeOf(sql);
    if (change?.kind === 'create') state = state.with(creation(placed(change, state), state));
    if (change?.kind === 'drop') state = state.with(removal(change, state));
  }
  return state;
};

const namesAround = (state: SchemaState, ...names: string[]): string[] =>
  state.around(names).definitions.map(({ database, name }) => (database === 'temp' ? `temp.${name}` : name));

const mentioning = (state: SchemaState, name: string): string[] => state.mentioning(name).map(found => found.name);

const surroundings: readonly (readonly [mentioned: string, ...around: string[]])[] = [
  ['c', 'c'],
  ['b', 'b'],
  ['a', 'a', 'b', 'a_x', 'a_t'],
  ['v', 'a', 'b', 'v', 'a_x', 'a_t'],
  ['a_x', 'a', 'b', 'a_x', 'a_t'],
  ['docs_content', 'docs'],
  ['nothing'],
];
for (const [mentioned, ...around] of surroundings) {
  test(`knows what matters to a statement that mentions ${mentioned}`, () => {
    assert.deepEqual(namesAround(stateOf(schema), mentioned), around);
  });
}

const changes: readonly (readonly [statements: readonly string[], mentioned: string, ...around: string[]])[] = [
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
for (const [statements, mentioned, ...around] of changes) {
  test(`knows what is there behind ${statements.join('; ')}`, () => {
    assert.deepEqual(namesAround(behind(statements), mentioned), around);
  });
}

test('a state stays what it was, whatever comes of it', () => {
  const before = stateOf(schema);
  let state = before;
  for (let round = 0; round < 300; round++) {
    state = state.with({ removed: state.named('c'), added: [definitionOf(`CREATE TABLE c (x${round})`)!] });
    state = state.with({ removed: [], added: [definitionOf(`CREATE TABLE t${round} (x)`)!] });
  }
  assert.equal(state.named('c')[0]?.sql, 'CREATE TABLE c (x299)');
  assert.deepEqual(mentioning(state, 'x299'), ['c']);
  assert.deepEqual(mentioning(state, 'x7'), []);
  assert.deepEqual(mentioning(before, 'c'), ['b', 'c']);
  assert.deepEqual(namesAround(state, 't0', 't150', 't299'), ['t299', 't150', 't0']);
  assert.deepEqual(namesAround(before, 'c', 't0'), ['c']);
});
