import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyze, mayHaveChangedSchema } from '../../../src/host/running/boundStatement.ts';

const dropTable = analyze('DROP TABLE t');
const unknownSyntax = analyze('SELEC * FROM t');
const select = analyze('SELECT * FROM t');

test('a refused statement with a typing error leaves the known tables and columns as they are', () => {
  assert.ok(!mayHaveChangedSchema(unknownSyntax, { state: 'failed', writeOutcome: undefined }));
});

test('a statement that the parser cannot read may have changed the schema if it ran, or if nobody knows', () => {
  assert.ok(mayHaveChangedSchema(unknownSyntax, { state: 'done', writeOutcome: undefined }));
  assert.ok(mayHaveChangedSchema(unknownSyntax, { state: 'failed', writeOutcome: 'unknown' }));
  assert.ok(mayHaveChangedSchema(unknownSyntax, { state: 'cancelled', writeOutcome: undefined }));
});

test('a refused change of the schema is a reason to read the schema again: it was not as the user thought', () => {
  assert.ok(mayHaveChangedSchema(dropTable, { state: 'failed', writeOutcome: undefined }));
  assert.ok(mayHaveChangedSchema(dropTable, { state: 'done', writeOutcome: undefined }));
});

test('a read does not change the schema', () => {
  assert.ok(!mayHaveChangedSchema(select, { state: 'done', writeOutcome: undefined }));
});
