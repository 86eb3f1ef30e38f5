import type { BetweenExpr, BinaryExpr, Expr, InListExpr } from 'sqlite3-parser';
import { rangeOf } from '../parser/nodeRange.ts';
import { type Visited, withoutParentheses } from '../parser/walk.ts';
import { columnsNamed } from '../scope/columnReference.ts';
import type { TextRange } from '../text/textRange.ts';
import { isForNumbers, isNumericText } from './affinity.ts';
import { type LintContext, shownName } from './lintContext.ts';

/** The comparisons that a number never satisfies if the other side is text that is not a number. */
const neverForTextOnRight = new Set(['Equals', 'Is', 'Greater', 'GreaterEquals']);
const neverForTextOnLeft = new Set(['Equals', 'Is', 'Less', 'LessEquals']);

export function lintComparison(visited: Visited, context: LintContext): void {
  const expr = visited.node as BinaryExpr;
  const { left, op, right } = expr;
  if (op === 'Equals' || op === 'NotEquals') lintEqualsNull(expr, context);
  if (neverForTextOnRight.has(op)) lintNeverMatches(left, right, visited, context);
  if (neverForTextOnLeft.has(op)) lintNeverMatches(right, left, visited, context);
}

export function lintRangeComparison(visited: Visited, context: LintContext): void {
  const { lhs, not, start } = visited.node as BetweenExpr;
  if (!not) lintNeverMatches(lhs, start, visited, context);
}

export function lintListComparison(visited: Visited, context: LintContext): void {
  const { lhs, not, rhs = [] } = visited.node as InListExpr;
  if (!not) for (const item of rhs) lintNeverMatches(lhs, item, visited, context);
}

/** Whether an expression is NULL, also between parentheses. */
export const isNull = (expr: Expr): boolean => withoutParentheses(expr).type === 'NullLiteral';

function lintEqualsNull({ left, op, right }: BinaryExpr, context: LintContext): void {
  const isOnRight = isNull(right);
  if (!isOnRight && !isNull(left)) return;
  const operator = context.keywordBefore(rangeOf(right).start, /^(?:==?|<>|!=)$/);
  if (!operator) return;
  const range: TextRange = isOnRight
    ? { start: operator.start, end: rangeOf(right).end }
    : { start: rangeOf(left).start, end: operator.end };
  const test = op === 'Equals' ? 'IS NULL' : 'IS NOT NULL';
  context.add('equals_null', range, `A comparison with NULL is never true. Write ${test}.`);
}

/** Reports the comparison of a column for numbers with a text or bytes that no number matches. */
function lintNeverMatches(operand: Expr, value: Expr, visited: Visited, context: LintContext): void {
  const isText = value.type === 'StringLiteral' && !isNumericText(value.value);
  if (!isText && value.type !== 'BlobLiteral') return;
  const column = comparedColumn(operand);
  const scope = column && context.scopeOf(visited);
  if (!scope) return;
  const [found, ...others] = columnsNamed(column, scope);
  // The columns of views and subqueries may come from a compound query, whose other parts have other types.
  if (found?.source.kind !== 'table' || others.length > 0 || !isForNumbers(found.column.type)) return;
  const { name, type } = found.column;
  const word = truthValue(type, value);
  const message =
    word === undefined
      ? `${shownName(name)} is ${shownName(type)}, and no number matches ${isText ? 'this text' : 'these bytes'}. Compare it with a number.`
      : `${shownName(name)} holds ${word} as ${word === 'TRUE' ? 1 : 0}, not as a text. Compare it with ${word}.`;
  context.add('never_matches', rangeOf(value), message);
}

/** TRUE or FALSE, if a text is one of these words and the type of the column is for truth values. */
function truthValue(type: string, value: Expr): 'TRUE' | 'FALSE' | undefined {
  const word = value.type === 'StringLiteral' ? value.value.toUpperCase() : '';
  return /^bool/i.test(type) && (word === 'TRUE' || word === 'FALSE') ? word : undefined;
}

/** The column of an operand that is compared with the affinity of the column. An operator such as `+` would drop it. */
function comparedColumn(operand: Expr): Expr | undefined {
  let expr = withoutParentheses(operand);
  while (expr.type === 'CollateExpr') expr = withoutParentheses(expr.expr);
  return expr.type === 'Id' || expr.type === 'NameExpr' || expr.type === 'QualifiedExpr' ? expr : undefined;
}
