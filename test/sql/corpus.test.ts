import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSqliteOracle, type OracleResultKind } from '../support/sqliteOracle.ts';
import { ddl, invalid, midEdit, unmark, valid } from './corpus.ts';
import { heldOutSyntax, heldOutValid } from './heldOutCases.ts';

const oracle = await openSqliteOracle(ddl);

/** Checks that SQLite agrees on each statement and on the position of its mark. */
const check = (statements: readonly string[], kinds: readonly OracleResultKind[]): void => {
  for (const marked of statements) {
    const { sql, fault } = unmark(marked);
    const { kind, message, offset } = oracle.prepare(sql);
    assert.ok(kinds.includes(kind), `${sql}: ${kind} ${message}`);
    if (fault && kind === 'syntax' && offset !== -1) assert.equal(offset, fault.offset, `${marked}: ${message}`);
  }
};

test('SQLite prepares the valid statements of the corpus, and denies a PRAGMA after parsing it', () => {
  const { pragma = [], tx = [], ...others } = valid;
  check(Object.values(others).flat(), ['statement']);
  check([...pragma, ...tx], ['statement', 'semantic']);
});
test('SQLite prepares the valid held-out cases', () => check(heldOutValid, ['statement', 'semantic']));
test("SQLite's grammar refuses the syntax errors of the corpus", () => check(invalid.syntax, ['syntax']));
test("SQLite's grammar refuses the syntax errors of the held-out cases", () => check(heldOutSyntax, ['syntax']));
test('SQLite refuses the semantic errors of the corpus because of the schema', () =>
  check(invalid.semantic, ['semantic', 'statement']));
test('no PRAGMA acts while it is prepared', () => {
  assert.match(oracle.prepare('PRAGMA foreign_keys = ON').message, /not authorized/);
  assert.match(oracle.prepare('/* a */ EXPLAIN PRAGMA hard_heap_limit = 1').message, /not authorized/);
});
test('every half-typed text has one cursor', () => {
  for (const [text] of midEdit) assert.equal(text.split('¦').length, 2, text);
});
