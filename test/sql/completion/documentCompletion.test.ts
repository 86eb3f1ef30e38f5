import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Completion, completionInDocument } from '../../../src/sql/completion/completion.ts';
import { DocumentSchema } from '../../../src/sql/schema/documentSchema.ts';
import { Schema } from '../../../src/sql/schema/schema.ts';
import { StatementIndex } from '../../../src/sql/text/statementIndex.ts';
import { corpusSchema } from '../../support/completeMarked.ts';

/** Completes in a document that may be edited between the calls. */
function completionIn(index: StatementIndex, schema = corpusSchema): (offset: number) => Completion {
  const documentSchema = new DocumentSchema(index, schema);
  return offset => completionInDocument(index, documentSchema, offset);
}

const labelsOf = ({ proposals }: Completion): string[] => proposals.map(({ label }) => label);

function labels(marked: string): string[] {
  return labelsOf(completionIn(new StatementIndex(marked.replace('¦', '')))(marked.indexOf('¦')));
}

test('the DDL of a document takes effect for the statements after it only', () => {
  assert.ok(labels('CREATE TABLE made(aa, bb);\nSELECT ¦ FROM made').includes('bb'));
  assert.ok(!labels('SELECT * FROM ¦;\nCREATE TABLE made(aa, bb);').includes('made'));
  assert.ok(!labels('DROP TABLE users; SELECT * FROM ¦').includes('users'));
  assert.ok(labels('ALTER TABLE users ADD COLUMN age; SELECT users.¦ FROM users').includes('age'));
});

test('completion follows the edits of the document', () => {
  const index = new StatementIndex('CREATE TABLE made(aa);\nSELECT  FROM made;');
  const completion = completionIn(index);
  const at = (): string[] => labelsOf(completion(index.text.indexOf(' FROM')));
  assert.ok(at().includes('aa'));
  index.apply({ start: 18, end: 20, text: 'renamed' });
  assert.ok(at().includes('renamed'));
  assert.ok(!at().includes('aa'));
});

test('completion knows its statement after a semicolon, in a comment and after the last statement', () => {
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
  const { start, end } = completionIn(new StatementIndex(text))(text.indexOf('na') + 2);
  assert.equal(text.slice(start, end), 'na');
});

test('CREATE TABLE IF NOT EXISTS changes no table that exists', () => {
  const proposed = labels('CREATE TABLE IF NOT EXISTS users(other);\nSELECT users.¦ FROM users');
  assert.ok(proposed.includes('email') && !proposed.includes('other'));
});

test('a view of the project reads tables as the document changes them', () => {
  const schema = Schema.of('CREATE TABLE a(x); CREATE VIEW v AS SELECT * FROM a;');
  const document = 'ALTER TABLE a ADD COLUMN y;\nSELECT v. FROM v';
  const proposed = labelsOf(completionIn(new StatementIndex(document), schema)(document.indexOf('v.') + 2));
  assert.deepEqual(proposed.slice(0, 2), ['x', 'y']);
});
