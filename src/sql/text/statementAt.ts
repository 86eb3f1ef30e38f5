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
