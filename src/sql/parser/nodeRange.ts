import type { AstNode, ResultColumn, Span } from 'sqlite3-parser';
import type { TextRange } from '../text/textRange.ts';
import { type Visited, walk } from './walk.ts';

export const rangeOf = ({ span }: { readonly span: Span }): TextRange => ({
  start: span.offset,
  end: span.offset + span.length,
});

/** The parser lets each item of a list start where the list does. */
export function rangeOfResult(column: ResultColumn): TextRange {
  const { end } = rangeOf(column);
  switch (column.type) {
    case 'StarResultColumn':
      return { start: end - 1, end };
    case 'TableStarResultColumn':
      return { start: rangeOf(column.table).start, end };
    case 'ExprResultColumn':
      return { start: rangeOf(column.expr).start, end: rangeOf(column.alias?.name ?? column.expr).end };
  }
}

/** The node with the smallest range around another range, with its ancestors. Parents may have smaller ranges than children. */
export function innermostNode(root: AstNode, { start, end }: TextRange): Visited | undefined {
  let innermost: Visited | undefined;
  let length = Infinity;
  walk(root, visited => {
    const range = rangeOf(visited.node);
    if (range.start <= start && range.end >= end && range.end - range.start <= length) {
      innermost = visited;
      length = range.end - range.start;
    }
    return true;
  });
  return innermost;
}
