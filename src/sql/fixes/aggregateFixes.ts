import type { Expr, SelectFrom, Stmt } from 'sqlite3-parser';
import { rangeOf } from '../parser/nodeRange.ts';
import { nodesIn } from '../parser/walk.ts';
import type { TextEdit } from '../text/statementIndex.ts';
import type { TextRange } from '../text/textRange.ts';
import { type Finding, type Fix, type FixContext, insertion, quickFix, replacement } from './fix.ts';

/**
 * Moves a condition on an aggregate from WHERE, which sees rows, to HAVING, which sees groups. A HAVING in a query without groups
 * becomes WHERE; its finding is the word HAVING.
 */
export function aggregateFixes(finding: Finding, context: FixContext): Fix[] {
  const { text } = context;
  const isHaving = /^having$/i.test(text.slice(finding.start, finding.end));
  if (isHaving) {
    // A query has one WHERE.
    const isFree = !hasWhere(finding, context);
    return isFree ? [quickFix(finding, 'Change to WHERE', [replacement(finding, 'WHERE')])] : [];
  }
  const query = queryWithCondition(finding, context);
  if (!query) return [];
  const { whereClause, groupBy, having } = query;
  const conditions = conjuncts(whereClause);
  const index = conditions.findIndex(condition => contains(rangeOf(condition), finding));
  const moved = conditions[index];
  if (!moved) return [];
  const removal = removalOf(index, conditions, text);
  if (!having) {
    const { start, end } = rangeOf(moved);
    const added = insertion(rangeOf(groupBy.at(-1)!).end, ` HAVING ${text.slice(start, end)}`);
    return [quickFix(finding, 'Move to HAVING', [removal, added], true)];
  }
  const { start, end } = rangeOf(having);
  const both = `${operandOfAnd(having, text)} AND ${operandOfAnd(moved, text)}`;
  return [quickFix(finding, 'Move to HAVING', [removal, replacement({ start, end }, both)], true)];
}

/** A condition as an operand of AND. OR binds less, so it gets parentheses. */
function operandOfAnd(condition: Expr, text: string): string {
  const { start, end } = rangeOf(condition);
  const isOr = condition.type === 'BinaryExpr' && condition.op === 'Or';
  return isOr ? `(${text.slice(start, end)})` : text.slice(start, end);
}

type GroupedQuery = SelectFrom & { readonly whereClause: Expr; readonly groupBy: readonly Expr[] };

/** The innermost query whose WHERE contains a range. Undefined if it has no GROUP BY. */
function queryWithCondition(range: TextRange, { tree }: FixContext): GroupedQuery | undefined {
  const query = queriesIn(tree).findLast(
    ({ whereClause }) => whereClause !== undefined && contains(rangeOf(whereClause), range),
  );
  return query?.groupBy && (query as GroupedQuery);
}

/** Whether the innermost query around a range has a WHERE. */
const hasWhere = (range: TextRange, { tree }: FixContext): boolean =>
  queriesIn(tree).findLast(query => contains(rangeOf(query), range))?.whereClause !== undefined;

const queriesIn = (tree: Stmt): SelectFrom[] =>
  [...nodesIn(tree)].flatMap(({ node }) => (node.type === 'SelectFrom' ? [node] : []));

const contains = (outer: TextRange, inner: TextRange): boolean => outer.start <= inner.start && inner.end <= outer.end;

/** The operands of AND, in order. */
function conjuncts(condition: Expr): Expr[] {
  const operands: Expr[] = [];
  const pending = [condition];
  for (let expr = pending.pop(); expr; expr = pending.pop()) {
    if (expr.type === 'BinaryExpr' && expr.op === 'And') pending.push(expr.right, expr.left);
    else operands.push(expr);
  }
  return operands;
}

/** Removes an operand of AND with its AND, or the whole WHERE. */
function removalOf(index: number, conditions: readonly Expr[], text: string): TextEdit {
  const { start, end } = rangeOf(conditions[index]!);
  const next = conditions[index + 1];
  const previous = conditions[index - 1];
  if (previous) return replacement({ start: rangeOf(previous).end, end }, '');
  if (next) return replacement({ start, end: rangeOf(next).start }, '');
  const clause = /\s*\bwhere\s*$/i.exec(text.slice(0, start));
  return replacement({ start: clause?.index ?? start, end }, '');
}
