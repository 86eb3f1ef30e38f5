import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completionAfterCharacter, completionInDocument } from '../../../src/sql/completion/completion.ts';
import { DocumentSchema } from '../../../src/sql/schema/documentSchema.ts';
import { Schema } from '../../../src/sql/schema/schema.ts';
import { StatementIndex } from '../../../src/sql/text/statementIndex.ts';
import { completeMarked, corpusSchema, labelsAt } from '../../support/completeMarked.ts';

/** The first proposal when the character before the cursor has just been typed. */
function firstAfterTyping(marked: string): string | undefined {
  const offset = marked.indexOf('¦');
  const index = new StatementIndex(marked.replace('¦', ''));
  const schema = new DocumentSchema(index, corpusSchema);
  return completionAfterCharacter(marked.charAt(offset - 1), index, schema, offset)?.proposals[0]?.label;
}

for (const [marked, first] of [
  ['SELECT * FROM ¦', 'users'],
  ['select * from ¦', 'users'],
  ['SELECT * FROM posts JOIN ¦', 'users AS u ON posts.user_id = u.id'],
  ['SELECT * FROM users u JOIN posts p ON ¦', 'p.user_id = u.id'],
  ['SELECT ¦ FROM emp', 'id'],
  ['INSERT INTO ¦', 'users'],
  ['UPDATE ¦', 'users'],
  ['SELECT u.¦ FROM users u', 'id'],
  ['SELECT "¦" FROM users', 'id'],
  ['SELECT "¦ FROM users', 'id'],
  ['SELECT [¦] FROM users', 'id'],
  ['SELECT `¦` FROM users', 'id'],
  ['INSERT INTO tags(¦)', 'post_id, tag'],
  ['SELECT * FROM users JOIN posts USING (¦)', 'id'],
  ['PRAGMA table_info(¦)', 'users'],
  ['SELECT * FROM users  ¦', undefined],
  ['SELECT * FROM users ¦', undefined],
  ['SELECT 1, ¦', undefined],
  ['SELECT * FROM users WHERE ¦', undefined],
  ['SELECT * FROM  ¦', undefined],
  ['SELECT upper(¦) FROM users', undefined],
  ['SELECT * FROM users WHERE id IN (¦)', undefined],
  ['SELECT * FROM users WHERE id = ¦', undefined],
  ['CREATE TABLE t(a CHECK (a IN (1, 2))); SELECT * FROM t WHERE a = ¦', '1'],
  ['CREATE TABLE t(a CHECK (a IN (1, 2))); SELECT * FROM t WHERE a IN (¦)', '1'],
  ['SELECT "name"¦ FROM users', undefined],
  ['SELECT [name]¦ FROM users', undefined],
  ["SELECT 'x from ¦'", undefined],
  ['-- from ¦', undefined],
  ['SELECT 1.¦', undefined],
] as const) {
  test(`a typed character shows proposals where a name follows: ${JSON.stringify(marked)}`, () => {
    assert.equal(firstAfterTyping(marked), first);
  });
}

test('the DDL of a document takes effect for the statements after it only', () => {
  assert.ok(labelsAt('CREATE TABLE made(aa, bb);\nSELECT ¦ FROM made').includes('bb'));
  assert.ok(!labelsAt('SELECT * FROM ¦;\nCREATE TABLE made(aa, bb);').includes('made'));
  assert.ok(!labelsAt('DROP TABLE users; SELECT * FROM ¦').includes('users'));
  assert.ok(labelsAt('ALTER TABLE users ADD COLUMN age; SELECT users.¦ FROM users').includes('age'));
});

test('completion follows the edits of the document', () => {
  const index = new StatementIndex('CREATE TABLE made(aa);\nSELECT  FROM made;');
  const schema = new DocumentSchema(index, corpusSchema);
  const labels = (): string[] =>
    completionInDocument(index, schema, index.text.indexOf(' FROM')).proposals.map(({ label }) => label);
  assert.ok(labels().includes('aa'));
  index.apply({ start: 18, end: 20, text: 'renamed' });
  assert.ok(labels().includes('renamed'));
  assert.ok(!labels().includes('aa'));
});

test('completion knows its statement after a semicolon, in a comment and after the last statement', () => {
  assert.ok(labelsAt('SELECT 1;¦').includes('SELECT'));
  assert.ok(labelsAt('SELECT 1;\n¦\nSELECT 2;').includes('SELECT'));
  assert.ok(labelsAt('¦SELECT 1').includes('SELECT'));
  assert.ok(labelsAt('SELECT * FROM users WHERE  \n  ¦').includes('email'));
  assert.deepEqual(labelsAt('SELECT 1; -- us¦'), []);
  assert.deepEqual(labelsAt('SELECT 1; /* us¦'), []);
  assert.deepEqual(labelsAt('/* us¦ */ SELECT 1'), []);
});

test('the replaced range has offsets in the document', () => {
  const { start, end } = completeMarked('SELECT 1;\nSELECT na¦ FROM users;');
  assert.deepEqual([start, end], [17, 19]);
});

test('CREATE TABLE IF NOT EXISTS changes no table that exists', () => {
  const proposed = labelsAt('CREATE TABLE IF NOT EXISTS users(other);\nSELECT users.¦ FROM users');
  assert.ok(proposed.includes('email') && !proposed.includes('other'));
});

test('a view of the project reads tables as the document changes them', () => {
  const schema = Schema.of('CREATE TABLE a(x); CREATE VIEW v AS SELECT * FROM a;');
  const proposed = labelsAt('ALTER TABLE a ADD COLUMN y;\nSELECT v.¦ FROM v', schema);
  assert.deepEqual(proposed.slice(0, 2), ['x', 'y']);
});
