import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DocumentCompletion } from '../../../src/sql/completion/documentCompletion.ts';
import { Schema } from '../../../src/sql/schema/schema.ts';
import { StatementIndex } from '../../../src/sql/text/statementIndex.ts';
import { corpusSchema } from '../../support/completeMarked.ts';

function labels(marked: string): string[] {
  const offset = marked.indexOf('¦');
  const completion = new DocumentCompletion(new StatementIndex(marked.replace('¦', '')), corpusSchema);
  return completion.at(offset).proposals.map(({ label }) => label);
}

test('the DDL of a document takes effect for the statements behind it only', () => {
  assert.ok(labels('CREATE TABLE made(aa, bb);\nSELECT ¦ FROM made').includes('bb'));
  assert.ok(!labels('SELECT * FROM ¦;\nCREATE TABLE made(aa, bb);').includes('made'));
  assert.ok(!labels('DROP TABLE users; SELECT * FROM ¦').includes('users'));
  assert.ok(labels('ALTER TABLE users ADD COLUMN age; SELECT users.¦ FROM users').includes('age'));
});

test('completion follows the edits of the document', () => {
  const index = new StatementIndex('CREATE TABLE made(aa);\nSELECT  FROM made;');
  const completion = new DocumentCompletion(index, corpusSchema);
  const at = (): string[] => completion.at(index.text.indexOf(' FROM')).proposals.map(({ label }) => label);
  assert.ok(at().includes('aa'));
  index.apply({ start: 18, end: 20, text: 'renamed' });
  assert.ok(at().includes('renamed'));
  assert.ok(!at().includes('aa'));
});

test('completion knows its statement behind a semicolon, in a comment and after the last statement', () => {
  assert.ok(labels('SELECT 1;¦').includes('SELECT'));
  assert.ok(labels('SELECT 1;\n¦\nSELECT 2;').includes('SELECT'));
  assert.ok(labels('¦SELECT 1').includes('SELECT'));
  assert.ok(labels('SELECT * FROM users WHERE  \n  ¦').includes('email'));
  assert.deepEqual(labels('SELECT 1; -- us¦'), []);
  assert.deepEqual(labels('SELECT 1; /* us¦'), []);
  assert.deepEqual(labels('/* us¦ */ SELECT 1'), []);
});

test('the replaced range has offsets in the document', () => {
  const text = 'SELECT 1;\nSELECT na FROM users;';
  const { start, end } = new DocumentCompletion(new StatementIndex(text), corpusSchema).at(text.indexOf('na') + 2);
  assert.equal(text.slice(start, end), 'na');
});

test('CREATE TABLE IF NOT EXISTS changes no table that exists', () => {
  const proposed = labels('CREATE TABLE IF NOT EXISTS users(other);\nSELECT users.¦ FROM users');
  assert.ok(proposed.includes('email') && !proposed.includes('other'));
});

test('a view of the project reads tables as the document changes them', () => {
  const schema = Schema.of('CREATE TABLE a(x); CREATE VIEW v AS SELECT * FROM a;');
  const document = 'ALTER TABLE a ADD COLUMN y;\nSELECT v. FROM v';
  const completion = new DocumentCompletion(new StatementIndex(document), schema);
  const proposed = completion.at(document.indexOf('v.') + 2).proposals.map(({ label }) => label);
  assert.deepEqual(proposed.slice(0, 2), ['x', 'y']);
});
