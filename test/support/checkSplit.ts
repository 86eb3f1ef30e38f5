import assert from 'node:assert/strict';
import { splitStatements } from '../../src/sql/text/splitter.ts';
import { coarseTokens } from '../../src/sql/text/tokens.ts';
import type { SqliteOracle } from './sqliteOracle.ts';

/**
 * Checks the ends of statements against SQLite in two ways. For a statement that it prepares, its tail is the start of the
 * next one. For text with a syntax fault the tail is meaningless, so sqlite3_complete() is asked as well.
 */
export function checkSplit(oracle: SqliteOracle, text: string): { readonly prepared: number } {
  let prepared = 0;
  let from = 0;
  for (const { start, end, terminated } of splitStatements(text)) {
    const rest = text.slice(from);
    const { kind, tail } = oracle.prepare(rest);
    const where = JSON.stringify(text.slice(from, end));
    if (kind === 'statement') {
      prepared++;
      assert.equal(rest.slice(0, tail), terminated ? text.slice(from, end) : rest, where);
    }
    checkCompleteness(oracle, text.slice(start, end), terminated);
    from = end;
  }
  assert.ok(['empty', 'syntax'].includes(oracle.prepare(text.slice(from)).kind), 'no statement follows the last one');
  return { prepared };
}

/**
 * sqlite3_complete() is simpler than the parser: it knows neither EXPLAIN QUERY PLAN before a trigger, nor the arguments of a
 * virtual table, nor `$name(…)`, nor the rare kinds of space.
 */
function checkCompleteness(oracle: SqliteOracle, statement: string, terminated: boolean): void {
  if (/^explain\b|^create\b.*\bvirtual\b/is.test(statement) || /[$@#:][^;]*\(|[\v\ufeff]/.test(statement)) return;
  assert.equal(oracle.isComplete(statement), terminated, statement);
  for (const { kind, start, end } of coarseTokens(statement)) {
    if (kind !== 'semicolon' || end === statement.length) continue;
    assert.ok(!oracle.isComplete(statement.slice(0, end)), `${statement} is not complete at ${start}`);
  }
}
