import type { Statement } from './splitter.ts';
import type { StatementList } from './statementIndex.ts';

/**
 * The statement that the user means with the cursor at `offset`: the one around it, or else the one that ends before it on
 * the same line, or else the next one, or else the last one.
 */
export function statementAt(statements: StatementList, offset: number): Statement | undefined {
  const number = statements.firstEndingAfter(offset - 1);
  const next = statements.at(number);
  if (next && next.start <= offset) return next;
  const previous = statements.at(number - 1);
  if (previous && !statements.slice(previous.end, offset).includes('\n')) return previous;
  return next ?? previous;
}

/** The number and range of the statement around `offset`, with the space and the comments before it. */
export function statementAround(
  statements: StatementList,
  offset: number,
): { readonly number: number; readonly start: number; readonly end: number } {
  let number = statements.firstEndingAfter(offset);
  // After the last statement the cursor is still in it unless a semicolon ends it.
  if (number > 0 && number === statements.count && !statements.at(number - 1)!.terminated) number--;
  const start = number === 0 ? 0 : statements.at(number - 1)!.end;
  const statement = statements.at(number);
  return { number, start, end: Math.max(offset, statement?.end ?? statements.length) };
}
