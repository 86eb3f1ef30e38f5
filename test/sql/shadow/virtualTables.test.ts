import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualTableSubstitutes } from '../../../src/sql/shadow/virtualTables.ts';

const cases: readonly (readonly [statement: string, substitutes: readonly string[]])[] = [
  ['CREATE VIRTUAL TABLE a USING m(b, "c d" TEXT, e=f, g(1, 2))', ['CREATE TABLE  a  (b, "c d", g)']],
  ['CREATE VIRTUAL TABLE a USING m', ['CREATE TABLE  a  (content)']],
  ['create virtual table a using FTS4(b)', ['CREATE VIRTUAL TABLE  a  USING fts5(b)', 'CREATE TABLE  a  (b)']],
  ['CREATE VIRTUAL TABLE', []],
];

for (const [statement, substitutes] of cases) {
  test(`a table can replace that of ${statement}`, () =>
    assert.deepEqual(virtualTableSubstitutes(statement), substitutes));
}
