import type { AstNode, ResultColumn, SelectTable, Span } from 'sqlite3-parser';
import type { TextRange } from '../text/textRange.ts';
import { nodesIn, type Visited } from './walk.ts';

export const rangeOf = ({ span }: { readonly span: Span }): TextRange => ({
  start: span.offset,
  end: span.offset + span.length,
});

/** In the parser's tree, the range of a result column begins with the list of columns. */
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

/** The name or alias of a table in FROM. A subquery without an alias is meant as a whole, and a group by its first table. */
export function rangeOfTable(table: SelectTable): TextRange {
  switch (table.type) {
    case 'TableSelectTable':
    case 'TableCallSelectTable':
      return rangeOf(table.tblName);
    case 'SelectSelectTable':
      return rangeOf(table.alias?.name ?? table.select);
    case 'SubSelectTable': {
      if (table.alias) return rangeOf(table.alias.name);
      return table.from.select ? rangeOfTable(table.from.select) : rangeOf(table);
    }
  }
}

/** The node with the smallest range around another range. A parent may have a smaller range than its children. */
export function innermostNode(root: AstNode, { start, end }: TextRange): Visited | undefined {
  let innermost: Visited | undefined;
  let length = Infinity;
  for (const visited of nodesIn(root)) {
    const range = rangeOf(visited.node);
    if (range.start <= start && range.end >= end && range.end - range.start <= length) {
      innermost = visited;
      length = range.end - range.start;
    }
  }
  return innermost;
}
