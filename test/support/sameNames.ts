import assert from 'node:assert/strict';
import { parseStatement } from '../../src/sql/parser/parser.ts';
import { occurrencesIn } from '../../src/sql/symbols/occurrences.ts';
import type { Occurrence, SqlSymbol } from '../../src/sql/symbols/symbol.ts';
import { corpusSchema } from './completeMarked.ts';

interface MarkedName {
  readonly sql: string;
  readonly occurrences: readonly Occurrence[];
  /** The name at the `¦`. */
  readonly name: Occurrence | undefined;
}

/** The names of a statement that has a `¦` within one of them. */
export function namesIn(marked: string, schema = corpusSchema): MarkedName {
  const sql = marked.replace('¦', '');
  const offset = marked.indexOf('¦');
  const { ast } = parseStatement(sql);
  assert.ok(ast, sql);
  const occurrences = occurrencesIn(ast, schema);
  const name = occurrences.find(({ start, end, isImplied }) => !isImplied && start <= offset && offset <= end);
  return { sql, occurrences, name };
}

/** The symbol of the name at the `¦`. */
export function meaningOf(marked: string, schema = corpusSchema): string {
  const { name } = namesIn(marked, schema);
  return name?.symbols.map(describe).join(' & ') ?? 'no name';
}

function describe(symbol: SqlSymbol): string {
  const { kind, name } = symbol;
  switch (symbol.kind) {
    case 'column':
      return symbol.table === undefined ? `${kind} ${name}` : `${kind} ${symbol.table}.${name}`;
    case 'alias':
    case 'row':
      return `${kind} ${name} of ${symbol.source.table ?? 'a subquery'}`;
    case 'table':
      return symbol.table ? `${symbol.table.kind} ${name}` : `unknown table ${name}`;
    default:
      return `${kind} ${name}`;
  }
}

/** The statement with ⟦brackets⟧ around all names that stand for the same as the one at the `¦`. */
export function markSame(marked: string, schema = corpusSchema): string {
  const { sql, occurrences, name } = namesIn(marked, schema);
  const key = name?.symbols[0]?.key;
  let result = '';
  let end = 0;
  for (const occurrence of occurrences) {
    if (!occurrence.symbols.some(symbol => symbol.key === key)) continue;
    result += `${sql.slice(end, occurrence.start)}⟦${sql.slice(occurrence.start, occurrence.end)}⟧`;
    end = occurrence.end;
  }
  return result + sql.slice(end);
}
