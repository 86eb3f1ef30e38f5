import assert from 'node:assert/strict';
import { splitStatements } from '../../src/sql/text/splitter.ts';
import { coarseTokens } from '../../src/sql/text/tokens.ts';
import type { SqliteOracle } from './sqliteOracle.ts';

/**
 * Two words of SQLite's on where statements end. Where it prepares one, its tail is where the next begins. For text that
 * its grammar refuses it stops somewhere within; there the shell's own question is asked, whether a text is complete.
 */
export function checkSplit(oracle: SqliteOracle, text: string): { readonly prepared: number } {
  let prepared = 0;
  let from = 0;
  for (const { start, end, terminated } of splitStatements(text)) {
    const rest = text.slice(from);
    const { kind, tail } = oracle.judge(rest);
    const where = JSON.stringify(text.slice(from, end));
    if (kind === 'statement') {
      prepared++;
      assert.equal(rest.slice(0, tail), terminated ? text.slice(from, end) : rest, where);
    }
    checkCompleteness(oracle, text.slice(start, end), terminated);
    from = end;
  }
  assert.ok(['empty', 'syntax'].includes(oracle.judge(text.slice(from)).kind), 'nothing is left behind the last');
  return { prepared };
}

/**
 * sqlite3_complete() knows neither QUERY PLAN before a trigger, nor the freedom between the parentheses of a virtual table,
 * nor `$name(…)`, nor the rarer kinds of space, all of which the parser does know.
 */
function checkCompleteness(oracle: SqliteOracle, statement: string, terminated: boolean): void {
  if (/^explain\b|^create\b.*\bvirtual\b/is.test(statement) || /[$@#:][^;]*\(|[\v\ufeff]/.test(statement)) return;
  assert.equal(oracle.isComplete(statement), terminated, statement);
  for (const { kind, start, end } of coarseTokens(statement)) {
    if (kind !== 'semicolon' || end === statement.length) continue;
    assert.ok(!oracle.isComplete(statement.slice(0, end)), `${statement} is not complete at ${start}`);
  }
}
