import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSqliteOracle, type OracleResultKind } from '../support/sqliteOracle.ts';
import { ddl, invalid, midEdit, unmark, valid } from './corpus.ts';
import { heldSyntax, heldValid } from './heldOutCases.ts';

const oracle = await openSqliteOracle(ddl);

/** The oracle says so of each, and sees the fault where the corpus has its mark. */
const check = (statements: readonly string[], kinds: readonly OracleResultKind[]): void => {
  for (const marked of statements) {
    const { sql, fault } = unmark(marked);
    const { kind, message, offset } = oracle.prepare(sql);
    assert.ok(kinds.includes(kind), `${sql}: ${kind} ${message}`);
    if (fault && kind === 'syntax' && offset !== -1) assert.equal(offset, fault.offset, `${marked}: ${message}`);
  }
};

test('SQLite prepares what the corpus calls valid; a PRAGMA is denied once it is parsed', () => {
  const { pragma = [], tx = [], ...others } = valid;
  check(Object.values(others).flat(), ['statement']);
  check([...pragma, ...tx], ['statement', 'semantic']);
});
test('SQLite prepares what is held apart as valid', () => check(heldValid, ['statement', 'semantic']));
test("SQLite's grammar refuses what the corpus calls a syntax error", () => check(invalid.syntax, ['syntax']));
test("SQLite's grammar refuses what is held apart as a syntax error", () => check(heldSyntax, ['syntax']));
test('SQLite refuses by the schema what the corpus calls a semantic error', () =>
  check(invalid.semantic, ['semantic', 'statement']));
test('no PRAGMA acts while it is prepared', () => {
  assert.match(oracle.prepare('PRAGMA foreign_keys = ON').message, /not authorized/);
  assert.match(oracle.prepare('/* a */ EXPLAIN PRAGMA hard_heap_limit = 1').message, /not authorized/);
});
test('every half-typed text has one cursor', () => {
  for (const [text] of midEdit) assert.equal(text.split('¦').length, 2, text);
});
