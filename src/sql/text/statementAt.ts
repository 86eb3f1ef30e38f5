import type { Statement } from './splitter.ts';
import type { StatementList } from './statementIndex.ts';

/**
 * The statement a person means with the cursor at `offset`: the one around it, else the one that ends earlier on the
 * same line, else the next, else the last.
 */
export function statementAt(statements: StatementList, offset: number): Statement | undefined {
  const number = statements.firstBehind(offset - 1);
  const next = statements.at(number);
  if (next && next.start <= offset) return next;
  const before = statements.at(number - 1);
  if (before && !statements.slice(before.end, offset).includes('\n')) return before;
  return next ?? before;
}
